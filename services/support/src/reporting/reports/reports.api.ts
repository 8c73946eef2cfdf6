/** Support reports: created and resolved tickets, response times and SLA results. For agents who see all tickets. */
import { can, ok } from '@suite/chassis/operations';
import { chartFormats } from '@suite/charts';
import { query } from '../../operations.ts';
import { chartOf } from './report-charts.ts';
import { type ChartName, ReportSpan, type DisplayedReport, SupportReport } from './report.schema.ts';
import { showReport } from './report.view.ts';

export const show = query('GET /api/support-ticket/reports', {
  summary: 'Get the support reports',
  description:
    'Returns created, resolved and reopened tickets, response times, SLA breaches and satisfaction, by `group_by`. Totals of past days change only with deleted tickets and replaced ratings. Send `Accept: image/svg+xml` or `image/png` to get the chart named in `chart`.',
  addition: 'Managers compare SLA targets with actual times.',
  access: can('report.view'),
  query: ReportSpan,
  reply: ok(SupportReport),
  handle: ({ db, caller, query }) => showReport(db, caller, query),
  formats: chartFormats(({ record, query }: { record: DisplayedReport; query: { chart: ChartName } }) =>
    chartOf(record, query.chart),
  ),
});
