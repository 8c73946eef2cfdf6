import {
  choice,
  Color,
  Currency,
  Day,
  DecimalOut,
  Id,
  foreignId,
  idOf,
  inner,
  input,
  LongText,
  Money,
  MoneyOut,
  Name,
  PlannedDay,
  record,
  refTo,
  ShortText,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { PROJECT_ROLES, projectStates } from '../../work/access/project.rules.ts';
import { Activity } from '../../work/activities/activity.schema.ts';
import { ProjectClient } from '../../work/clients/client.schema.ts';
import { ProjectFile } from '../../work/files/file.schema.ts';
import { ProjectMember } from '../members/member.schema.ts';
import { Milestone } from '../milestones/milestone.schema.ts';
import { Stage } from '../../work/stages/stage.schema.ts';

export const ProjectStatus = choice('not_started', 'in_progress', 'on_hold', 'finished', 'cancelled');
export const Health = choice('on_track', 'at_risk', 'off_track');
const Sight = choice('members', 'workspace').describe(
  'Readers of the project: its members, or all staff with the permission to view projects.',
);
const WipPolicy = choice('refuse', 'warn').describe('Handling of cards beyond the limit of a stage.');
const HIDDEN = '`null` for users who do not manage the project.';

/** Project, as returned in lists. */
export const Project = record({
  code: z.string().describe('Prefix of the task numbers.'),
  name: z.string(),
  description: z.string().nullable(),
  status: ProjectStatus,
  start_date: Day.nullable(),
  end_date: Day.nullable(),
  is_overdue: z
    .boolean()
    .describe('Whether the end date has passed and the project is neither finished nor cancelled.'),
  progress: z.int().describe('Percentage of completed tasks. Excludes cancelled tasks.'),
  active: z.boolean().describe('`false` for an archived project.'),
  color: z.string().nullable(),
  budget: inner(MoneyOut.nullable().describe(HIDDEN)),
  currency: inner(Currency),
  hourly_rate: inner(MoneyOut.nullable().describe(HIDDEN)),
  billable: inner(z.boolean()),
  customer_id: inner(Id.nullable()),
  customer_name: inner(z.string().nullable()),
  visibility: inner(Sight),
  health: inner(Health.nullable()),
  tags: inner(z.array(z.string())),
  wip_policy: inner(WipPolicy),
  deal_id: inner(Id.nullable()),
  is_template: inner(z.boolean()),
  template_id: inner(Id.nullable()),
  external_id: inner(z.string().nullable()),
  allowed_actions: Actions(projectStates),
  members: z.array(ProjectMember).optional(),
  clients: z.array(ProjectClient).optional(),
  milestones: z.array(Milestone).optional(),
  stages: z.array(Stage).optional(),
  files: z.array(ProjectFile).optional(),
  activity: z.array(Activity).optional(),
}).meta({ id: 'Project' });

const expansions = ['members', 'clients', 'milestones', 'stages', 'files', 'activity'] as const;

/** Project columns without the fields that are loaded on demand. */
export const ProjectColumns = Project.omit({
  members: true,
  clients: true,
  milestones: true,
  stages: true,
  files: true,
  activity: true,
});

const count = z.int();

/** Project with all details. */
export const ProjectDetails = Project.required({
  members: true,
  clients: true,
  milestones: true,
  stages: true,
  files: true,
  activity: true,
})
  .extend({
    counts: z
      .object({ tasks: count, open_tasks: count, overdue_tasks: count, bugs: count, open_bugs: count })
      .describe('Numbers of cards that the caller can see.'),
    time: inner(
      z.object({
        planned_minutes: count.describe('Estimated minutes of the tasks that are not cancelled.'),
        tracked_minutes: count.describe(
          'Minutes tracked on the project, its tasks and bugs. Running timers are not included.',
        ),
        billable_minutes: count,
        mine_minutes: count.describe('Minutes of the caller on the project, its tasks and its bugs.'),
        running: Id.nullable().describe("ID of the caller's running timer in the project. `null` without one."),
      }),
    ),
    pending_effects: inner(
      z
        .array(choice('invoice_time', 'release_time'))
        .describe(
          'Requests to finance that are not confirmed yet: to invoice time, or to release the time of an invoice.',
        ),
    ),
    cost: inner(MoneyOut.nullable().describe(`Cost of time and expenses. ${HIDDEN}`)),
    used_percent: inner(DecimalOut.nullable().describe('Used part of the budget in percent. `null` without a budget.')),
    over_budget: inner(z.boolean().nullable()),
  })
  .meta({ id: 'ProjectDetails' });

/** Project in the response of a change. */
export const ChangedProject = ProjectColumns.extend({
  members: z.array(ProjectMember),
  clients: z.array(ProjectClient),
  open_tasks: inner(count.describe('Number of tasks that are neither completed nor cancelled.')),
}).meta({ id: 'ChangedProject' });

const filters = [
  'status',
  'active',
  'customer_id',
  'health',
  'tags',
  'start_date',
  'end_date',
  'is_overdue',
  'is_template',
  'external_id',
  'deal_id',
  'created_at',
] as const;
const people = {
  member_id: { table: 'project_members', key: 'project_id', column: 'user_id' },
  client_id: { table: 'project_clients', key: 'project_id', column: 'user_id' },
};

export const ProjectFilter = list(Project, {
  filter: filters,
  through: people,
  sort: ['created_at', 'updated_at', 'name', 'code', 'status', 'start_date', 'end_date', 'progress'],
  search: true,
  expand: expansions,
});

/** Project for selection. */
export const ProjectChoice = z
  .object({
    id: Id,
    code: z.string(),
    name: z.string(),
    status: ProjectStatus,
    color: z.string().nullable(),
  })
  .meta({ id: 'ProjectChoice' });

/** Purpose of the project choice: viewing or working. */
const Purpose = choice('work', 'view').describe(
  'Defaults to `work`: projects that accept tasks or time entries from you.',
);

export const ProjectChoiceFilter = list(ProjectChoice.extend({ for: Purpose, updated_at: Project.shape.updated_at }), {
  filter: ['for', 'status'],
  sort: ['name', 'code', 'status'],
  order: 'name',
  search: true,
});

const Code = z
  .string()
  .regex(/^[A-Z][A-Z0-9]{1,9}$/, 'Use 2 to 10 characters: A-Z and 0-9, starting with A-Z.')
  .describe('Prefix of task numbers. Defaults to an abbreviation of the name.');

/** Project member to add. */
export const MemberOfProject = input({
  user_id: foreignId('platform.user'),
  role: choice(...PROJECT_ROLES).default('member'),
  hourly_rate: Money.nullish(),
  cost_rate: Money.nullish(),
});

/** Project fields that requests can set, at creation and later. Null clears a value. */
const facts = {
  code: Code,
  description: LongText.nullable(),
  start_date: PlannedDay.nullable(),
  end_date: PlannedDay.nullable(),
  budget: Money.nullable(),
  currency: Currency.describe('Defaults to the base currency of the workspace.'),
  customer_id: foreignId('finance.customer').nullable(),
  hourly_rate: Money.nullable(),
  billable: z.boolean(),
  visibility: Sight,
  color: Color.nullable(),
  tags: z.array(ShortText(50).min(1)).max(20),
  wip_policy: WipPolicy,
  is_template: z.boolean(),
  members: z.array(MemberOfProject).max(200),
  client_ids: z.array(foreignId('platform.user')).max(200),
};
const optional = z.object(facts).partial().shape;
const origin = {
  deal_id: foreignId('crm.deal').optional(),
  template_id: refTo('projects')
    .optional()
    .describe('ID of a template. The project copies its stages, milestones and tasks.'),
};
const ExternalId = ShortText().min(1);

/** New status of a project in a request. */
export const ProjectStatusRequest = stateRequest(projectStates, ProjectStatus.options, [
  ...(['start', 'hold', 'resume', 'finish', 'reopen', 'cancel'] as const),
]).describe('New status, or the action from `allowed_actions` that leads to it.');

export const ProjectInput = input({
  name: Name,
  status: choice('not_started', 'in_progress').default('not_started'),
  ...optional,
  ...origin,
  external_id: ExternalId.optional(),
});

const changes = {
  name: Name.optional(),
  ...optional,
  health: Health.nullish(),
  active: z.boolean().optional().describe('`false` archives the project.'),
  version,
};

export const ProjectChanges = input({
  ...changes,
  external_id: ExternalId.nullish(),
  status: ProjectStatusRequest.optional(),
});

/** Project from a form or another system. A known project is updated, an unknown one is created. */
export const ProjectSave = input({
  id: idOf('projects').optional().describe('ID of the project to update. Omit it to create a project.'),
  external_id: ExternalId.optional().describe('ID of the project in another system. Use instead of `id`.'),
  ...changes,
  ...origin,
  status: ProjectStatus.optional().describe(
    'Status of a new project: `not_started` or `in_progress`. Use project-status-update for an existing project.',
  ),
});

export type ProjectInput = z.output<typeof ProjectInput>;
export type ProjectChanges = z.output<typeof ProjectChanges>;
export type ProjectSave = z.output<typeof ProjectSave>;
export type MemberOfProject = z.output<typeof MemberOfProject>;
