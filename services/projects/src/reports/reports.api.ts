/** Project reports: planned and tracked time, cost and progress. Visible to the team only. */
import { idOf } from '@suite/chassis/fields';
import { can, ok, page } from '@suite/chassis/operations';
import { chartFormats } from '@suite/charts';
import { inProjects } from '../operations.ts';
import { chartOf } from './report-charts.ts';
import { listMetrics } from './project-metrics.view.ts';
import {
  type ChartName,
  ProjectFigures,
  ProjectFiguresFilter,
  ProjectReport,
  ReportSpan,
  type ReportView,
} from './report.schema.ts';
import { showReport } from './report.view.ts';

const { query } = inProjects;

export const show = query('GET /api/project/report/{id}', {
  summary: 'Get the report of a project',
  description:
    'Returns planned and tracked time, cost, stages, members, late tasks, burn-up and bugs. Amounts are visible to managers only. Send `Accept: image/svg+xml` or `image/png` to get the chart named in `chart`.',
  access: can('report.view'),
  params: { id: idOf('projects') },
  query: ReportSpan,
  reply: ok(ProjectReport),
  handle: ({ params, query, ...context }) => showReport(context, params.id, query),
  formats: chartFormats(({ record, query }: { record: ReportView; query: { chart: ChartName } }) =>
    chartOf(record, query.chart),
  ),
});

export const list = query('GET /api/project/reports', {
  summary: 'List project reports',
  description:
    'Returns one row per project. `meta.sums.by_currency` adds up the money of the projects that you manage.',
  access: can('report.view'),
  query: ProjectFiguresFilter,
  reply: page(ProjectFigures),
  handle: ({ db, caller, query }) => listMetrics(db, caller, query),
});
