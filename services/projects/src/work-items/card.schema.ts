/** Shapes of tasks and bugs. */
import {
  choice,
  Day,
  Id,
  idCheckedBy,
  idOf,
  inner,
  input,
  list,
  LongText,
  Name,
  PlannedDay,
  record,
  refTo,
  ShortText,
  Timestamp,
  version,
} from '@suite/chassis';
import { POSITIONS } from '@suite/ranks';
import { UserPortrait } from '@suite/users';
import { z } from 'zod';
import { StageGroup } from '../stages/stage.schema.ts';
import { WORK_ITEM_ACTIONS } from './card.rules.ts';

const Priority = choice('low', 'medium', 'high', 'urgent');
const Severity = choice('minor', 'major', 'critical', 'blocker');
const Resolution = choice('fixed', 'wont_fix', 'duplicate', 'cannot_reproduce');

/** The stage that one lies in, in a few words. */
const StageLabel = z
  .object({ id: Id, name: z.string(), color: z.string(), group: StageGroup })
  .meta({ id: 'ProjectStageLabel' });
const MilestoneLabel = z.object({ id: Id, title: z.string() }).meta({ id: 'MilestoneLabel' });

/** How a task comes back: an RFC 5545 rule in days, which begins with the day that it is due. */
const Recurrence = z
  .strictObject({
    rrule: ShortText(300).min(1).describe('`FREQ=WEEKLY;BYDAY=MO`; DAILY, WEEKLY, MONTHLY or YEARLY, without times.'),
    ends: PlannedDay.optional().describe('No task of the series is due after this day.'),
  })
  .meta({ id: 'TaskRecurrence', example: { rrule: 'FREQ=WEEKLY;BYDAY=MO' } });

const ShownRecurrence = z.object({ rrule: z.string(), ends: Day.optional() }).meta({ id: 'ShownTaskRecurrence' });

const shown = {
  project_id: Id,
  key: z.string().describe('The code of the project and the number in it.').meta({ example: 'WEB-12' }),
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
  is_overdue: z.boolean().describe("Due before today in the workspace's zone, and neither completed nor cancelled."),
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

/** A piece of work, as lists show it. */
export const Task = record({ ...shown, ...ofTasks, ...expanded }).meta({ id: 'Task' });
/** Something that does not work as it should, as lists show it. */
export const Bug = record({ ...shown, ...ofBugs, ...expanded }).meta({ id: 'Bug' });

const answered = {
  assignees: z.array(UserPortrait),
  stage: StageLabel.nullable(),
  milestone: MilestoneLabel.nullable(),
  position: z.int().nullable().describe(`Its place in its stage, from 0, for this caller; null behind ${POSITIONS}.`),
  allowed_actions: z.array(z.string().pipe(choice(...WORK_ITEM_ACTIONS))).describe('Actions available to the caller.'),
  over_limit: z.boolean().optional().describe('After a move: whether the stage has more cards than its limit.'),
  open_children: z.int().optional().describe('After it was completed: how many of its children are open.'),
};
/** A task as commands answer it. */
export const ChangedTask = Task.extend(answered).meta({ id: 'ChangedTask' });
/** A bug as commands answer it. */
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

/** The fields that bodies may set, at creation and later. Null clears a value. */
const facts = {
  description: LongText.nullable(),
  priority: Priority,
  stage_id: refTo('stages'),
  position: Position.describe('Zero-based position in the stage, among visible cards. Defaults to the end.'),
  milestone_id: refTo('milestones').nullable(),
  assignee_ids: z.array(idCheckedBy('the members of the project')).max(20).describe('Members who are no viewers.'),
  start_date: PlannedDay.nullable(),
  due_date: PlannedDay.nullable(),
  estimate_minutes: Minutes.nullable(),
  blocked_by: z.array(refTo('work_items')).max(50).describe('IDs of the items to complete first.'),
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
const known = { title: Name, external_id: ExternalId.optional() };

export const TaskInput = input({ ...known, ...optional, ...optionalTask, subtasks });
export const BugInput = input({ ...known, ...optional, ...optionalBug });

const changed = { title: Name.optional(), external_id: ExternalId.nullish(), ...optional };
export const TaskChanges = input({ ...changed, ...optionalTask, version });
export const BugChanges = input({
  ...changed,
  ...optionalBug,
  ...z.object(endingFacts).partial().shape,
  version,
});

/** A task as another system has it: changed when it is known, made otherwise. */
export const TaskSave = input({
  id: idOf('work_items').optional().describe('The task to change. Without it, one is made.'),
  ...changed,
  ...optionalTask,
  external_id: ExternalId.optional().describe('Instead of `id`: the name of the task in another system.'),
  project_id: refTo('projects').optional().describe('ID of the project. Required for a new task. Cannot change.'),
  subtasks,
  version,
});

/** Everything that a body may say of a task or a bug. */
export type WorkItemInput = z.output<typeof TaskInput> & Partial<z.output<typeof BugInput>> & Partial<Endings>;
export type WorkItemChanges = z.output<typeof TaskChanges> & Partial<z.output<typeof BugChanges>>;
export type TaskSave = z.output<typeof TaskSave>;
interface Endings {
  resolution: z.output<typeof Resolution> | null;
  duplicate_of: string | null;
}
