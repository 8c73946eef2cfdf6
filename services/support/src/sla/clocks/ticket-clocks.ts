/** Updates SLA timers after ticket changes. The ticket's SLA columns are the results of its timers. */
import { sql } from '@suite/chassis/database';
import { clock as time } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { columnsOf } from '../sla/announcement.rules.ts';
import { type Clock, timerValues, lasting } from '../sla/clock.rules.ts';
import { SELECTING, type Selected } from '../sla/policy.rules.ts';
import { clocksAfter, type SlaEvent, openClocks } from '../sla/ticket-clocks.rules.ts';
import { type ClockChange, joinClocks, keepClocks, type KeptClock, readClocks } from './clock-rows.ts';
import { chooseTerms, type PolicyRow, promisedBy, readPolicies, readTerms, type TermsRow } from './terms.ts';

/** Ticket with the fields that its timers need. */
export interface TimedTicket extends Selected {
  id: string;
  status: string;
  terms_id: string | null;
  last_agent_reply_at?: unknown;
}

/** Ticket columns that result from its timers. */
export interface SlaFigures {
  terms_id: string | null;
  first_response_due: Date | null;
  resolution_due: Date | null;
  next_due_at: Date | null;
  next_warning_at: Date | null;
  breached_at: Date | null;
  first_responded_at: Date | null;
  first_response_seconds: number | null;
  first_response_kept: boolean | null;
  resolution_seconds: number | null;
  resolution_kept: boolean | null;
  paused_seconds: number;
}

const moment = (at: number | null): Date | null => (at === null ? null : new Date(at));

/**
 * Returns the duration of a target, and true if it was met in time. Both are null without a target, or while it is not
 * met.
 */
function outcomeOf(clock: Clock | undefined, at: number): { seconds: number | null; kept: boolean | null } {
  if (!clock?.terms || clock.met_at === null) return { seconds: null, kept: null };
  const { used, breached_at } = timerValues(clock, at);
  return { seconds: Math.floor(used / 1000), kept: breached_at === null };
}

/** Returns the paused working seconds of completed intervals. */
function pausedSeconds(clocks: readonly Clock[]): number {
  const intervals = clocks.filter(({ target }) => target === 'resolution').flatMap((one) => one.intervals);
  const waits = intervals.filter(({ state, until }) => state === 'paused' && until !== null);
  return Math.floor(waits.reduce((sum, interval) => sum + interval.worked, 0) / 1000);
}

/** Returns the SLA values of a ticket from its SLA timers, after a change at a given time. */
export function slaValues(clocks: readonly Clock[], terms_id: string | null, at: number): SlaFigures {
  const last = (target: Clock['target']) => clocks.findLast((one) => one.target === target);
  const moments = columnsOf(clocks, at);
  const [first, whole] = [outcomeOf(last('first_response'), at), outcomeOf(last('resolution'), at)];
  return {
    terms_id,
    first_response_due: moment(moments.first_response_due),
    resolution_due: moment(moments.resolution_due),
    next_due_at: moment(moments.next_due_at),
    next_warning_at: moment(moments.next_warning_at),
    breached_at: moment(moments.breached_at),
    first_responded_at: moment(last('first_response')?.met_at ?? null),
    first_response_seconds: first.seconds,
    first_response_kept: first.kept,
    resolution_seconds: whole.seconds,
    resolution_kept: whole.kept,
    paused_seconds: pausedSeconds(clocks),
  };
}

/** SLA values of a ticket after a change, with the SLA timers to store. */
export interface Followed {
  figures: Partial<SlaFigures>;
  clocks: ClockChange;
}

const UNCHANGED: Followed = { figures: {}, clocks: { before: [], after: [] } };

/** Starts the timers of a new ticket. @param own_initiative true if an agent opened it proactively */
export async function beginClocks(
  db: Db,
  ticket: Selected & { id: string; status: string },
  { policies, at, own_initiative }: { policies: PolicyRow[]; at: Date; own_initiative: boolean },
): Promise<Followed & { figures: SlaFigures }> {
  const terms = await chooseTerms(db, policies, ticket);
  const promised = promisedBy(terms, ticket.priority);
  const clocks = openClocks(promised, at.getTime(), { own_initiative, status: ticket.status });
  return {
    figures: slaValues(clocks, terms?.id ?? null, at.getTime()),
    clocks: { before: [], after: joinClocks(ticket.id, [], clocks) },
  };
}

