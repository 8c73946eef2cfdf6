import { randomUUID } from 'node:crypto';
import { methodConformance } from '@suite/testing';
import { openProjects } from '../../test/fixture.ts';
import { makeProject } from '../../test/project.ts';
import { projectsRpc } from './projects.rpc.ts';

const { serving, office: openOffice } = await openProjects();

methodConformance({
  name: 'projects',
  serving,
  served: projectsRpc,
  idempotent: {
    async changeToDoTask() {
      const office = await openOffice();
      const { caller } = office.owner;
      const project = await makeProject(serving, office);
      const path = `/api/project/${project.id}/task/create`;
      const created = await office.owner.post(path, { title: 'Write it', assignee_ids: [caller.user_id] });
      const { user_id, user_name: name, kind, role, permissions, record_scopes, modules, timezone, currency } = caller;
      const user = { user_id, name, kind, email: '', status: 'active', phone: '' };
      const rights = { user, role, permissions, record_scopes, modules, timezone, currency, team: [] };
      const request = {
        idempotency_key: randomUUID(),
        rights,
        task_id: created.body.data.id,
        after: { title: 'Read it' },
        before: { title: 'Write it' },
        changed_at: '',
        unassign: false,
      };
      return { caller, request, other: { ...request, after: { title: 'Burn it' } } };
    },
  },
});
