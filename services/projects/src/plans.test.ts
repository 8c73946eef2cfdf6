import { planConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openProjects } from '../test/fixture.ts';
import { workedProject } from '../test/worked-project.ts';
import { projects } from './projects.ts';

const { serving, fakes, office: openOffice } = await openProjects();
const office = await openOffice();
const { owner, hire } = office;
const workspace = await createOneOfEach(office);
const { id: project_id, task_id, done_task_id } = await workedProject(office);
const client = hire({ kind: 'client', name: 'Cleo Example' });
await owner.post('/api/project/client/invite', { project_id, client_ids: [client] });
await owner.post(`/api/project/${project_id}/task/update/${task_id}`, {
  assignee_ids: [owner.caller.user_id],
  blocked_by: [done_task_id],
  client_visible: true,
});
await owner.post('/api/add-tracker', { project_id });
await owner.post('/api/stop-tracker', {});
const gone = await owner.post(`/api/project/${project_id}/task/create`, { title: 'Gone' });
await owner.delete(`/api/project/${project_id}/task/delete/${gone.body.data.id}`);

const figures = 'stage metrics include all cards of the stage';

planConformance({
  contents: projects,
  serving,
  fakes,
  workspace,
  people: { staff: [owner.caller.user_id], client: [client] },
  few: ['users', 'stages'],
  shared: [],
  rare: [],
  whole: {
    'taskStages.list': figures,
    'bugStages.list': figures,
    'timesheets.list': 'a week is the sum of its entries',
    'lightProjects.users': 'clients see the managers of their own projects, out of all managers',
  },
  empty: {
    project_expenses: 'no list reads it',
    settings: 'a workspace has one row',
    time_rates: 'no list reads it',
    billing_runs: 'no list reads it',
    billing_attempts: 'no list reads it',
    notification_settings: 'no list reads it',
  },
});
