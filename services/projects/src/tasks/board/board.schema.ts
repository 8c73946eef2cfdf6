/** Schemas of a board: the stages of a project as columns, its tasks or bugs as cards. */
import { choice, Day, Id, idOf, inner, input, refTo, ShortText } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { UserPortrait } from '@suite/user-copies';
import { z } from 'zod';
import { StageGroup } from '../../work/stages/stage.schema.ts';
import { workItemActions } from '../../work/work-items/card.rules.ts';

const Card = z
  .object({
    id: Id,
    key: z.string(),
    number: z.int(),
    title: z.string(),
    priority: choice('low', 'medium', 'high', 'urgent'),
    stage_id: Id,
    position: z
      .int()
      .nullable()
      .describe('Zero-based position in the column. `null` while a filter hides other cards.'),
    milestone_id: Id.nullable(),
    assignees: z.array(UserPortrait.omit({ kind: true })),
    due_date: Day.nullable(),
    is_overdue: z.boolean(),
    estimate_minutes: inner(z.int().nullable()),
    tracked_minutes: inner(z.int()),
    subtasks: z.object({ done: z.int(), total: z.int() }),
    comment_count: z.int(),
    file_count: z.int(),
    blocked: inner(z.boolean().describe('Whether an open item must be completed first.')),
    client_visible: z.boolean(),
    version: z.int(),
    allowed_actions: Actions(workItemActions.task),
  })
  .meta({ id: 'TaskCard' });

export const TaskBoard = z
  .object({
    project: z.object({
      id: Id,
      code: z.string(),
      name: z.string(),
      status: z.string(),
      allowed_actions: z
        .array(z.string().pipe(choice('create')))
        .describe('Contains `create` if the caller may add a card.'),
    }),
    columns: z.array(
      z.object({
        id: Id,
        name: z.string(),
        color: z.string(),
        group: StageGroup,
        order: z.int(),
        wip_limit: inner(z.int().nullable()),
        count: z
          .int()
          .describe(
            'Number of cards in the column that match the filter and that the caller can see, returned or not.',
          ),
        over_limit: inner(z.boolean()),
        tasks: z.array(Card),
      }),
    ),
  })
  .meta({ id: 'TaskBoard' });

const PER_COLUMN = 50;
const PER_COLUMN_MAX = 500;
const OFFSET_MAX = 100_000;

/** Returns the schema of an integer in a query string. */
const Whole = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, 'Enter a whole number.')
    .transform(Number)
    .pipe(z.int().min(least).max(most));
const Truth = z.stringbool({ truthy: ['true'], falsy: ['false'], error: 'Use true or false.' });

/** Filters of a board, without numbers and booleans, which are encoded differently. */
const filters = {
  type: choice('task', 'bug').default('task'),
  assignee_id: Id.optional(),
  milestone_id: Id.optional(),
  priority: choice('low', 'medium', 'high', 'urgent').optional(),
  tag: ShortText(50).min(1).optional(),
  parent_id: Id.optional(),
  q: ShortText(200).optional(),
};

export const BoardQuery = {
  stage_id: Id.optional().describe('ID of the stage whose further cards are returned.'),
  per_column: Whole(1, PER_COLUMN_MAX).default(PER_COLUMN),
  offset: Whole(0, OFFSET_MAX).default(0).describe('Number of cards to skip in each column.'),
  is_overdue: Truth.optional(),
  ...filters,
};

export const BoardRequest = input({
  project_id: idOf('projects'),
  stage_id: refTo('stages').optional().describe('ID of the stage whose further cards are returned.'),
  per_column: z.int().min(1).max(PER_COLUMN_MAX).default(PER_COLUMN),
  offset: z.int().min(0).max(OFFSET_MAX).default(0).describe('Number of cards to skip in each column.'),
  is_overdue: z.boolean().optional(),
  ...filters,
  assignee_id: refTo('users').optional(),
  milestone_id: refTo('milestones').optional(),
  parent_id: refTo('work_items').optional(),
});
export type BoardRequest = Omit<z.output<typeof BoardRequest>, 'project_id'>;
