import { choice, list, record, refTo } from '@suite/chassis';
import { z } from 'zod';

/** Where the stages of a group stand in the life of a task: completed and cancelled ones end it. */
export const StageGroup = choice('backlog', 'unstarted', 'started', 'completed', 'cancelled');

/** A column of a board. Those without a project are the pattern that new projects copy. */
export const Stage = record({
  project_id: refTo('projects').nullable(),
  name: z.string(),
  color: z.string(),
  order: z.int().describe('From 0, without a gap, among the stages of its set.'),
  group: StageGroup,
  is_default: z.boolean().describe('Whether new cards lie here.'),
  wip_limit: z.int().nullable().describe('The most cards that the stage takes.'),
}).meta({ id: 'ProjectStage' });

export const StageFilter = list(Stage, {
  filter: ['project_id', 'group', 'is_default'],
  sort: ['order', 'name'],
  search: true,
});
