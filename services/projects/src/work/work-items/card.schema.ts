/** Schemas of tasks and bugs. */
import {
  choice,
  Day,
  Id,
  idCheckedBy,
  idOf,
  inner,
  input,
  LongText,
  Name,
  PlannedDay,
  record,
  refTo,
  ShortText,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { POSITIONS } from '@suite/chassis/ranks';
import { UserPortrait } from '@suite/user-copies';
import { z } from 'zod';
import { StageGroup } from '../stages/stage.schema.ts';
import { workItemActions } from './card.rules.ts';

const Priority = choice('low', 'medium', 'high', 'urgent');
const Severity = choice('minor', 'major', 'critical', 'blocker');
const Resolution = choice('fixed', 'wont_fix', 'duplicate', 'cannot_reproduce');

/** Stage of a card, in short form. */
const StageLabel = z
  .object({ id: Id, name: z.string(), color: z.string(), group: StageGroup })
  .meta({ id: 'ProjectStageLabel' });
const MilestoneLabel = z.object({ id: Id, title: z.string() }).meta({ id: 'MilestoneLabel' });

/** Recurrence of a task: an RFC 5545 rule in days, starting with the due date. */
const Recurrence = z
  .strictObject({
    rrule: ShortText(300)
      .min(1)
      .describe('Recurrence rule (RFC 5545), daily or slower and without times, such as `FREQ=WEEKLY;BYDAY=MO`.'),
    ends: PlannedDay.optional().describe('Last due date of the series. Omit it for no end.'),
  })
  .meta({ id: 'TaskRecurrence', example: { rrule: 'FREQ=WEEKLY;BYDAY=MO' } });

const ShownRecurrence = z.object({ rrule: z.string(), ends: Day.optional() }).meta({ id: 'ShownTaskRecurrence' });

const shown = {
  project_id: Id,
  key: z.string().describe('Key of the task or bug: project code and number.').meta({ example: 'WEB-12' }),
  number: z.int(),
  title: z.string(),
  description: z.string().nullable(),
  priority: Priority,
  stage_id: Id,
  group: StageGroup,
  stage_since: Timestamp,
  milestone_id: Id.nullable(),
  start_date: Day.nullable(),
  due_date: Day.nullable(),
  is_overdue: z
    .boolean()
    .describe('Whether the task or bug was due before today and is neither completed nor cancelled.'),
  estimate_minutes: inner(z.int().nullable()),
  tracked_minutes: inner(z.int()),
  tags: z.array(z.string()),
  client_visible: z.boolean(),
  billable: inner(z.boolean().nullable()),
  external_id: inner(z.string().nullable()),
  completed_at: Timestamp.nullable(),
};
const expanded = {
  assignees: z.array(UserPortrait).optional(),
  stage: StageLabel.nullable().optional(),
  milestone: MilestoneLabel.nullable().optional(),
};
const ofTasks = { parent_id: Id.nullable(), recurrence: ShownRecurrence.nullable(), series_id: inner(Id.nullable()) };
const ofBugs = {
  severity: Severity,
  environment: z.string().nullable(),
  steps: z.string().nullable(),
  resolution: Resolution.nullable(),
  duplicate_of: inner(Id.nullable()),
  reporter_id: Id.nullable(),
};

/** Task, as returned in lists. */
export const Task = record({ ...shown, ...ofTasks, allowed_actions: Actions(workItemActions.task), ...expanded }).meta({
  id: 'Task',
});
/** Bug, as returned in lists. */
export const Bug = record({ ...shown, ...ofBugs, allowed_actions: Actions(workItemActions.bug), ...expanded }).meta({
  id: 'Bug',
});

const answered = {
  assignees: z.array(UserPortrait),
  stage: StageLabel.nullable(),
  milestone: MilestoneLabel.nullable(),
  position: z
    .int()
    .nullable()
    .describe(
      `Zero-based position in the stage, among the cards visible to the caller. \`null\` beyond ${POSITIONS.toLocaleString('en')}.`,
    ),
  over_limit: z.boolean().optional().describe('Whether the stage exceeds its card limit after the move.'),
  open_children: z.int().optional().describe('Number of open child tasks after the completion of a task.'),
};
/** Task in the response of a change. */
export const ChangedTask = Task.extend(answered).meta({ id: 'ChangedTask' });
/** Bug in the response of a change. */
export const ChangedBug = Bug.extend(answered).meta({ id: 'ChangedBug' });

const filter = [
  'project_id',
  'number',
  'title',
  'priority',
  'stage_id',
  'group',
  'milestone_id',
  'start_date',
  'due_date',
  'is_overdue',
  'completed_at',
  'tags',
  'client_visible',
  'external_id',
  'created_by',
  'created_at',
] as const;
const grammar = {
  sort: ['created_at', 'updated_at', 'due_date', 'start_date', 'number', 'title', 'completed_at'],
  search: true,
  expand: ['assignees', 'stage', 'milestone'],
  through: { assignee_id: { table: 'assignees', key: 'item_id', column: 'user_id' } },
} as const;
export const TaskFilter = list(Task, { ...grammar, filter: [...filter, 'parent_id'] });
export const BugFilter = list(Bug, { ...grammar, filter: [...filter, 'severity', 'resolution', 'reporter_id'] });

const Minutes = z.int().min(0).max(600_000);
const ExternalId = ShortText().min(1);
const Position = z.int().min(0).max(1_000_000);

/** Fields that requests can set, at creation and later. Null clears a value. */
const facts = {
  description: LongText.nullable(),
  priority: Priority,
  stage_id: refTo('stages'),
  position: Position.describe('Zero-based position in the stage, among visible cards. Defaults to the end.'),
  milestone_id: refTo('milestones').nullable(),
  assignee_ids: z
    .array(idCheckedBy('the members of the project'))
    .max(20)
    .describe('IDs of members of the project, except viewers.'),
  start_date: PlannedDay.nullable(),
  due_date: PlannedDay.nullable(),
  estimate_minutes: Minutes.nullable(),
  blocked_by: z.array(refTo('work_items')).max(50).describe('IDs of the tasks and bugs that must be completed first.'),
  tags: z.array(ShortText(50).min(1)).max(20),
  client_visible: z.boolean(),
  billable: z.boolean().nullable(),
};
const taskFacts = { parent_id: refTo('work_items').nullable(), recurrence: Recurrence.nullable() };
const bugFacts = { severity: Severity, environment: LongText.nullable(), steps: LongText.nullable() };
const endingFacts = { resolution: Resolution.nullable(), duplicate_of: refTo('work_items').nullable() };
const optional = z.object(facts).partial().shape;
const optionalTask = z.object(taskFacts).partial().shape;
const optionalBug = z.object(bugFacts).partial().shape;
const subtasks = z
  .array(input({ name: Name, due: PlannedDay.nullish() }))
  .max(100)
  .optional();
const saveFields = { title: Name, external_id: ExternalId.optional() };

export const TaskInput = input({ ...saveFields, ...optional, ...optionalTask, subtasks });
export const BugInput = input({ ...saveFields, ...optional, ...optionalBug });

const changed = { title: Name.optional(), external_id: ExternalId.nullish(), ...optional };
export const TaskChanges = input({ ...changed, ...optionalTask, version });
export const BugChanges = input({
  ...changed,
  ...optionalBug,
  ...z.object(endingFacts).partial().shape,
  version,
});

/** Task from another system. A known task is updated, an unknown one is created. */
export const TaskSave = input({
  id: idOf('work_items').optional().describe('ID of the task to update.'),
  ...changed,
  ...optionalTask,
  external_id: ExternalId.optional().describe('ID of the task in another system. Use instead of `id`.'),
  project_id: refTo('projects').optional().describe('ID of the project. Required for a new task. Cannot change.'),
  subtasks,
  version,
});

/** Request fields of a task or a bug. */
export type WorkItemInput = z.output<typeof TaskInput> & Partial<z.output<typeof BugInput>> & Partial<StoredResolution>;
export type WorkItemChanges = z.output<typeof TaskChanges> & Partial<z.output<typeof BugChanges>>;
export type TaskSave = z.output<typeof TaskSave>;
interface StoredResolution {
  resolution: z.output<typeof Resolution> | null;
  duplicate_of: string | null;
}
