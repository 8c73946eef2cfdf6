import { choice, Currency, Day, DecimalOut, Id, MoneyOut, record } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel, UserPortrait } from '@suite/user-copies';
import { z } from 'zod';
import { PROJECT_ROLES } from '../work/access/project.rules.ts';
import { Project, ProjectStatus } from '../projects/projects/project.schema.ts';
import { StageGroup } from '../work/stages/stage.schema.ts';

const count = z.int();
const minutes = z.int();
const money = MoneyOut.nullable();
const percent = DecimalOut.nullable();
const HIDDEN = '`null` for users who do not manage the project.';

/** Charts of a report, by the displayed part. */
export const CHARTS = ['burn_up', 'planned_tracked', 'stages', 'members', 'cost'] as const;
export type ChartName = (typeof CHARTS)[number];

export const ReportSpan = {
  from: Day.optional().describe('First day of the burn-up. Defaults to the first day of the project.'),
  to: Day.optional().describe(
    'Last day of the burn-up, at most 366 days after the first. Defaults to the last day of the project, or today.',
  ),
  chart: choice(...CHARTS)
    .default('burn_up')
    .describe('Part to draw as SVG or PNG.'),
};

/** Task listed in a report. */
const TaskLabel = z.object({ id: Id, key: z.string(), title: z.string() });

const PlannedTracked = z
  .object({
    planned_minutes: minutes.describe('Estimated minutes of the tasks that are not cancelled.'),
    tracked_minutes: minutes.describe('Time on the project, its tasks and its bugs, without running timers.'),
    remaining_minutes: minutes.describe(
      'Estimated minutes of the open tasks less the tracked minutes of each, at least 0.',
    ),
    over: z
      .array(TaskLabel.extend({ estimate_minutes: minutes, tracked_minutes: minutes }))
      .describe('First 100 tasks that exceeded their estimate the most.'),
    unestimated: count.describe('Number of tasks without an estimate that are not cancelled.'),
  })
  .meta({ id: 'ReportPlannedTracked' });

const Cost = z
  .object({
    currency: Currency,
    budget: money,
    time_cost: money.describe('Cost of the tracked time, at its cost rates.'),
    expenses: money.describe('Expenses in finance, net, in the currency of the project.'),
    unconverted_expenses: count
      .nullable()
      .describe('Expenses in currencies without an exchange rate. They are not part of any total.'),
    cost: money.describe('Time and expenses.'),
    billable_amount: money.describe('Billable time that is not invoiced, rounded. Rejected time is not included.'),
    invoiced_amount: money,
    variance: money.describe('Budget less the cost. `null` without a budget.'),
    used_percent: percent.describe('Used part of the budget in percent. `null` without a budget.'),
    over_budget: z.boolean().nullable(),
  })
  .describe(`Amounts are \`null\` if the caller does not manage the project.`)
  .meta({ id: 'ReportCost' });

const StageFigures = z
  .object({
    stage_id: Id,
    name: z.string(),
    color: z.string(),
    group: StageGroup,
    count,
    estimate_minutes: minutes,
    tracked_minutes: minutes,
  })
  .meta({ id: 'ReportStage' });

const MemberFigures = z
  .object({
    user: UserLabel,
    role: choice(...PROJECT_ROLES)
      .nullable()
      .describe('Role in the project. `null` for former members.'),
    open: count.describe('Number of tasks that are neither completed nor cancelled.'),
    completed: count,
    overdue: count,
    tracked_minutes: minutes
      .nullable()
      .describe('Tracked time in minutes. `null` for the time of others unless the caller manages the project.'),
    billable_minutes: minutes.nullable(),
    utilisation: DecimalOut.nullable().describe('Billable time ÷ tracked time. `null` without time.'),
  })
  .meta({ id: 'ReportMember' });

const Overdue = z
  .object({
    total: count,
    tasks: z
      .array(
        TaskLabel.extend({
          due_date: Day,
          days_late: count.describe("Calendar days in the workspace's time zone."),
          assignees: z.array(UserPortrait),
        }),
      )
      .describe('First 100 overdue tasks, oldest first.'),
  })
  .meta({ id: 'ReportOverdue' });

const BurnUpDay = z
  .object({
    day: Day,
    scope: count
      .nullable()
      .describe('Number of tasks at the end of the day, without cancelled tasks. `null` for future days.'),
    completed: count.nullable(),
    ideal: DecimalOut.nullable().describe(
      'Ideal progress: a line from 0 on the first day to the scope on the last one.',
    ),
  })
  .meta({ id: 'BurnUpDay' });

const BugFigures = z
  .object({
    opened: count,
    closed: count.describe('Number of bugs that were resolved or rejected.'),
    open: z.object({ minor: count, major: count, critical: count, blocker: count }),
    median_seconds_to_resolve: z.int().nullable(),
  })
  .meta({ id: 'ReportBugs' });

/** All metrics of a project, for its team. */
export const ProjectReport = z
  .object({
    project: z.object({ id: Id, code: z.string(), name: z.string(), status: ProjectStatus }),
    today: Day.describe("Day in the workspace's time zone."),
    from: Day,
    to: Day,
    planned_tracked: PlannedTracked,
    cost: Cost,
    stages: z.object({ tasks: z.array(StageFigures), bugs: z.array(StageFigures) }),
    members: z.array(MemberFigures),
    overdue: Overdue,
    burn_up: z
      .array(BurnUpDay)
      .describe('Completed and total work on each day of the period, in the time zone of the workspace.'),
    bugs: BugFigures.nullable().describe('Totals of bugs. `null` without the permission to view bugs.'),
  })
  .meta({ id: 'ProjectReport' });
export type ProjectReport = z.input<typeof ProjectReport>;
/** Report as displayed. */
export type ReportView = z.output<typeof ProjectReport>;

/** Metrics of a project in a list. */
export const ProjectFigures = record({
  project: z.object({ id: Id, code: z.string(), name: z.string() }),
  status: ProjectStatus,
  progress: Project.shape.progress,
  start_date: Day.nullable(),
  end_date: Day.nullable(),
  planned_minutes: minutes.describe('Estimated minutes of the tasks that are not cancelled.'),
  tracked_minutes: minutes.describe('Minutes on the project, its tasks and its bugs, without running timers.'),
  currency: Currency,
  budget: money.describe(HIDDEN),
  cost: money.describe(HIDDEN),
  used_percent: percent,
  overdue: count.describe('Number of overdue tasks.'),
  open_bugs: count,
  health: Project.shape.health,
})
  .omit({ version: true, created_by: true, updated_by: true })
  .meta({ id: 'ProjectFigures' });

/** Row with the additional fields for filtering and sorting. */
const Row = ProjectFigures.extend({
  name: z.string(),
  code: z.string(),
  active: z.boolean(),
  customer_id: Id.nullable(),
});

export const ProjectFiguresFilter = list(Row, {
  filter: ['status', 'health', 'active', 'customer_id', 'start_date', 'end_date'],
  through: { member_id: { table: 'project_members', key: 'project_id', column: 'user_id' } },
  sort: ['created_at', 'updated_at', 'name', 'code', 'status', 'start_date', 'end_date', 'progress'],
  search: true,
});
