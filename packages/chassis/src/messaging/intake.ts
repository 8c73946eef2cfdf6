/** The intake: copies the streams of other services into the database, in order, and stores its position. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { BATCH, type Bus, type Stoppable, type StreamMessage, untilStopped } from '../bus/bus.ts';
import { eventIdOf, storable } from '../bus/payload.ts';
import type { Database } from '../database/database.ts';
import { queryPrepared } from '../database/statements.ts';
import { Address } from '../operation/events.ts';
import type { Log } from '../runtime/log.ts';
import { WakeSignal } from '../runtime/wake-signal.ts';
import { releaseLease, RENEW_MS, renewLease, acquireLease } from '../schedules/leases.ts';

/** The source of a consumer: all events of one type. */
export interface Source {
  name: string;
  subject: string;
  /**
   * Returns true if an event is to be stored. Defaults to all events. Skipped events are read later, together with
   * others.
   */
  takes?: (event: object) => boolean;
}

interface IntakeContext {
  bus: Bus;
  database: Database;
  log: Log;
  /** Signals that events are waiting. */
  wake(): void;
}

/** Polling interval. Each message and each connection is notified, so polling only covers lost notifications. */
const POLL_MS = 5_000;
/**
 * The number of failures without a warning. A busy database occasionally rejects a connection. Only repeated failures
 * need an operator.
 */
const QUIET_FAILURES = 2;
const SOON_MS = 10;
/** The pause between reads, in milliseconds. Events in quick succession are read together. */
const PACE_MS = 50;
const LEASE_MS = 4_000;
/**
 * The highest number of messages without a stored event after which the position is stored. They are read again after a
 * restart.
 */
const STORED_AFTER = 1_000;

