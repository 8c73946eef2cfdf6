/** Reads and stores SLA timers, of one or many tickets with the same statements. */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { type Announced, nextAnnouncementAt } from '../sla/announcement.rules.ts';
import type { Clock, TimerInterval } from '../sla/clock.rules.ts';
import { readTerms, termsFor } from './terms.ts';

/** SLA timer with the other columns of its row. */
export interface KeptClock {
  id: string;
  ticket_id: string;
  warned_at: number | null;
  told_at: number | null;
  clock: Clock;
}

interface ClockRow {
  id: string;
  ticket_id: string;
  target: Clock['target'];
  run: number;
  terms_id: string | null;
  length_seconds: number | null;
  met_at: string | null;
  breached_at: string | null;
  ended: boolean;
  warned_at: string | null;
  told_at: string | null;
}

interface IntervalRow {
  clock_id: string;
  state: TimerInterval['state'];
  began_at: string;
  ended_at: string | null;
  worked_ms: number;
  terms_id: string | null;
}

const instant = (moment: string | null): number | null => (moment === null ? null : Date.parse(moment));
const moment = (at: number | null): Date | null => (at === null ? null : new Date(at));

const intervalOf = ({ state, began_at, ended_at, worked_ms, terms_id }: IntervalRow): TimerInterval => ({
  state,
  from: Date.parse(began_at),
  until: instant(ended_at),
  worked: Number(worked_ms),
  terms_id,
});

const OF_TICKETS = (ticket_ids: readonly string[]): Sql => sql`ticket_id = ANY(${ticket_ids}::uuid[])`;

/** Returns the timers of tickets, oldest first. */
export async function readClocks(db: Db, ticket_ids: readonly string[]): Promise<KeptClock[]> {
  const rows = await db.rows<ClockRow>(sql`
    SELECT id, ticket_id, target, run, terms_id, length_seconds, met_at, breached_at, ended, warned_at, told_at
    FROM ticket_clocks WHERE ${OF_TICKETS(ticket_ids)} ORDER BY run, id`);
  const intervals = await db.rows<IntervalRow>(sql`
    SELECT clock_id, state, began_at, ended_at, worked_ms, terms_id FROM clock_intervals
    WHERE clock_id IN (SELECT id FROM ticket_clocks WHERE ${OF_TICKETS(ticket_ids)}) ORDER BY clock_id, position`);
  const terms = await readTerms(db, sql`SELECT terms_id FROM ticket_clocks WHERE ${OF_TICKETS(ticket_ids)}`);
  const byClock = Map.groupBy(intervals, ({ clock_id }) => clock_id);
  return rows.map(({ id, ticket_id, terms_id, length_seconds, warned_at, told_at, ...row }) => {
    const { target, run, ended } = row;
    const of = terms_id === null ? undefined : terms.get(terms_id);
    const moments = { met_at: instant(row.met_at), breached_at: instant(row.breached_at) };
    const clock = { target, run, ended, ...moments, terms: of ? termsFor(of, length_seconds! * 1000) : null };
    const kept = { id, ticket_id, warned_at: instant(warned_at), told_at: instant(told_at) };
    return { ...kept, clock: { ...clock, intervals: (byClock.get(id) ?? []).map(intervalOf) } };
  });
}

/** Returns the announcements already made for a timer. */
export const announcedOf = ({ warned_at, told_at }: KeptClock): Announced[] => [
  ...(warned_at === null ? [] : (['near_breach'] as const)),
  ...(told_at === null ? [] : (['breached'] as const)),
];

/** Assigns IDs to a ticket's timers after a change: existing rows keep theirs, new ones get one. */
export function joinClocks(ticket_id: string, before: readonly KeptClock[], after: readonly Clock[]): KeptClock[] {
  return after.map((clock) => {
    const known = before.find(({ clock: { target, run } }) => target === clock.target && run === clock.run);
    if (known) return known.clock === clock ? known : { ...known, clock };
    return { id: randomUUIDv7(), ticket_id, warned_at: null, told_at: null, clock };
  });
}

