/**
 * The relay: publishes the events of the journal at least once, in order per aggregate.
 * Chosen: events are rows, not messages in the write-ahead log (`pg_logical_emit_message` and a replication slot).
 * Messages took 7 % less CPU per create. But a slot keeps the log while NATS is down, until the disk is full, and a restored
 * backup has no events to publish again.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Bus } from '../bus/bus.ts';
import type { Database } from '../database/database.ts';
import type { Envelope } from '../operation/events.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { WakeSignal } from '../runtime/wake-signal.ts';
import { withConnection } from '../schedules/schedule.ts';

export interface Relay {
  /** Wakes the relay. Called after a commit with events. */
  wake(): void;
  /** Ends the relay after publishing the remaining events, for at most this long. */
  flush(grace_ms: number): Promise<void>;
}

/** A row of the journal with events, or the end of the settled transactions without a row. */
interface RelayRow {
  until: string;
  /** True if the relay has published a part of these transactions. */
  is_backlog: boolean;
  /** The epoch of the database. */
  epoch: string;
  /** The first transaction that had not begun. */
  next_settled: string;
  position: string | null;
  at: Date;
  workspace_id: string;
  actor: Envelope['actor'];
  trace_id: string | null;
  request_id: string | null;
  events: Pick<Envelope, 'id' | 'type' | 'schema_version' | 'aggregate_id' | 'data'>[];
}

/**
 * Polling interval. Events of this process wake the relay. Polling finds the events of other processes. An operator's
 * command that suspends a user therefore takes effect within a second.
 */
const POLL_MS = 500;

/** The pause between publications, in milliseconds. Events in quick succession are published together. */
const PACE_MS = 50;

/** Rows per batch. A batch is published again if the relay ends during it. */
const BATCH_MAX = 500;

/**
 * Takes the relay lock, because two relays would overtake each other within an aggregate. The holder works until its
 * transaction ends. Both statements are sent together, so a setting passes the result of the first to the second.
 * Progress lost in a power cut is made again: events are delivered at least once.
 */
const TAKE_LOCK = `BEGIN; SET LOCAL synchronous_commit = off;
  SELECT set_config('suite.relays', pg_try_advisory_xact_lock(hashtextextended('chassis.relay', 0))::text, true),
    set_config('suite.last_position', (last_value - 1000)::text, true) FROM journal_positions`;

/**
 * Reads the events of all transactions that have ended since the last batch. A transaction in progress may have taken a
 * lower position, so the positions alone would skip it. Within the ended transactions, the order of the positions is the
 * order of the commits of each record: a transaction takes its position at its end, while it has locked the record.
 * Chosen: progress is the oldest transaction that had not ended, instead of the last published position. A transaction
 * can take a position, and commit after another with a higher one. The search leaves out the partitions of earlier months,
 * with a margin for a clock that was set back.
 */
const CLAIM = {
  name: 'chassis_relay_claim',
  text: `
    WITH span AS MATERIALIZED (
      SELECT least(settled, pg_snapshot_xmin(pg_current_snapshot())) AS settled,
        coalesce(until, pg_snapshot_xmin(pg_current_snapshot())) AS until, until IS NOT NULL AS is_backlog,
        epoch, coalesce(resume, floor) AS resume, least(settled_at, clock_timestamp()) - interval '40 days' AS since
      FROM journal_relay WHERE current_setting('suite.relays') = 'true')
    SELECT span.until::text, span.is_backlog, span.epoch::text, pg_snapshot_xmax(pg_current_snapshot())::text AS next_settled, journal.*
    FROM span LEFT JOIN LATERAL (
      SELECT position, at, workspace_id, actor, trace_id, request_id, events FROM journal
      WHERE position > span.resume AND transaction_id >= span.settled AND transaction_id < span.until AND events IS NOT NULL
        AND at > span.since
      ORDER BY position LIMIT ${BATCH_MAX}) AS journal ON true`,
};

/**
 * Records that all events of the transactions before this one are published. Transactions that have begun after the claim
 * have positions after the last one taken before it, so the next searches begin there once all others are settled.
 */
