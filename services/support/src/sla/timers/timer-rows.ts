/** Reads and stores SLA timers, of one or many tickets with the same statements. */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { type AnnouncementKind, nextAnnouncementAt } from '../sla/announcement.rules.ts';
import type { SlaTimer, TimerInterval } from '../sla/timer.rules.ts';
import { readPolicyVersions, slaTargetOf } from './sla-policy-version.ts';

/** SLA timer with the other columns of its row. */
export interface StoredTimer {
  id: string;
  ticket_id: string;
  warned_at: number | null;
  told_at: number | null;
  clock: SlaTimer;
}

interface TimerRow {
  id: string;
  ticket_id: string;
  target: SlaTimer['target'];
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

const toMilliseconds = (toDate: string | null): number | null => (toDate === null ? null : Date.parse(toDate));
const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

const intervalOf = ({ state, began_at, ended_at, worked_ms, terms_id }: IntervalRow): TimerInterval => ({
  state,
  from: Date.parse(began_at),
  until: toMilliseconds(ended_at),
  worked: Number(worked_ms),
  terms_id,
});

const belongsToTickets = (ticket_ids: readonly string[]): Sql => sql`ticket_id = ANY(${ticket_ids}::uuid[])`;

/** Returns the timers of tickets, oldest first. */
export async function readTimers(db: Db, ticket_ids: readonly string[]): Promise<StoredTimer[]> {
  const rows = await db.rows<TimerRow>(sql`
    SELECT id, ticket_id, target, run, terms_id, length_seconds, met_at, breached_at, ended, warned_at, told_at
    FROM ticket_clocks WHERE ${belongsToTickets(ticket_ids)} ORDER BY run, id`);
  const intervals = await db.rows<IntervalRow>(sql`
    SELECT clock_id, state, began_at, ended_at, worked_ms, terms_id FROM clock_intervals
    WHERE clock_id IN (SELECT id FROM ticket_clocks WHERE ${belongsToTickets(ticket_ids)}) ORDER BY clock_id, position`);
  const terms = await readPolicyVersions(
    db,
    sql`SELECT terms_id FROM ticket_clocks WHERE ${belongsToTickets(ticket_ids)}`,
  );
  const byClock = Map.groupBy(intervals, ({ clock_id }) => clock_id);
  return rows.map(({ id, ticket_id, terms_id, length_seconds, warned_at, told_at, ...row }) => {
    const { target, run, ended } = row;
    const policyVersion = terms_id === null ? undefined : terms.get(terms_id);
    const moments = { met_at: toMilliseconds(row.met_at), breached_at: toMilliseconds(row.breached_at) };
    const clock = {
      target,
      run,
      ended,
      ...moments,
      terms: policyVersion ? slaTargetOf(policyVersion, length_seconds! * 1000) : null,
    };
    const stored = { id, ticket_id, warned_at: toMilliseconds(warned_at), told_at: toMilliseconds(told_at) };
    return { ...stored, clock: { ...clock, intervals: (byClock.get(id) ?? []).map(intervalOf) } };
  });
}

/** Returns the announcements already made for a timer. */
export const announcementsOf = ({ warned_at, told_at }: StoredTimer): AnnouncementKind[] => [
  ...(warned_at === null ? [] : (['near_breach'] as const)),
  ...(told_at === null ? [] : (['breached'] as const)),
];

/** Assigns IDs to a ticket's timers after a change: existing rows keep theirs, new ones get one. */
export function withTimerIds(
  ticket_id: string,
  before: readonly StoredTimer[],
  after: readonly SlaTimer[],
): StoredTimer[] {
  return after.map((clock) => {
    const existing = before.find(({ clock: { target, run } }) => target === clock.target && run === clock.run);
    if (existing) return existing.clock === clock ? existing : { ...existing, clock };
    return { id: randomUUIDv7(), ticket_id, warned_at: null, told_at: null, clock };
  });
}

function rowOf(stored: StoredTimer, isSilent: boolean) {
  const { id, ticket_id, warned_at, told_at, clock } = stored;
  const { target, run, terms, met_at, breached_at, ended } = clock;
  return {
    id,
    ticket_id,
    target,
    run,
    ended,
    terms_id: terms?.id ?? null,
    length_seconds: terms && terms.length / 1000,
    met_at: toDate(met_at),
    breached_at: toDate(breached_at),
    next_moment: isSilent ? null : toDate(nextAnnouncementAt(clock, announcementsOf(stored))),
    warned_at: toDate(warned_at),
    told_at: toDate(told_at),
  };
}

const intervalRow = (
  { id }: StoredTimer,
  { state, from, until, worked, terms_id }: TimerInterval,
  position: number,
) => ({
  clock_id: id,
  position,
  state,
  began_at: toDate(from),
  ended_at: toDate(until),
  worked_ms: worked,
  terms_id,
});

/** Returns the new or changed intervals of an SLA timer. */
function changedIntervals(stored: StoredTimer, before: StoredTimer | undefined) {
  const existing = before?.clock.intervals ?? [];
  return stored.clock.intervals.flatMap((interval, position) =>
    interval === existing[position] ? [] : [intervalRow(stored, interval, position)],
  );
}

/** Timers before and after a change. */
export interface TimerChange {
  before: readonly StoredTimer[];
  after: readonly StoredTimer[];
  /** True if nothing more is announced, because the tickets were deleted. */
  isSilent?: boolean;
}

/** Returns the changed SLA timers. */
function changedTimers({ before, after, isSilent = false }: TimerChange): StoredTimer[] {
  const existing = new Set(before);
  return after.filter((stored) => isSilent || !existing.has(stored));
}

/** Returns the `WITH` parts that store timers: `clocks` and `intervals`. The same statement may create their ticket. */
export function timersInsert(change: TimerChange): Sql {
  const { before, isSilent = false } = change;
  const existing = new Map(before.map((stored) => [stored.id, stored]));
  const changed = changedTimers(change);
  const clocks = JSON.stringify(changed.map((stored) => rowOf(stored, isSilent)));
  const intervals = changed.flatMap((stored) => changedIntervals(stored, existing.get(stored.id)));
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
export async function storeTimers(db: Db, change: TimerChange): Promise<void> {
  if (changedTimers(change).length > 0) await db.rows(sql`WITH ${timersInsert(change)} SELECT 1`);
}