function rowOf(kept: KeptClock, isSilent: boolean) {
  const { id, ticket_id, warned_at, told_at, clock } = kept;
  const { target, run, terms, met_at, breached_at, ended } = clock;
  return {
    id,
    ticket_id,
    target,
    run,
    ended,
    terms_id: terms?.id ?? null,
    length_seconds: terms && terms.length / 1000,
    met_at: moment(met_at),
    breached_at: moment(breached_at),
    next_moment: isSilent ? null : moment(nextAnnouncementAt(clock, announcedOf(kept))),
    warned_at: moment(warned_at),
    told_at: moment(told_at),
  };
}

const intervalRow = ({ id }: KeptClock, { state, from, until, worked, terms_id }: TimerInterval, position: number) => ({
  clock_id: id,
  position,
  state,
  began_at: moment(from),
  ended_at: moment(until),
  worked_ms: worked,
  terms_id,
});

/** Returns the new or changed intervals of an SLA timer. */
function changedIntervals(kept: KeptClock, before: KeptClock | undefined) {
  const known = before?.clock.intervals ?? [];
  return kept.clock.intervals.flatMap((interval, position) =>
    interval === known[position] ? [] : [intervalRow(kept, interval, position)],
  );
}

/** Timers before and after a change. */
export interface ClockChange {
  before: readonly KeptClock[];
  after: readonly KeptClock[];
  /** True if nothing more is announced, because the tickets were deleted. */
  isSilent?: boolean;
}

/** Returns the changed SLA timers. */
function changedClocks({ before, after, isSilent = false }: ClockChange): KeptClock[] {
  const known = new Set(before);
  return after.filter((kept) => isSilent || !known.has(kept));
}

/** Returns the `WITH` parts that store timers: `clocks` and `intervals`. The same statement may create their ticket. */
export function keepingClocks(change: ClockChange): Sql {
  const { before, isSilent = false } = change;
  const known = new Map(before.map((kept) => [kept.id, kept]));
  const changed = changedClocks(change);
  const clocks = JSON.stringify(changed.map((kept) => rowOf(kept, isSilent)));
  const intervals = changed.flatMap((kept) => changedIntervals(kept, known.get(kept.id)));
  // A timer has one open interval: the previous one is closed before the next begins.
  const inOrder = JSON.stringify(intervals.toSorted((one, other) => one.position - other.position));
  return sql`
    clocks AS (
      INSERT INTO ticket_clocks (id, ticket_id, target, run, terms_id, length_seconds, met_at, breached_at, ended, next_moment,
        warned_at, told_at)
      SELECT * FROM jsonb_to_recordset(${clocks}::jsonb) AS clock (id uuid, ticket_id uuid, target text, run int, terms_id uuid,
        length_seconds int, met_at timestamptz, breached_at timestamptz, ended bool, next_moment timestamptz,
        warned_at timestamptz, told_at timestamptz)
      ON CONFLICT (id) DO UPDATE SET (terms_id, length_seconds, met_at, breached_at, ended, next_moment, warned_at, told_at) =
        (EXCLUDED.terms_id, EXCLUDED.length_seconds, EXCLUDED.met_at, EXCLUDED.breached_at, EXCLUDED.ended, EXCLUDED.next_moment,
        EXCLUDED.warned_at, EXCLUDED.told_at)),
    intervals AS (
      INSERT INTO clock_intervals (clock_id, position, state, began_at, ended_at, worked_ms, terms_id)
      SELECT * FROM jsonb_to_recordset(${inOrder}::jsonb) AS interval (clock_id uuid, position int, state text,
        began_at timestamptz, ended_at timestamptz, worked_ms bigint, terms_id uuid)
      ON CONFLICT (workspace_id, clock_id, position) DO UPDATE SET (ended_at, worked_ms, terms_id) =
        (EXCLUDED.ended_at, EXCLUDED.worked_ms, EXCLUDED.terms_id))`;
}

/** Stores the changed SLA timers. */
export async function keepClocks(db: Db, change: ClockChange): Promise<void> {
  if (changedClocks(change).length > 0) await db.rows(sql`WITH ${keepingClocks(change)} SELECT 1`);
}