const SETTLE = {
  name: 'chassis_relay_settle',
  text: `
    UPDATE journal_relay SET settled = $1::xid8, settled_at = clock_timestamp(), until = NULL, resume = NULL,
      floor = CASE WHEN $1::xid8 >= next_settled THEN next_floor ELSE floor END,
      next_floor = CASE WHEN $1::xid8 >= next_settled THEN current_setting('suite.last_position')::bigint ELSE next_floor END,
      next_settled = CASE WHEN $1::xid8 >= next_settled THEN $2::xid8 ELSE next_settled END`,
};
/** Records the last published position of a backlog. */
const RESUME = {
  name: 'chassis_relay_resume',
  text: 'UPDATE journal_relay SET until = $1::xid8, resume = $2',
};

/** Returns the epoch of a database. */
export async function epochOf({ pool }: Pick<Database, 'pool'>): Promise<number> {
  return Number((await pool.query('SELECT epoch FROM journal_relay')).rows[0]?.epoch);
}

/** Returns the events of a journal row, each with its own position. */
const envelopesOf = ({ position, at, workspace_id, actor, trace_id, request_id, events }: RelayRow): Envelope[] =>
  events.map((event, index) => ({
    ...event,
    workspace_id,
    position: Number(position) + index + 1,
    occurred_at: at.toISOString(),
    actor,
    trace_id,
    request_id,
  }));

/**
 * Publishes the events of different aggregates concurrently, and the events of one aggregate up to the first failure.
 * @returns the IDs of the published events, and the first failure
 */
async function publish(bus: Bus, envelopes: readonly Envelope[], epoch: number) {
  const published = new Set<string>();
  const partitions = [...Map.groupBy(envelopes, ({ aggregate_id }) => aggregate_id).values()].map(async (events) => {
    for (const envelope of events) {
      // The previous release reads the position under its former name.
      const message = JSON.stringify({ ...envelope, aggregate_version: envelope.position });
      await bus.publish(envelope.type, message, { id: envelope.id, epoch });
      published.add(envelope.id);
    }
  });
  const failed = (await Promise.allSettled(partitions)).find((partition) => partition.status === 'rejected');
  return { published, failed };
}

/** Publishes a batch in two round trips. Returns the number of its rows. */
async function relayBatch(client: PoolClient, bus: Bus): Promise<number> {
  const [, claimed] = await Promise.all([client.query(TAKE_LOCK), client.query<RelayRow>(CLAIM)]);
  const rows = claimed.rows.filter(({ position }) => position !== null);
  const { published, failed } = await publish(bus, rows.flatMap(envelopesOf), Number(rows[0]?.epoch));
  const stopped = rows.findIndex(({ events }) => events.some(({ id }) => !published.has(id)));
  const done = stopped < 0 ? rows : rows.slice(0, stopped);
  const { until, is_backlog, next_settled } = claimed.rows[0] ?? {};
  const isSettled = rows.length < BATCH_MAX && stopped < 0;
  const progress: Promise<unknown>[] = [];
  if (isSettled && (rows.length > 0 || is_backlog))
    progress.push(client.query({ ...SETTLE, values: [until, next_settled] }));
  if (!isSettled && done.length > 0) progress.push(client.query({ ...RESUME, values: [until, done.at(-1)?.position] }));
  await Promise.all([...progress, client.query('COMMIT')]);
  if (failed) throw failed.reason; // The later events are published again, and consumers recognise them.
  return done.length;
}

/** Starts the relay of one replica. */
export function startRelay({ database, bus, log }: { database: Database; bus: Bus; log: Log }): Relay {
  let flushing = false;
  const wakeSignal = new WakeSignal();
  const outage = new OutageLog();
  const { wake } = wakeSignal;
  bus.onConnect(wake);

  async function publishNext(): Promise<number> {
    if (!bus.connected()) return 0;
    try {
      const relayed = await withConnection(database.pool, (client) => relayBatch(client, bus));
      outage.end();
      return relayed;
    } catch (error) {
      outage.failed(log, error, 'Events not published; they stay in the journal');
      return 0;
    }
  }

  const running = (async () => {
    while (!flushing) {
      wakeSignal.begin();
      const relayed = await publishNext();
      if (relayed === BATCH_MAX) continue;
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
      while (!deadline.aborted && (await publishNext()) > 0);
    },
  };
}
