/** The relay: publishes the events of the outbox, in order per aggregate, at least once. */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import type { Envelope } from '../operation/events.ts';
import type { Log } from '../runtime/log.ts';
import { Nap } from '../runtime/nap.ts';
import { every, lent } from '../schedules/schedule.ts';

export interface Relay {
  /** Says that there is something to carry; called after a commit that left events. */
  wake(): void;
  /** Ends the relay, after carrying what is left for at most this long. */
  flush(grace_ms: number): Promise<void>;
}

type Row = Omit<Envelope, 'occurred_at'> & { position: string; occurred_at: Date };

/**
 * Events that this process announces wake the relay. It looks by itself for what another one left: an operator's command that
 * suspends somebody holds within a second.
 */
const POLL_MS = 500;

/** Events that are announced in quick succession are published together. */
const PACE_MS = 50;

const MOST = 500;

/**
 * Two relays would overtake each other within an aggregate: whoever has the lock works, until its transaction ends; what
 * the one before has marked is seen by the statement after it. Marks that a power cut loses are made again: events come at
 * least once.
 */
const TAKE_TURN = `BEGIN; SET LOCAL synchronous_commit = off;
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

/** Publishes a batch: different aggregates at once, each one's events up to the first that fails. Two round trips. */
async function carry(client: PoolClient, bus: Bus): Promise<number> {
  const [, claimed] = await Promise.all([client.query(TAKE_TURN), client.query<Row>(CLAIM)]);
  const done: string[] = [];
  const lanes = [...Map.groupBy(claimed.rows, (row) => row.aggregate_id).values()].map(async (events) => {
    for (const { position, ...envelope } of events) {
      await bus.publish(envelope.type, JSON.stringify(envelope), { id: envelope.id });
      done.push(position);
    }
  });
  const failed = (await Promise.allSettled(lanes)).find((lane) => lane.status === 'rejected');
  const marked = done.length > 0 ? [client.query({ ...MARK, values: [done] })] : [];
  await Promise.all([...marked, client.query('COMMIT')]);
  if (failed) throw failed.reason; // The published events are marked; the rest is tried again later.
  return done.length;
}

/** Starts the relay of one replica. */
export function startRelay({ database, bus, log }: { database: Database; bus: Bus; log: Log }): Relay {
  let flushing = false;
  const nap = new Nap();
  const { wake } = nap;
  bus.onConnect(wake);

  async function batch(): Promise<number> {
    if (!bus.connected()) return 0;
    try {
      return await lent(database.pool, (client) => carry(client, bus));
    } catch (error) {
      log.warn({ err: error }, 'Events could not be published. They stay in the outbox.');
      return 0;
    }
  }

  const running = (async () => {
    while (!flushing) {
      nap.begin();
      const carried = await batch();
      if (carried === MOST) continue;
      await pause(PACE_MS);
      await nap.sleep(POLL_MS);
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
  // Work that was not found again for so long has been done in another way.
  `postponed_work WHERE ctid IN (SELECT ctid FROM postponed_work WHERE due_at < now() - interval '7 days' LIMIT 1000)`,
];

/** Deletes what the tables of the chassis need no longer keep, in small pieces. */
export const prune = every('chassis.prune', 600_000, async ({ database }: { database: Database }) => {
  for (const rows of OLD) {
    while ((await database.pool.query(`DELETE FROM ${rows}`)).rowCount);
  }
});
