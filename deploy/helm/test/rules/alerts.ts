/** Compares the alerts of the chart with the table "Metrics and alerts" of docs/operating.md. */
import { type Manifest, ofKind } from './manifest.ts';

/** An alert of a PrometheusRule. */
interface Alert {
  alert: string;
  expr: string;
  for?: string;
}

/** A row of the table. */
interface Row {
  metrics: string[];
  /** When the alert fires, in words. */
  condition: string;
}

const UNITS: Readonly<Record<string, string>> = { minute: 'm', minutes: 'm', hour: 'h', hours: 'h' };

function rowsOf(page: string): Row[] {
  const [, section = ''] = /## Metrics and alerts\n(.*?)\n## /s.exec(page) ?? [];
  return [...section.matchAll(/^\| (`[^|]+`) \| ([^|]+) \|/gm)].map(([, names = '', condition = '']) => ({
    metrics: names.match(/\w+/g) ?? [],
    condition,
  }));
}

/** Returns the thresholds and statuses that an alert must contain: `1 %` is 0.01, and `60 s` is 60. */
const numbersIn = (condition: string): string[] =>
  [...condition.replaceAll(/for (?:an?|\d+) (?:minutes?|hours?)/g, '').matchAll(/(\d+)( %)?/g)].map(
    ([, number = '', percent]) => (percent ? String(Number(number) / 100) : number),
  );

/** Returns the durations for which conditions are true before they fire: `for a minute` is `1m`. */
const durationsIn = (condition: string): string[] =>
  [...condition.matchAll(/for (an?|\d+) (minutes?|hours?)/g)].map(
    ([, number = '', unit = '']) => `${Number(number) || 1}${UNITS[unit]}`,
  );

/** Returns the metrics of an expression. Every other name is a function, a label or a keyword. */
const metricsIn = (expr: string): string[] => [
  ...new Set([...expr.matchAll(/\b(\w+)\{/g)].map(([, name = '']) => name.replace(/_(bucket|count|sum)$/, ''))),
];

function rowFaults({ metrics, condition }: Row, alerts: readonly Alert[]): string[] {
  const own = alerts.filter(({ expr }) => metricsIn(expr).some((name) => metrics.includes(name)));
  if (own.length === 0) return [`No alert uses ${metrics.join(' or ')}.`];
  // The numbers of buckets, windows and quantiles are also in expressions, so only missing ones are faults.
  const written = own.flatMap(({ expr }) => expr.match(/(?<![\w.])\d+(\.\d+)?/g) ?? []);
  const isLimit = condition.includes('at the limit');
  const missing = isLimit ? [] : numbersIn(condition).filter((number) => !written.includes(number));
  const durations = durationsIn(condition);
  const wrong = own.filter((one) => (one.for === undefined ? durations.length > 0 : !durations.includes(one.for)));
  return [
    ...missing.map((number) => `No alert about ${metrics.join(' or ')} contains ${number}.`),
    ...wrong.map(({ alert, for: given }) => `${alert} waits for ${given ?? 'nothing'}, unlike the table.`),
  ];
}

/**
 * Returns the differences between the alerts and the table. A test in tests/docs compares the table with the metrics of the
 * processes.
 * @param page docs/operating.md
 */
export function alertFaults(objects: readonly Manifest[], page: string): string[] {
  const groups = ofKind(objects, 'PrometheusRule').flatMap(({ spec }) => spec?.['groups'] as { rules: Alert[] }[]);
  const alerts = groups.flatMap(({ rules }) => rules);
  const rows = rowsOf(page);
  // Prometheus itself measures `up`, whether a process responds.
  const known = [...rows.flatMap(({ metrics }) => metrics), 'up'];
  const unknown = alerts.flatMap(({ alert, expr }) =>
    metricsIn(expr)
      .filter((name) => !known.includes(name))
      .map((name) => `${alert} uses ${name}, which the table does not contain.`),
  );
  return [...unknown, ...rows.flatMap((row) => rowFaults(row, alerts))];
}
