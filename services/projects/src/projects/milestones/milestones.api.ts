/** Milestones of a project, with their tasks. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { projectFaults } from '../../work/access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { createMilestone, removeMilestone, updateMilestone } from './milestone.ts';
import { milestoneStates } from './milestone.rules.ts';
import { ChangedMilestone, Milestone, MilestoneChanges, MilestoneFilter, MilestoneInput } from './milestone.schema.ts';
import { listMilestones, readMilestone } from './milestone.view.ts';

const { query, command } = inProjects;

export const list = query('GET /api/project/milestones', {
  summary: 'List milestones',
  description:
    'Returns milestones with progress, from the completed share of their tasks. Clients see milestones with `client_visible: true` only. Costs are visible to managers only.',
  access: can('milestone.view'),
  query: MilestoneFilter,
  reply: page(Milestone),
  handle: ({ db, caller, query }) => listMilestones(db, caller, query),
});

export const create = command('POST /api/project/milestone/create', {
  summary: 'Create a milestone',
  description:
    'Creates a milestone, optionally with start date, end date and cost. Clients see it if `client_visible` is `true`. Requires the manager role in the project.',
  access: can('milestone.create'),
  body: MilestoneInput,
  reply: created(ChangedMilestone),
  faults: projectFaults,
  handle: async ({ body, ...context }) =>
    readMilestone(context.db, context.caller, await createMilestone(context, body)),
});

export const update = command('POST /api/project/milestone/update/{id}', {
  summary: 'Update a milestone',
  description:
    'Updates a milestone. `status` completes or reopens it. A milestone with open tasks can be completed: `open_tasks` counts them.',
  access: milestoneStates.can('update', 'complete', 'reopen'),
  params: { id: idOf('milestones') },
  body: MilestoneChanges,
  reply: ok(ChangedMilestone),
  faults: projectFaults,
  async handle({ params, body, expect, ...context }) {
    await updateMilestone(context, params.id, body, expect);
    return await readMilestone(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/project/milestone/delete/{id}', {
  summary: 'Delete a milestone',
  description: 'Deletes a milestone. Its tasks remain without a milestone.',
  access: milestoneStates.can('delete'),
  params: { id: idOf('milestones') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeMilestone(context, params.id),
});
