/** The relay: carries what the outbox holds to the bus, in order per aggregate, at least once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import type { Bus } from './bus.ts';
import type { Database } from './database.ts';
import type { Envelope } from './events.ts';
import type { Log } from './log.ts';
import { every } from './schedule.ts';

export interface Relay {
  /** Says that there is something to carry; called after a commit that left events. */
  wake(): void;
  /** Ends the relay, after carrying what is left for at most this long. */
  flush(grace_ms: number): Promise<void>;
}

type Row = Omit<Envelope, 'occurred_at'> & { position: string; occurred_at: Date };

const BATCH = 500;
const POLL_MS = 500;

// A second replica that finds the lock taken does nothing: two relays could overtake each other within an aggregate.
const LOCK = `SELECT pg_try_advisory_xact_lock(hashtextextended('suite.outbox', 0)) AS mine`;
const CLAIM = `SELECT position, id, type, schema_version, workspace_id, aggregate_id, aggregate_version, occurred_at, actor, trace_id, data
  FROM outbox WHERE published_at IS NULL ORDER BY position LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`;
const MARK = 'UPDATE outbox SET published_at = clock_timestamp() WHERE position = ANY ($1)';

/** Publishes an aggregate's events one after the other, up to the first that fails. */
async function carry(bus: Bus, rows: Row[], done: string[]): Promise<void> {
  for (const { position, ...envelope } of rows) {
    await bus.publish(envelope.type, JSON.stringify(envelope), { id: envelope.id });
    done.push(position);
  }
}

async function carryBatch(client: PoolClient, bus: Bus): Promise<number> {
  const lock = await client.query<{ mine: boolean }>(LOCK);
  if (!lock.rows[0]?.mine) return 0;
  const { rows } = await client.query<Row>(CLAIM);
  if (rows.length === 0) return 0;
  const done: string[] = [];
  const aggregates = Map.groupBy(rows, (row) => row.aggregate_id).values();
  const carried = await Promise.allSettled([...aggregates].map((events) => carry(bus, events, done)));
  await client.query(MARK, [done]);
  const failure = carried.find((outcome) => outcome.status === 'rejected');
  // What was published stays marked; what was not is tried again later.
  if (failure && done.length === 0) throw failure.reason;
  return failure ? 0 : done.length;
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let lost = true;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    lost = false;
    return result;
  } finally {
    client.release(lost); // A connection that failed is thrown away, and its transaction with it.
  }
}

/** Starts the relay of one replica. */
export function startRelay({ database, bus, log }: { database: Database; bus: Bus; log: Log }): Relay {
  let flushing = false;
  let nap = new AbortController();
  const wake = () => nap.abort();
  bus.onConnect(wake);

  async function batch(): Promise<number> {
    if (!bus.connected()) return 0;
    try {
      return await inTransaction(database.pool, (client) => carryBatch(client, bus));
    } catch (error) {
      log.warn({ err: error }, 'Events could not be published. They stay in the outbox.');
      return 0;
    }
  }

  async function run(): Promise<void> {
    while (!flushing) {
      nap = new AbortController();
      if ((await batch()) === 0) await pause(POLL_MS, undefined, { signal: nap.signal }).catch(() => undefined);
    }
  }

  const running = run();
  return {
    wake,
    async flush(grace_ms) {
      flushing = true;
      wake();
      await running;
      const deadline = AbortSignal.timeout(grace_ms);
      while (!deadline.aborted && (await batch()) > 0);
    },
  };
}

const KEPT = [
  `outbox WHERE position IN (SELECT position FROM outbox WHERE published_at < now() - interval '7 days' LIMIT 1000)`,
  `idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT 1000)`,
  `inbox WHERE ctid IN (SELECT ctid FROM inbox WHERE received_at < now() - interval '14 days' LIMIT 1000)`,
];

/** Deletes what the tables of the chassis need no longer keep, in small pieces. */
export const prune = every('chassis.prune', 600_000, async ({ database }: { database: Database }) => {
  for (const old of KEPT) {
    while (((await database.pool.query(`DELETE FROM ${old}`)).rowCount ?? 0) > 0);
  }
});
