/** Charts of a report, one for each part with a chart. */
import type { Chart } from '@suite/charts';
import type { ChartName, ReportView } from './report.schema.ts';

const COLORS = { blue: '#3b82f6', green: '#22c55e', grey: '#94a3b8', red: '#ef4444' };

const hoursOf = (minutes: number): number => Math.round((minutes / 60) * 100) / 100;
/** Converts an amount for drawing only, not for calculation. */
const lengthOf = (amount: string | number | null): number | null => (amount === null ? null : Number(amount));

function burnUp({ burn_up }: ReportView): Omit<Chart, 'title'> {
  const line = (name: string, key: 'scope' | 'completed' | 'ideal', color: string, dashed = false) => ({
    name,
    values: burn_up.map((day) => lengthOf(day[key])),
    shape: 'line' as const,
    color,
    dashed,
  });
  return {
    axis: burn_up.map(({ day }) => String(day)),
    unit: 'tasks',
    series: [
      line('Scope', 'scope', COLORS.blue),
      line('Completed', 'completed', COLORS.green),
      line('Ideal', 'ideal', COLORS.grey, true),
    ],
  };
}

function plannedTracked({ planned_tracked }: ReportView): Omit<Chart, 'title'> {
  const { planned_minutes, tracked_minutes, remaining_minutes } = planned_tracked;
  const values = [planned_minutes, tracked_minutes, remaining_minutes].map(hoursOf);
  return {
    axis: ['Planned', 'Tracked', 'Remaining'],
    unit: 'h',
    series: [{ name: 'Hours', values, shape: 'bar', color: COLORS.blue }],
  };
}

function stages({ stages: { tasks, bugs } }: ReportView): Omit<Chart, 'title'> {
  const noValues = (rows: readonly object[]) => rows.map(() => null);
  const counts = (rows: typeof tasks) => rows.map(({ count }) => count);
  return {
    axis: [...tasks, ...bugs].map(({ name }) => name),
    unit: 'cards',
    series: [
      {
        name: 'Tasks',
        values: [...counts(tasks), ...noValues(bugs)],
        shape: 'bar',
        stack: 'cards',
        color: COLORS.blue,
      },
      { name: 'Bugs', values: [...noValues(tasks), ...counts(bugs)], shape: 'bar', stack: 'cards', color: COLORS.red },
    ],
  };
}

function members({ members: people }: ReportView): Omit<Chart, 'title'> {
  const bar = (name: string, key: 'open' | 'completed' | 'overdue', color: string) => ({
    name,
    values: people.map((person) => person[key]),
    shape: 'bar' as const,
    color,
  });
  return {
    axis: people.map(({ user }) => user.name),
    unit: 'tasks',
    series: [
      bar('Open', 'open', COLORS.blue),
      bar('Completed', 'completed', COLORS.green),
      bar('Overdue', 'overdue', COLORS.red),
    ],
  };
}

function cost({ cost: metrics }: ReportView): Omit<Chart, 'title'> {
  const { currency, budget, time_cost, expenses } = metrics;
  const bar = (name: string, values: (string | null | undefined)[], color: string) => ({
    name,
    values: values.map((value) => lengthOf(value ?? null)),
    shape: 'bar' as const,
    stack: 'money',
    color,
  });
  return {
    axis: ['Budget', 'Cost'],
    unit: currency,
    series: [
      bar('Budget', [budget, null], COLORS.grey),
      bar('Time', [null, time_cost], COLORS.blue),
      bar('Expenses', [null, expenses], COLORS.green),
    ],
  };
}

const CHARTS_BY_NAME: Record<ChartName, { title: string; draw: (report: ReportView) => Omit<Chart, 'title'> }> = {
  burn_up: { title: 'Burn-up', draw: burnUp },
  planned_tracked: { title: 'Planned and tracked', draw: plannedTracked },
  stages: { title: 'Stages', draw: stages },
  members: { title: 'Tasks of members', draw: members },
  cost: { title: 'Cost', draw: cost },
};

/** Returns a part of a report as a chart. */
export function chartOf(report: ReportView, name: ChartName): Chart {
  const { title, draw } = CHARTS_BY_NAME[name];
  return { title: `${report.project.name}: ${title}`, ...draw(report) };
}
