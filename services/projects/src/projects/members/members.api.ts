/** Members of a project, as managers, members or viewers. */
import { idOf } from '@suite/chassis/fields';
import { removed, upserted } from '@suite/chassis/operations';
import { ProjectUnmanaged, projectFaults } from '../../work/access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { requestMembers, removeMember, saveMember } from './member.ts';
import { memberActions } from './member.rules.ts';
import { MemberInput, ProjectMember } from './member.schema.ts';
import { readMember } from './member.view.ts';

const { command } = inProjects;

export const save = command('POST /api/project/member/create', {
  summary: 'Add a member to a project',
  description:
    'Adds a member with a role and rates. For an existing member, updates both and returns 200. Returns `last_manager` if no manager would remain.',
  addition: 'Adding one project member would otherwise require replacing all members.',
  access: memberActions.can('update'),
  body: MemberInput,
  reply: upserted(ProjectMember),
  faults: [...projectFaults, ProjectUnmanaged],
  prepare: ({ rpc, body }) => requestMembers(rpc, [body.user_id], 'user_id'),
  async handle({ body, prepared: people, ...context }) {
    const { created, id } = await saveMember(context, body, people);
    return { created, record: await readMember(context.db, context.caller, id) };
  },
});

export const remove = command('DELETE /api/project/member/delete/{id}', {
  summary: 'Remove a member from a project',
  description:
    'Removes a member and unassigns their open tasks and bugs. Members can remove themselves. Returns `last_manager` for the last manager.',
  access: memberActions.can('delete'),
  params: { id: idOf('project_members') },
  reply: removed,
  faults: [...projectFaults, ProjectUnmanaged],
  handle: ({ params, ...context }) => removeMember(context, params.id),
});
