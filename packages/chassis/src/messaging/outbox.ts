/** The outbox relay: publishes the events of the outbox at least once, in order per aggregate. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import type { Envelope } from '../operation/events.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { WakeSignal } from '../runtime/wake-signal.ts';
import { declareSchedule, withConnection } from '../schedules/schedule.ts';

export interface Relay {
  /** Wakes the relay. Called after a commit with events. */
  wake(): void;
  /** Ends the relay after publishing the remaining events, for at most this long. */
  flush(grace_ms: number): Promise<void>;
}

type Row = Omit<Envelope, 'occurred_at'> & { position: string; occurred_at: Date };

/**
 * Polling interval. Events of this process wake the relay. Polling finds the events of other processes. An operator's
 * command that suspends a user therefore takes effect within a second.
 */
const POLL_MS = 500;

/** The pause between publications, in milliseconds. Events in quick succession are published together. */
const PACE_MS = 50;

const MOST = 500;

/**
 * Acquires the relay lock, because two relays would overtake each other within an aggregate. The holder works until its
 * transaction ends. The next statement sees what the previous holder has marked. Marks lost in a power cut are made
 * again: events are delivered at least once.
 */
const LOCK_OUTBOX = `BEGIN; SET LOCAL synchronous_commit = off;
  SELECT set_config('suite.relays', pg_try_advisory_xact_lock(hashtextextended('chassis.relay', 0))::text, true)`;
const CLAIM = {
  name: 'chassis_relay_claim',
  text: `
    SELECT position, id, type, schema_version, workspace_id, aggregate_id, aggregate_version, occurred_at, actor, trace_id, request_id, data
    FROM outbox WHERE published_at IS NULL AND current_setting('suite.relays') = 'true' ORDER BY position LIMIT ${MOST}`,
};
const MARK = {
  name: 'chassis_relay_mark',
  text: 'UPDATE outbox SET published_at = clock_timestamp() WHERE position = ANY ($1::bigint[])',
};

/**
 * Publishes a batch in two round trips: different aggregates concurrently, and the events of each aggregate up to the
 * first failure.
 */
async function publishBatch(client: PoolClient, bus: Bus): Promise<number> {
  const [, claimed] = await Promise.all([client.query(LOCK_OUTBOX), client.query<Row>(CLAIM)]);
  const done: string[] = [];
  const partitions = [...Map.groupBy(claimed.rows, (row) => row.aggregate_id).values()].map(async (events) => {
    for (const { position, ...envelope } of events) {
      await bus.publish(envelope.type, JSON.stringify(envelope), { id: envelope.id });
      done.push(position);
    }
  });
  const failed = (await Promise.allSettled(partitions)).find((partition) => partition.status === 'rejected');
  const marked = done.length > 0 ? [client.query({ ...MARK, values: [done] })] : [];
  await Promise.all([...marked, client.query('COMMIT')]);
  if (failed) throw failed.reason; // The published events are marked; the others are retried later.
  return done.length;
}

/** Starts the outbox relay of one replica. */
export function startRelay({ database, bus, log }: { database: Database; bus: Bus; log: Log }): Relay {
  let flushing = false;
  const wakeSignal = new WakeSignal();
  const outage = new OutageLog();
  const { wake } = wakeSignal;
  bus.onConnect(wake);

  async function batch(): Promise<number> {
    if (!bus.connected()) return 0;
    try {
      const carried = await withConnection(database.pool, (client) => publishBatch(client, bus));
      outage.end();
      return carried;
    } catch (error) {
      outage.failed(log, error, 'Events not published; they stay in the outbox');
      return 0;
    }
  }

  const running = (async () => {
    while (!flushing) {
      wakeSignal.begin();
      const carried = await batch();
      if (carried === MOST) continue;
      await pause(PACE_MS);
      await wakeSignal.sleep(POLL_MS);
    }
  })();

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

const OLD = [
  `outbox WHERE position IN (SELECT position FROM outbox WHERE published_at < now() - interval '7 days' LIMIT 1000)`,
  `idempotency_keys WHERE ctid IN (SELECT ctid FROM idempotency_keys WHERE created_at < now() - interval '24 hours' LIMIT 1000)`,
  `inbox WHERE ctid IN (SELECT ctid FROM inbox WHERE received_at < now() - interval '14 days' LIMIT 1000)`,
  `deletion_fences WHERE ctid IN (SELECT ctid FROM deletion_fences WHERE until < now() LIMIT 1000)`,
  // Work that was not found again for this long has been done in another way.
  `postponed_work WHERE ctid IN (SELECT ctid FROM postponed_work WHERE due_at < now() - interval '7 days' LIMIT 1000)`,
];

/** Deletes expired rows from the tables of the chassis, in small batches. */
export const prune = declareSchedule('chassis.prune', 600_000, async ({ database }: { database: Database }) => {
  for (const rows of OLD) {
    while ((await database.pool.query(`DELETE FROM ${rows}`)).rowCount);
  }
});
