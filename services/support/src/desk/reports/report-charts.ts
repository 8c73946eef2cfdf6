/** Charts of a report. */
import type { Chart, ChartSeries } from '@suite/charts';
import type { ChartName, ShownReport } from './report.schema.ts';

type Line = ShownReport['lines'][number];

const COLORS = { blue: '#3b82f6', green: '#22c55e', grey: '#94a3b8', red: '#ef4444', amber: '#f59e0b' };

const hoursOf = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round((seconds / 3600) * 100) / 100;

type Measure = (line: Line) => number | null;

/** Converts a decimal for drawing only, not for calculation. */
const lengthOf = (value: string | null): number | null => (value === null ? null : Number(value));

const durations = (target: 'first_response' | 'resolution'): [string, string, Measure][] => [
  ['Average', COLORS.blue, (line) => hoursOf(line[target].average_seconds)],
  ['Median', COLORS.green, (line) => hoursOf(line[target].median_seconds)],
  ['90 %', COLORS.amber, (line) => hoursOf(line[target].p90_seconds)],
];

const DRAWN: Record<ChartName, { title: string; unit: string; measures: [string, string, Measure][] }> = {
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
  first_response: { title: 'First response', unit: 'h', measures: durations('first_response') },
  resolution: { title: 'Resolution', unit: 'h', measures: durations('resolution') },
  within_target: {
    title: 'Within target',
    unit: '%',
    measures: [
      ['First response', COLORS.blue, (line) => lengthOf(line.first_response.within_target_percent)],
      ['Resolution', COLORS.green, (line) => lengthOf(line.resolution.within_target_percent)],
    ],
  },
  satisfaction: {
    title: 'Satisfaction',
    unit: '1–5',
    measures: [['Average', COLORS.green, (line) => lengthOf(line.satisfaction.average)]],
  },
};

/** Returns the chart of a report: lines for days, bars for other groups. */
export function chartOf({ group_by, lines, from, to }: ShownReport, name: ChartName): Chart {
  const { title, unit, measures } = DRAWN[name];
  const shape: ChartSeries['shape'] = group_by === 'day' ? 'line' : 'bar';
  return {
    title: `${title}, ${from} to ${to}`,
    axis: lines.map((line) => line.name),
    unit,
    series: measures.map(([label, color, measure]) => ({ name: label, color, shape, values: lines.map(measure) })),
  };
}
