/** Charts of a report. */
import type { Chart, ChartSeries } from '@suite/charts';
import type { ChartName, DisplayedReport } from './report.schema.ts';

type DisplayedLine = DisplayedReport['lines'][number];

const COLORS = { blue: '#3b82f6', green: '#22c55e', grey: '#94a3b8', red: '#ef4444', amber: '#f59e0b' };

const toHours = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round((seconds / 3600) * 100) / 100;

type Measure = (line: DisplayedLine) => number | null;

/** Converts a decimal for drawing only, not for calculation. */
const toNumber = (value: string | null): number | null => (value === null ? null : Number(value));

const durationMeasures = (target: 'first_response' | 'resolution'): [string, string, Measure][] => [
  ['Average', COLORS.blue, (line) => toHours(line[target].average_seconds)],
  ['Median', COLORS.green, (line) => toHours(line[target].median_seconds)],
  ['90 %', COLORS.amber, (line) => toHours(line[target].p90_seconds)],
];

const CHART_DEFINITIONS: Record<ChartName, { title: string; unit: string; measures: [string, string, Measure][] }> = {
  tickets: {
    title: 'Tickets',
    unit: 'tickets',
    measures: [
      ['Created', COLORS.blue, ({ created }) => created],
      ['Resolved', COLORS.green, ({ resolved }) => resolved],
      ['Reopened', COLORS.red, ({ reopened }) => reopened],
      ['Backlog', COLORS.grey, ({ backlog }) => backlog],
    ],
  },
  first_response: { title: 'First response', unit: 'h', measures: durationMeasures('first_response') },
  resolution: { title: 'Resolution', unit: 'h', measures: durationMeasures('resolution') },
  within_target: {
    title: 'Within target',
    unit: '%',
    measures: [
      ['First response', COLORS.blue, (line) => toNumber(line.first_response.within_target_percent)],
      ['Resolution', COLORS.green, (line) => toNumber(line.resolution.within_target_percent)],
    ],
  },
  satisfaction: {
    title: 'Satisfaction',
    unit: '1–5',
    measures: [['Average', COLORS.green, (line) => toNumber(line.satisfaction.average)]],
  },
};

/** Returns the chart of a report: lines for days, bars for other groups. */
export function chartOf({ group_by, lines, from, to }: DisplayedReport, name: ChartName): Chart {
  const { title, unit, measures } = CHART_DEFINITIONS[name];
  const shape: ChartSeries['shape'] = group_by === 'day' ? 'line' : 'bar';
  return {
    title: `${title}, ${from} to ${to}`,
    axis: lines.map((line) => line.name),
    unit,
    series: measures.map(([label, color, measure]) => ({ name: label, color, shape, values: lines.map(measure) })),
  };
}
