/** The intake: reads the streams of other services into the database, in their order, and remembers how far it got. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { BATCH, type Bus, type Stoppable, untilStopped } from '../bus/bus.ts';
import { idOf, storable } from '../bus/payload.ts';
import type { Database } from '../database/database.ts';
import { sendKept } from '../database/statements.ts';
import { Address } from '../operation/events.ts';
import type { Log } from '../runtime/log.ts';
import { Nap } from '../runtime/nap.ts';
import { giveTurn, RENEW_MS, renewTurn, takeTurn } from '../schedules/turns.ts';

/** The source of a consumer: all events of one type. */
export interface Source {
  name: string;
  subject: string;
  /** Whether an event is to be stored; all of them, when it is not given. What is not is read later, together with more. */
  takes?: (event: object) => boolean;
}

interface Tools {
  bus: Bus;
  database: Database;
  log: Log;
  /** Says that there is something to take in. */
  wake(): void;
}

/** Each message is told as it comes, and each connection: this is for a notification that was lost. */
const POLL_MS = 5_000;
/** A busy database refuses a connection now and then. Only repeated failures need an operator. */
const QUIET_FAILURES = 2;
const SOON_MS = 10;
/** Events that come in quick succession are read together. */
const PACE_MS = 50;
const LEASE_MS = 4_000;
/** The messages of a stream that are read again at most, when nothing among them had to be stored. */
const STORED_AFTER = 1_000;

const FIRST = `INSERT INTO event_positions (consumer, stream_created, position) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING`;
const KNOWN = 'SELECT stream_created, position::float FROM event_positions WHERE consumer = $1';
/**
 * Stores what was read and how far that is, unless another replica has moved on from there already. What had its effect, or
 * is a dead letter, is not stored again: a stream that was restored is read from its beginning. Each event is looked up by
 * its key; NOT EXISTS would be a join, for which PostgreSQL reads the whole inbox. Materialized, since each text is parsed once
 * then, and not again for each row of a small inbox, which is read row by row.
 */
const STORE = `
  WITH moved AS (
    UPDATE event_positions SET stream_created = $2, position = $3
    WHERE consumer = $1 AND stream_created = $4 AND position = $5 RETURNING 1),
  parsed AS MATERIALIZED (
    SELECT text::jsonb AS envelope, at FROM moved, unnest($6::text[]) WITH ORDINALITY AS read (text, at)),
  told AS MATERIALIZED (
    SELECT (envelope ->> 'id')::uuid AS event_id, (envelope ->> 'workspace_id')::uuid AS workspace_id,
      suite_slot((envelope ->> 'aggregate_id')::uuid) AS slot, envelope, at FROM parsed),
  arrived AS (
    INSERT INTO received_events (consumer, event_id, workspace_id, slot, envelope)
    SELECT $1, event_id, workspace_id, slot, envelope FROM told
    WHERE (SELECT true FROM inbox WHERE consumer = $1 AND inbox.event_id = told.event_id) IS NULL
      AND (SELECT true FROM dead_letters AS p WHERE consumer = $1 AND p.event_id = told.event_id) IS NULL
    ORDER BY at ON CONFLICT DO NOTHING RETURNING workspace_id, slot),
  lanes AS (
    INSERT INTO event_lanes AS lane (consumer, workspace_id, slot) SELECT DISTINCT $1, workspace_id, slot FROM arrived
    ON CONFLICT (consumer, workspace_id, slot) DO UPDATE SET received = lane.received + 1)
  SELECT FROM moved`;
const ADD_DEAD_LETTER = `INSERT INTO dead_letters (consumer, event_id, envelope, reason, attempts) VALUES ($1, $2, $3, $4, 1)
  ON CONFLICT DO NOTHING`;

/** How far a consumer has got in a stream. */
interface Place {
  /** Tells the stream from a later one of the same name. */
  stream_created: string;
  /** Up to here everything is in the database. */
  position: number;
  /** Up to here there is nothing more; it may be ahead of what is stored. */
  searched: number;
}

/** Reads what one consumer is about. */
class Reader {
  readonly #source: Source;
  readonly #tools: Tools;
  #place: Place | undefined;

  constructor(source: Source, tools: Tools) {
    this.#source = source;
    this.#tools = tools;
  }

  /** Begins again at what is stored: another replica may have been at it, or the stream is a new one. */
  forget(): void {
    this.#place = undefined;
  }

