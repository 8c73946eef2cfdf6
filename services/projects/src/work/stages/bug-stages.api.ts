/** Bug stages are the columns of the bug board. A new project copies the stages of the workspace. */
import { can, page } from '@suite/chassis/operations';
import { inProjects } from '../../operations.ts';
import { Stage, StageChoice, StageChoiceFilter, StageFilter } from './stage.schema.ts';
import { stageOperations } from './stage-operations.ts';
import { listStages, pickBugStages } from './stage.view.ts';

const { query } = inProjects;

export const list = query('GET /api/project/bug-stages', {
  summary: 'List bug stages',
  description:
    'Returns the bug stages of a project in their order. `project_id[null]=true` returns the default stages of new projects.',
  access: can('stage.view'),
  query: StageFilter,
  reply: page(Stage),
  handle: ({ db, caller, query }) => listStages(db, caller, query, 'bug'),
});

export const pick = query('GET /api/bug-status-list', {
  summary: 'List bug stages for a picker',
  description:
    'Returns the bug stages of the project `project_id` for a picker. Without `project_id`, returns the default stages of new projects.',
  access: can('stage.view'),
  query: StageChoiceFilter,
  reply: page(StageChoice),
  handle: ({ db, query }) => pickBugStages(db, query),
});

export const { create, update, order, remove } = stageOperations('bug', {
  create: 'POST /api/project/bug-stage/create',
  update: 'POST /api/project/bug-stage/update/{id}',
  order: 'POST /api/project/bug-stage/order',
  remove: 'DELETE /api/project/bug-stage/delete/{id}',
});
