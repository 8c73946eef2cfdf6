import { choice, Color, Id, idCheckedBy, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { stageActions } from './stage.rules.ts';

/** Position of stages in the life of a task. Completed and cancelled stages end the task. */
export const StageGroup = choice('backlog', 'unstarted', 'started', 'completed', 'cancelled');

/** Column of a board. Stages without a project are the default set that new projects copy. */
export const Stage = record({
  kind: choice('task', 'bug'),
  project_id: refTo('projects').nullable(),
  name: z.string(),
  color: z.string(),
  order: z.int().describe('Zero-based position in the set of stages, without gaps.'),
  group: StageGroup,
  is_default: z.boolean().describe('Whether new cards start in this stage.'),
  wip_limit: z.int().nullable().describe('Maximum number of cards in the stage.'),
  count: z.int().describe('Number of cards in the stage that are visible to the caller.'),
  allowed_actions: Actions(stageActions),
}).meta({ id: 'ProjectStage' });

export const StageFilter = list(Stage, {
  filter: ['project_id', 'group', 'is_default'],
  sort: ['order', 'name'],
  search: true,
});

/** Stage for selection. */
export const StageChoice = z
  .object({ id: Id, name: z.string(), color: z.string(), group: StageGroup, order: z.int() })
  .meta({ id: 'ProjectStageChoice' });

export const StageChoiceFilter = list(
  StageChoice.extend({ project_id: refTo('projects').nullable(), updated_at: Stage.shape.updated_at }),
  { filter: ['project_id', 'group'], sort: ['order', 'name'], search: true },
);

const facts = {
  color: Color.optional(),
  order: z.int().min(0).max(999).optional().describe('Zero-based position. Defaults to the end.'),
  wip_limit: z.int().min(1).max(999).nullish(),
  is_default: z
    .boolean()
    .optional()
    .describe('Whether new cards start in this stage. Replaces the previous default stage.'),
};

const BoardProject = refTo('projects')
  .optional()
  .describe('ID of the project of the board. Omit it for the default stages of the workspace.');

export const StageInput = input({ project_id: BoardProject, name: Name, group: StageGroup, ...facts });

export const StageChanges = input({ name: Name.optional(), group: StageGroup.optional(), ...facts, version });

export const StageOrder = input({
  project_id: BoardProject,
  stage_ids: z
    .array(idCheckedBy('the order'))
    .min(1)
    .max(100)
    .describe('IDs of all stages of the set, in the new order.'),
});

/** Stage that receives the cards of a deleted one. */
export const StageRemoval = {
  move_to: Id.optional().describe('Stage of the same set that receives the cards.'),
};

export type StageInput = z.output<typeof StageInput>;
export type StageChanges = z.output<typeof StageChanges>;
export type StageOrder = z.output<typeof StageOrder>;
