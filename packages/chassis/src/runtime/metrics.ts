import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Records the response of an operation. */
export type Observe = (operation: string, status: number, duration_ms: number) => void;

export interface Metrics {
  registry: Registry;
  observe: Observe;
}

/** Opens the metrics that a process shows on its operations port. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'request_duration_seconds',
    help: 'Duration of requests, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    registry,
    observe: (operation, status, duration_ms) => durations.observe({ operation, status }, duration_ms / 1000),
  };
}

/**
 * Adds a metric per program that the process depends on.
 * @param checkAll returns the name of each program, and whether it responds
 */
export function showDependencies(
  registry: Registry,
  checkAll: () => Promise<(readonly [name: string, responds: boolean])[]>,
): void {
  const available: Gauge = new Gauge({
    name: 'dependency_available',
    help: 'Whether a program that the process depends on responds (1) or not (0).',
    labelNames: ['dependency'],
    registers: [registry],
    collect: async () => {
      for (const [dependency, responds] of await checkAll()) available.set({ dependency }, Number(responds));
    },
  });
}

const ASKED = {
  journal_oldest_seconds: [
    'Age of the oldest unpublished event.',
    'SELECT extract(epoch FROM clock_timestamp() - min(occurred_at)) AS value FROM journal_waiting',
  ],
  journal_waiting: ['Events that are not published yet.', 'SELECT count(*) AS value FROM journal_waiting'],
  events_oldest_seconds: [
    'Age of the oldest received event that is not processed yet.',
    'SELECT extract(epoch FROM clock_timestamp() - min(received_at)) AS value FROM received_events',
  ],
  dead_letters: [
    'Events that a consumer could not process.',
    'SELECT count(*) AS value FROM dead_letters WHERE replayed_at IS NULL',
  ],
  postponed_work: [
    'Due work that failed and will be retried.',
    "SELECT count(*) AS value FROM postponed_work WHERE due_at > now() - interval '1 day'",
  ],
} as const;

/** Adds the metrics of a service's database, which are looked up on request. */
export function showDatabase({ registry }: Metrics, { pool, requests }: { pool: Pool; requests: Pool }): void {
  const gauge = (name: string, help: string, value: () => Promise<number> | number) => {
    const collect = async () => figure.set(await value());
    const figure: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  gauge('database_pool_connections', 'Database connections.', () => pool.totalCount + requests.totalCount);
  gauge(
    'database_pool_waiting',
    'Transactions waiting for a connection.',
    () => pool.waitingCount + requests.waitingCount,
  );
  for (const [name, [help, query]] of Object.entries(ASKED)) {
    // Without a database this metric has no value. The other metrics are needed most at that time.
    const nothing = { rows: [{ value: Number.NaN }] };
    gauge(name, help, async () => Number((await pool.query(query).catch(() => nothing)).rows[0]?.value ?? 0));
  }
}