const FIRST = `INSERT INTO event_positions (consumer, stream_created, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const KNOWN = `
  SELECT stream_created, position::float, (SELECT epoch::float FROM journal_relay) AS epoch FROM event_positions WHERE consumer = $1`;
/**
 * Stores the events and the position, unless another replica has already advanced the position, or the database was
 * restored in the meantime. Processed events and dead letters are not stored again: a restored stream is read from its
 * beginning. Each event is looked up by its key. NOT EXISTS would be a join, and PostgreSQL would read the whole inbox.
 * Materialized so that each text is parsed once. In a small inbox, which is read row by row, each row would parse it again.
 */
const STORE = `
  WITH moved AS (
    UPDATE event_positions SET stream_created = $2, position = $3
    WHERE consumer = $1 AND stream_created = $4 AND position = $5 AND (SELECT epoch FROM journal_relay) = $7 RETURNING 1),
  parsed AS MATERIALIZED (
    SELECT text::jsonb AS envelope, at FROM moved, unnest($6::text[]) WITH ORDINALITY AS read (text, at)),
  addressed AS MATERIALIZED (
    SELECT (envelope ->> 'id')::uuid AS event_id, (envelope ->> 'workspace_id')::uuid AS workspace_id,
      suite_slot((envelope ->> 'aggregate_id')::uuid) AS slot, envelope, at FROM parsed),
  arrived AS (
    INSERT INTO received_events (consumer, event_id, workspace_id, slot, envelope)
    SELECT $1, event_id, workspace_id, slot, envelope FROM addressed
    WHERE (SELECT true FROM inbox WHERE consumer = $1 AND inbox.event_id = addressed.event_id) IS NULL
      AND (SELECT true FROM dead_letters AS p WHERE consumer = $1 AND p.event_id = addressed.event_id) IS NULL
    ORDER BY at ON CONFLICT DO NOTHING RETURNING workspace_id, slot),
  partitions AS (
    INSERT INTO event_lanes AS partition (consumer, workspace_id, slot) SELECT DISTINCT $1, workspace_id, slot FROM arrived
    ON CONFLICT (consumer, workspace_id, slot) DO UPDATE SET received = partition.received + 1)
  SELECT FROM moved`;
const ADD_DEAD_LETTER = `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, 1)
  ON CONFLICT DO NOTHING`;

/** Position of a consumer in a stream. */
interface StreamPosition {
  /** Creation time of the stream. Distinguishes the stream from a later one of the same name. */
  stream_created: string;
  /** The position up to which everything is in the database. */
  position: number;
  /** The epoch of the database. */
  epoch: number;
  /** The position up to which the stream was searched. It can be ahead of the stored position. */
  searched: number;
}

/** Reads the events of one consumer. */
class Reader {
  readonly #source: Source;
  readonly #tools: IntakeContext;
  #place: StreamPosition | undefined;

  constructor(source: Source, tools: IntakeContext) {
    this.#source = source;
    this.#tools = tools;
  }

  /** Restarts at the stored position, because another replica may have read, or the stream is new. */
  forget(): void {
    this.#place = undefined;
  }

  /** Reads one batch into the database. @returns true if there may be more */
  async read(): Promise<boolean> {
    const { bus } = this.#tools;
    const { subject } = this.#source;
    const stream = await bus.stream(subject);
    if (!stream) return false;
    const place = (this.#place ??= await this.#known(stream.created));
    await bus.assertEpoch(subject, stream, place.epoch);
    // A stream that was created again, or has lost its end, restarts with lower numbers.
    const isAnother = place.stream_created !== stream.created || place.position > stream.last;
    const searched = isAnother ? 0 : place.searched;
    if (searched >= stream.last && !isAnother) return false;
    const messages = await bus.read(subject, searched, stream.last);
    const position = messages.at(-1)?.position ?? (isAnother ? 0 : place.position);
    const isFull = messages.length === BATCH;
    const next = {
      stream_created: stream.created,
      position,
      epoch: place.epoch,
      searched: isFull ? position : Math.max(position, stream.last),
    };
    const { events, passed } = await this.#eventsIn(messages, place.epoch);
    // Skipped events may be read again, so their position is stored only now and then.
    const isNothing = passed === messages.length && !isAnother && position - place.position < STORED_AFTER;
    if (isNothing) next.position = place.position;
    const isStored = isNothing || (await this.#store(place, next, events));
    // A reset may have happened in the meantime. The position that was read before is then invalid.
    if (this.#place === place) this.#place = isStored ? next : undefined;
    return isFull;
  }

  async #known(stream_created: string): Promise<StreamPosition> {
    const { database, bus } = this.#tools;
    const { name, subject } = this.#source;
    const find = async () => (await queryPrepared(database.pool, KNOWN, [name])).rows[0];
    if (!(await find()))
      await database.pool.query(FIRST, [name, stream_created, await bus.earlierPosition(name, subject)]);
    const known = await find();
    return { ...known, searched: known.position };
  }

  /**
   * Returns the events to store and the number of skipped ones. An invalid message becomes a dead letter. An event of another
   * epoch is rejected: a process with the data of before a restore has published it. A dead letter could be replayed, and would
   * delay the later events of its record.
   */
  async #eventsIn(messages: StreamMessage[], own: number): Promise<{ events: string[]; passed: number }> {
    const { database, log } = this.#tools;
    const { name, takes = () => true } = this.#source;
    const events: string[] = [];
    let passed = 0;
    for (const { payload, position, epoch } of messages) {
      if (epoch !== own) {
        log.error({ consumer: name, position, epoch, database_epoch: own }, 'Event of another epoch rejected');
        continue;
      }
      const event = storable(payload);
      const { error } = Address.safeParse(event);
      if (!error) {
        if (takes(event as object)) events.push(JSON.stringify(event));
        else passed += 1;
      } else {
        const [event_id, reason] = [eventIdOf(name, payload), `The envelope is malformed: ${z.prettifyError(error)}`];
        log.error({ consumer: name, event_id }, 'Invalid message stored as a dead letter');
        await database.pool.query(ADD_DEAD_LETTER, [name, event_id, JSON.stringify(event), reason]);
      }
    }
    return { events, passed };
  }

  /** @returns true if it is stored. False if another replica has moved on in the meantime */
  async #store(before: StreamPosition, next: StreamPosition, events: string[]): Promise<boolean> {
    const { database, wake } = this.#tools;
    const { name } = this.#source;
    const values = [
      name,
      next.stream_created,
      next.position,
      before.stream_created,
      before.position,
      events,
      before.epoch,
    ];
    const { rowCount } = await queryPrepared(database.pool, STORE, values);
    wake();
    return rowCount === 1;
  }
}

/** Starts the intake. One of the replicas reads, to avoid duplicate work. Correctness does not depend on this. */
export function startIntake(sources: readonly Source[], tools: IntakeContext): Stoppable {
  const { bus, database, log } = tools;
  const { pool } = database;
  const lease = { name: 'chassis.intake', holder: randomUUID(), lease_ms: LEASE_MS };
  const wakeSignals = new Set<WakeSignal>();
  let isHolder = false;

  const read = async (source: Source, stopping: AbortSignal) => {
    const reader = new Reader(source, tools);
    const { name, subject, takes } = source;
    const wakeSignal = new WakeSignal();
    wakeSignals.add(wakeSignal);
    stopping.addEventListener('abort', wakeSignal.wake);
    bus.listen(subject, (payload) => {
      if (isHolder && (!takes || takes(storable(payload) as object))) wakeSignal.wake();
    });
    bus.onConnect(() => {
      reader.forget();
      wakeSignal.wake();
    });
    let failures = 0;
    const readMore = async (): Promise<boolean> => {
      const more = await reader.read();
      failures = 0;
      return more;
    };
    for (let wait_ms = POLL_MS; !stopping.aborted; ) {
      wakeSignal.begin();
      const more = await (isHolder ? readMore() : Promise.resolve(false)).catch((error: unknown) => {
        reader.forget();
        failures += 1;
        const level = failures > QUIET_FAILURES ? 'warn' : 'info';
        if (bus.connected()) log[level]({ err: error, consumer: name }, `Reading ${subject} failed; retrying`);
        return false;
      });
      if (!isHolder) reader.forget();
      if (more) continue;
      await pause(PACE_MS, undefined, { signal: stopping }).catch(() => undefined);
      await wakeSignal.sleep(wait_ms);
      // The notification may arrive before the message is in the stream.
      wait_ms = wakeSignal.isWoken ? SOON_MS : Math.min(wait_ms * 2, POLL_MS);
    }
  };
  const maintainLease = async (stopping: AbortSignal) => {
    const renewOrAcquire = () => (isHolder ? renewLease(pool, lease) : acquireLease(pool, lease, LEASE_MS));
    while (!stopping.aborted) {
      const wasHolder = isHolder;
      isHolder = bus.connected() && (await renewOrAcquire().catch(() => false));
      if (isHolder && !wasHolder) for (const wakeSignal of wakeSignals) wakeSignal.wake();
      if (wasHolder && !isHolder) await releaseLease(pool, lease, 0).catch(() => undefined);
      await pause(bus.connected() ? RENEW_MS : SOON_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
    if (isHolder) await releaseLease(pool, lease, 0).catch(() => undefined);
    isHolder = false;
  };
  if (sources.length === 0) return { stop: () => Promise.resolve() };
  return untilStopped((stopping) =>
    Promise.all([maintainLease(stopping), ...sources.map((source) => read(source, stopping))]),
  );
}
