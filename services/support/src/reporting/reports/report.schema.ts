import { choice, Day, DecimalOut } from '@suite/chassis/fields';
import { z } from 'zod';

const count = z.int();
const percent = DecimalOut.nullable();

/** Groupings of report lines. */
export const GROUPS = ['day', 'agent', 'category', 'priority', 'channel'] as const;
export type Group = (typeof GROUPS)[number];

/** Charts of a report, by the metrics that they show. */
export const CHARTS = ['tickets', 'first_response', 'resolution', 'within_target', 'satisfaction'] as const;
export type ChartName = (typeof CHARTS)[number];

export const ReportSpan = {
  from: Day.optional().describe('First day of the period. Defaults to 29 days before the last day.'),
  to: Day.optional().describe(
    'Last day in the time zone of the workspace. At most today, and at most 366 days in all.',
  ),
  group_by: choice(...GROUPS).default('day'),
  chart: choice(...CHARTS)
    .default('tickets')
    .describe('Metric to draw as SVG or PNG.'),
};

const Durations = z
  .object({
    count: count.describe('Number of tickets, including those without an SLA target.'),
    average_seconds: count.nullable().describe('Average in working seconds. `null` without an SLA target.'),
    median_seconds: count.nullable(),
    p90_seconds: count.nullable().describe('90th percentile, in seconds.'),
    within_target_percent: percent,
  })
  .meta({ id: 'SupportReportDurations' });

/** Metrics of a span of days. */
const ReportMetrics = z.object({
  created: count,
  resolved: count.describe('Number of resolutions. A reopened ticket can be resolved again.'),
  reopened: count.describe('Number of reopened tickets, counted for the agent who had resolved them.'),
  reopened_percent: percent.describe('Percentage of resolved tickets that were reopened.'),
  backlog: count.describe('Tickets that were open at the end of the last day.'),
  first_response: Durations.describe('Number of missed first-response targets, counted for the agent who replied.'),
  resolution: Durations.describe('Number of missed resolution targets, counted for the assignee at the resolution.'),
  breaches: z
    .object({ first_response: count, resolution: count, next_response: count })
    .describe('SLA targets breached in the period, by due time.'),
  replies_per_resolution: DecimalOut.nullable().describe('Public agent replies between creation and resolution.'),
  satisfaction: z.object({ average: DecimalOut.nullable().describe('Average rating from 1 to 5.'), count }),
});

const ReportLine = ReportMetrics.extend({
  key: z.string().nullable().describe('Day, value or ID of the group. `null` for no agent or category.'),
  name: z.string(),
}).meta({ id: 'SupportReportLine' });

/** Report of the support desk over a span of days. */
export const SupportReport = z
  .object({
    today: Day,
    from: Day,
    to: Day,
    group_by: choice(...GROUPS),
    total: ReportMetrics.meta({ id: 'SupportReportFigures' }),
    lines: z.array(ReportLine).describe('One line per group. Grouped by day, days without tickets are included.'),
  })
  .meta({ id: 'SupportReport' });
export type SupportReport = z.input<typeof SupportReport>;
/** Report as displayed. */
export type DisplayedReport = z.output<typeof SupportReport>;
export type ReportMetrics = z.input<typeof ReportMetrics>;
export type ReportLine = z.input<typeof ReportLine>;