/** Returns the timers after a change, under the policy version then in effect. */
function moved(kept: readonly KeptClock[], ticket: TimedTicket, terms: TermsRow | null, happened: SlaEvent): Clock[] {
  const clocks = kept.map(({ clock }) => clock);
  const promised = promisedBy(terms, ticket.priority);
  // Chosen: a ticket from before the SLA policies gets timers when a policy first applies.
  if (clocks.length > 0 || !happened.chosen) return clocksAfter(clocks, promised, happened);
  const own_initiative = Boolean(ticket.last_agent_reply_at);
  return clocksAfter(openClocks(promised, happened.at, { own_initiative, status: ticket.status }), promised, happened);
}

/** Returns a time not before the last change, because the clocks of processes differ. */
const notBefore = (kept: readonly KeptClock[], at: number): number =>
  Math.max(at, ...kept.map(({ clock }) => lasting(clock)?.from ?? clock.met_at ?? at));

const isSelecting = (before: Selected, after: Selected): boolean =>
  SELECTING.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

async function knownTerms(db: Db, id: string | null) {
  const known = await readTerms(db, sql`${id}::uuid`);
  return known.get(id ?? '') ?? null;
}

/**
 * Applies a change of a locked ticket to its SLA timers. Its policy is selected again when a condition may newly match,
 * and when the ticket is no longer spam.
 */
export async function followChange(
  db: Db,
  before: TimedTicket,
  after: TimedTicket,
  { at, ...what }: Omit<SlaEvent, 'at' | 'status' | 'chosen'> & { at: Date },
): Promise<Followed> {
  const chosen = isSelecting(before, after) || (before.status === 'spam' && after.status !== 'spam');
  const { status } = after;
  if (!chosen && status === before.status && !what.answered && !what.asked && !what.deleted) return UNCHANGED;
  const kept = await readClocks(db, [before.id]);
  if (kept.length === 0 && !chosen) return UNCHANGED;
  const terms = chosen ? await chooseTerms(db, await readPolicies(db), after) : await knownTerms(db, before.terms_id);
  const instant = notBefore(kept, at.getTime());
  const clocks = moved(kept, after, terms, { ...what, at: instant, status, chosen });
  return {
    figures: slaValues(clocks, terms?.id ?? null, instant),
    clocks: { before: kept, after: joinClocks(before.id, kept, clocks), isSilent: what.deleted === true },
  };
}

/** Stores the SLA values of many tickets in one statement. */
async function writeFigures(db: Db, figures: readonly (SlaFigures & { id: string })[]): Promise<void> {
  await db.rows(sql`
    UPDATE tickets SET terms_id = row.terms_id, first_response_due = row.first_response_due, resolution_due = row.resolution_due,
      next_due_at = row.next_due_at, next_warning_at = row.next_warning_at, breached_at = row.breached_at,
      first_responded_at = row.first_responded_at, first_response_seconds = row.first_response_seconds,
      first_response_kept = row.first_response_kept, resolution_seconds = row.resolution_seconds,
      resolution_kept = row.resolution_kept, paused_seconds = row.paused_seconds
    FROM jsonb_to_recordset(${JSON.stringify(figures)}::jsonb) AS row (id uuid, terms_id uuid, first_response_due timestamptz,
      resolution_due timestamptz, next_due_at timestamptz, next_warning_at timestamptz, breached_at timestamptz,
      first_responded_at timestamptz, first_response_seconds int, first_response_kept bool, resolution_seconds int,
      resolution_kept bool, paused_seconds int)
    WHERE tickets.id = row.id`);
}

/** Applies the current policies to locked tickets. Start times and used time are preserved. */
export async function chooseAnew(db: Db, tickets: readonly TimedTicket[], policies: PolicyRow[]): Promise<void> {
  if (tickets.length === 0) return;
  const now = time.now().getTime();
  const before = await readClocks(
    db,
    tickets.map(({ id }) => id),
  );
  const byTicket = Map.groupBy(before, ({ ticket_id }) => ticket_id);
  const figures: (SlaFigures & { id: string })[] = [];
  const after: KeptClock[] = [];
  for (const ticket of tickets) {
    const kept = byTicket.get(ticket.id) ?? [];
    const at = notBefore(kept, now);
    const terms = await chooseTerms(db, policies, ticket);
    const clocks = moved(kept, ticket, terms, { at, status: ticket.status, chosen: true });
    figures.push({ id: ticket.id, ...slaValues(clocks, terms?.id ?? null, at) });
    after.push(...joinClocks(ticket.id, kept, clocks));
  }
  await writeFigures(db, figures);
  await keepClocks(db, { before, after });
}
