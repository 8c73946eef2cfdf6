/** Task stages are the columns of the task board. A new project copies the stages of the workspace. */
import { can, page } from '@suite/chassis/operations';
import { inProjects } from '../../operations.ts';
import { Stage, StageFilter } from './stage.schema.ts';
import { stageOperations } from './stage-operations.ts';
import { listStages } from './stage.view.ts';

const { query } = inProjects;

export const list = query('GET /api/project/task-stages', {
  summary: 'List task stages',
  description:
    'Returns the task stages of a project in their order. `project_id[null]=true` returns the default stages of new projects.',
  access: can('stage.view'),
  query: StageFilter,
  reply: page(Stage),
  handle: ({ db, caller, query }) => listStages(db, caller, query, 'task'),
});

export const { create, update, order, remove } = stageOperations('task', {
  create: 'POST /api/project/task-stage/create',
  update: 'POST /api/project/task-stage/update/{id}',
  order: 'POST /api/project/task-stage/order',
  remove: 'DELETE /api/project/task-stage/delete/{id}',
});
