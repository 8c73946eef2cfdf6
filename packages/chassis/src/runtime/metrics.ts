import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Records that an operation was answered. */
export type Observe = (operation: string, status: number, duration_ms: number) => void;

export interface Metrics {
  registry: Registry;
  observe: Observe;
}

/** The figures that a process shows on its operations port. */
export function openMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const durations = new Histogram({
    name: 'request_duration_seconds',
    help: 'How long requests took, by operation and status.',
    labelNames: ['operation', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    registers: [registry],
  });
  return {
    registry,
    observe: (operation, status, duration_ms) => durations.observe({ operation, status }, duration_ms / 1000),
  };
}

const WAITING = 'FROM outbox WHERE published_at IS NULL';
const ASKED = {
  outbox_oldest_seconds: [
    'How long the oldest event has waited to be published.',
    `SELECT extract(epoch FROM clock_timestamp() - occurred_at) AS value ${WAITING} ORDER BY position LIMIT 1`,
  ],
  outbox_waiting: ['Events that wait to be published.', `SELECT count(*) AS value ${WAITING}`],
  events_oldest_seconds: [
    'How long the oldest event that was received has waited to have its effect.',
    'SELECT extract(epoch FROM clock_timestamp() - min(received_at)) AS value FROM received_events',
  ],
  dead_letters: [
    'Messages that a consumer could not take in.',
    'SELECT count(*) AS value FROM dead_letters WHERE replayed_at IS NULL',
  ],
  postponed_work: [
    'Due work that has failed and is tried again later.',
    "SELECT count(*) AS value FROM postponed_work WHERE due_at > now() - interval '1 day'",
  ],
} as const;

/** Adds the figures of a service's database, which are looked up when somebody asks for them. */
export function showDatabase({ registry }: Metrics, { pool, requests }: { pool: Pool; requests: Pool }): void {
  const gauge = (name: string, help: string, value: () => Promise<number> | number) => {
    const collect = async () => figure.set(await value());
    const figure: Gauge = new Gauge({ name, help, registers: [registry], collect });
  };
  gauge('database_pool_connections', 'Connections to the database.', () => pool.totalCount + requests.totalCount);
  gauge(
    'database_pool_waiting',
    'Transactions that wait for a connection.',
    () => pool.waitingCount + requests.waitingCount,
  );
  for (const [name, [help, query]] of Object.entries(ASKED)) {
    // Without a database there is no such figure; the others are needed most just then.
    const nothing = { rows: [{ value: Number.NaN }] };
    gauge(name, help, async () => Number((await pool.query(query).catch(() => nothing)).rows[0]?.value ?? 0));
  }
}
