/** Stages: the columns through which tasks and bugs move. A project copies those of the workspace when it begins. */
import { can, page } from '@suite/chassis';
import { inProjects } from '../operations.ts';
import { Stage, StageFilter } from './stage.schema.ts';
import { listStages } from './stage.view.ts';

const { query } = inProjects;

export const listTaskStages = query('GET /api/project/task-stages', {
  summary: 'List stages of tasks',
  description: 'Those of a project, or with `project_id[null]=true` those that new projects begin with.',
  access: can('stage.view'),
  query: StageFilter,
  reply: page(Stage),
  handle: ({ db, query }) => listStages(db, query, 'task'),
});

export const listBugStages = query('GET /api/project/bug-stages', {
  summary: 'List stages of bugs',
  description: 'Those of a project, or with `project_id[null]=true` those that new projects begin with.',
  access: can('stage.view'),
  query: StageFilter,
  reply: page(Stage),
  handle: ({ db, query }) => listStages(db, query, 'bug'),
});