  /** Reads one batch into the database. @returns whether there may be more */
  async read(): Promise<boolean> {
    const { bus } = this.#tools;
    const { subject } = this.#source;
    const stream = await bus.stream(subject);
    if (!stream) return false;
    const place = (this.#place ??= await this.#known(stream.created));
    // A stream that was made anew, or has lost its end, counts from lower numbers again.
    const isAnother = place.stream_created !== stream.created || place.position > stream.last;
    const searched = isAnother ? 0 : place.searched;
    if (searched >= stream.last && !isAnother) return false;
    const messages = await bus.read(subject, searched, stream.last);
    const position = messages.at(-1)?.position ?? (isAnother ? 0 : place.position);
    const isFull = messages.length === BATCH;
    const next = {
      stream_created: stream.created,
      position,
      searched: isFull ? position : Math.max(position, stream.last),
    };
    const { events, passed } = await this.#eventsIn(messages.map(({ payload }) => payload));
    // Events that are passed over may be read again: for them alone the place is written down now and then only.
    const isNothing = passed === messages.length && !isAnother && position - place.position < STORED_AFTER;
    if (isNothing) next.position = place.position;
    const isStored = isNothing || (await this.#store(place, next, events));
    // It may have been told to forget meanwhile: then what was read before counts no more.
    if (this.#place === place) this.#place = isStored ? next : undefined;
    return isFull;
  }

  async #known(stream_created: string): Promise<Place> {
    const { database, bus } = this.#tools;
    const { name, subject } = this.#source;
    const find = async () => (await sendKept(database.pool, KNOWN, [name])).rows[0];
    if (!(await find())) await database.pool.query(FIRST, [name, stream_created, await bus.takenBefore(name, subject)]);
    const known = await find();
    return { ...known, searched: known.position };
  }

  /** The events among what was read that are to be stored, and how many are passed over. What is no event becomes a dead letter. */
  async #eventsIn(payloads: string[]): Promise<{ events: string[]; passed: number }> {
    const { database, log } = this.#tools;
    const { name, takes = () => true } = this.#source;
    const events: string[] = [];
    let passed = 0;
    for (const payload of payloads) {
      const event = storable(payload);
      const { error } = Address.safeParse(event);
      if (!error) {
        if (takes(event as object)) events.push(JSON.stringify(event));
        else passed += 1;
      } else {
        const [event_id, reason] = [idOf(name, payload), `The envelope is malformed: ${z.prettifyError(error)}`];
        log.error({ consumer: name, event_id }, 'A message that is no event is a dead letter.');
        await database.pool.query(ADD_DEAD_LETTER, [name, event_id, JSON.stringify(event), reason]);
      }
    }
    return { events, passed };
  }

  /** @returns whether it is stored: another replica may have moved on meanwhile */
  async #store(before: Place, next: Place, events: string[]): Promise<boolean> {
    const { database, wake } = this.#tools;
    const { name } = this.#source;
    const values = [name, next.stream_created, next.position, before.stream_created, before.position, events];
    const { rowCount } = await sendKept(database.pool, STORE, values);
    wake();
    return rowCount === 1;
  }
}

/** Starts the intake. Of all replicas one reads; nothing depends on it but that the others need not read the same. */
export function startIntake(sources: readonly Source[], tools: Tools): Stoppable {
  const { bus, database, log } = tools;
  const { pool } = database;
  const turn = { name: 'chassis.intake', holder: randomUUID(), lease_ms: LEASE_MS };
  const naps = new Set<Nap>();
  let mine = false;

  const read = async (source: Source, stopping: AbortSignal) => {
    const reader = new Reader(source, tools);
    const { name, subject, takes } = source;
    const nap = new Nap();
    naps.add(nap);
    stopping.addEventListener('abort', nap.wake);
    bus.listen(subject, (payload) => {
      if (mine && (!takes || takes(storable(payload) as object))) nap.wake();
    });
    bus.onConnect(() => {
      reader.forget();
      nap.wake();
    });
    let failures = 0;
    const readMore = async (): Promise<boolean> => {
      const more = await reader.read();
      failures = 0;
      return more;
    };
    for (let wait_ms = POLL_MS; !stopping.aborted; ) {
      nap.begin();
      const more = await (mine ? readMore() : Promise.resolve(false)).catch((error: unknown) => {
        reader.forget();
        failures += 1;
        const level = failures > QUIET_FAILURES ? 'warn' : 'info';
        if (bus.connected()) log[level]({ err: error, consumer: name }, `Reading ${subject} failed; retrying`);
        return false;
      });
      if (!mine) reader.forget();
      if (more) continue;
      await pause(PACE_MS, undefined, { signal: stopping }).catch(() => undefined);
      await nap.sleep(wait_ms);
      // The notification may arrive before the message is in the stream.
      wait_ms = nap.isWoken ? SOON_MS : Math.min(wait_ms * 2, POLL_MS);
    }
  };
  const keepTurn = async (stopping: AbortSignal) => {
    const keep = () => (mine ? renewTurn(pool, turn) : takeTurn(pool, turn, LEASE_MS));
    while (!stopping.aborted) {
      const had = mine;
      mine = bus.connected() && (await keep().catch(() => false));
      if (mine && !had) for (const nap of naps) nap.wake();
      if (had && !mine) await giveTurn(pool, turn, 0).catch(() => undefined);
      await pause(bus.connected() ? RENEW_MS : SOON_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
    if (mine) await giveTurn(pool, turn, 0).catch(() => undefined);
    mine = false;
  };
  if (sources.length === 0) return { stop: () => Promise.resolve() };
  return untilStopped((stopping) =>
    Promise.all([keepTurn(stopping), ...sources.map((source) => read(source, stopping))]),
  );
}
