/** Has the clocks of a ticket follow what happens to it. The columns of the ticket are what its clocks come to. */
import { clock as time, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { columnsOf } from '../sla/announcement.rules.ts';
import { type Clock, figuresOf, lasting } from '../sla/clock.rules.ts';
import { SELECTING, type Selected } from '../sla/policy.rules.ts';
import { clocksAfter, type Happening, openClocks } from '../sla/ticket-clocks.rules.ts';
import { type ClockChange, joinClocks, keepClocks, type KeptClock, readClocks } from './clock-rows.ts';
import { chooseTerms, type PolicyRow, promisedBy, readPolicies, readTerms, type TermsRow } from './terms.ts';

/** A ticket as its clocks know it. */
export interface TimedTicket extends Selected {
  id: string;
  status: string;
  terms_id: string | null;
  last_agent_reply_at?: unknown;
}

/** The columns of a ticket that its clocks keep. */
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

/** How long a target took, and whether it was in time; nothing of one that was not met, or never promised. */
function outcomeOf(clock: Clock | undefined, at: number): { seconds: number | null; kept: boolean | null } {
  if (!clock?.terms || clock.met_at === null) return { seconds: null, kept: null };
  const { used, breached_at } = figuresOf(clock, at);
  return { seconds: Math.floor(used / 1000), kept: breached_at === null };
}

/** The working seconds of the waits that are over. */
function pausedSeconds(clocks: readonly Clock[]): number {
  const intervals = clocks.filter(({ target }) => target === 'resolution').flatMap((one) => one.intervals);
  const waits = intervals.filter(({ state, until }) => state === 'paused' && until !== null);
  return Math.floor(waits.reduce((sum, interval) => sum + interval.worked, 0) / 1000);
}

/** The figures of a ticket that follow from its clocks, after a change at an instant. */
export function slaFigures(clocks: readonly Clock[], terms_id: string | null, at: number): SlaFigures {
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

/** The figures of a ticket after a change, and the clocks that they come from, which are to be kept. */
export interface Followed {
  figures: Partial<SlaFigures>;
  clocks: ClockChange;
}

const UNCHANGED: Followed = { figures: {}, clocks: { before: [], after: [] } };

/** The clocks of a new ticket. @param own_initiative whether an agent opened it without being asked */
export async function beginClocks(
  db: Db,
  ticket: Selected & { id: string; status: string },
  { policies, at, own_initiative }: { policies: PolicyRow[]; at: Date; own_initiative: boolean },
): Promise<Followed & { figures: SlaFigures }> {
  const terms = await chooseTerms(db, policies, ticket);
  const promised = promisedBy(terms, ticket.priority);
  const clocks = openClocks(promised, at.getTime(), { own_initiative, status: ticket.status });
  return {
    figures: slaFigures(clocks, terms?.id ?? null, at.getTime()),
    clocks: { before: [], after: joinClocks(ticket.id, [], clocks) },
  };
}

/** Clocks after a change, under the terms that hold after it. */
function moved(kept: readonly KeptClock[], ticket: TimedTicket, terms: TermsRow | null, happened: Happening): Clock[] {
  const clocks = kept.map(({ clock }) => clock);
  const promised = promisedBy(terms, ticket.priority);
  // Chosen: a ticket that is older than the promises has clocks from the moment at which it comes under one.
  if (clocks.length > 0 || !happened.chosen) return clocksAfter(clocks, promised, happened);
  const own_initiative = Boolean(ticket.last_agent_reply_at);
  return clocksAfter(openClocks(promised, happened.at, { own_initiative, status: ticket.status }), promised, happened);
}

/** No change comes before the last one, however much the clocks of two processes differ. */
const notBefore = (kept: readonly KeptClock[], at: number): number =>
  Math.max(at, ...kept.map(({ clock }) => lasting(clock)?.from ?? clock.met_at ?? at));

const isSelecting = (before: Selected, after: Selected): boolean =>
  SELECTING.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

/**
 * Follows a change of a ticket that is locked. Its policy is chosen anew when a condition of one could hold that did not, and
 * when it turns out to be no spam.
 */
export async function followChange(
  db: Db,
  before: TimedTicket,
  after: TimedTicket,
  { at, ...what }: Omit<Happening, 'at' | 'status' | 'chosen'> & { at: Date },
): Promise<Followed> {
  const chosen = isSelecting(before, after) || (before.status === 'spam' && after.status !== 'spam');
  const { status } = after;
  if (!chosen && status === before.status && !what.answered && !what.asked && !what.deleted) return UNCHANGED;
  const [kept, policies, known] = await Promise.all([
    readClocks(db, [before.id]),
    chosen ? readPolicies(db) : [],
    chosen ? undefined : readTerms(db, sql`${before.terms_id}::uuid`),
  ]);
  if (kept.length === 0 && !chosen) return UNCHANGED;
  const terms = known ? (known.get(before.terms_id ?? '') ?? null) : await chooseTerms(db, policies, after);
  const instant = notBefore(kept, at.getTime());
  const clocks = moved(kept, after, terms, { ...what, at: instant, status, chosen });
  return {
    figures: slaFigures(clocks, terms?.id ?? null, instant),
    clocks: { before: kept, after: joinClocks(before.id, kept, clocks), isSilent: what.deleted === true },
  };
}

/** Writes the figures of many tickets at once. */
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

/** Puts locked tickets under the policies of today, with the beginnings and the used time that they have. */
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
    figures.push({ id: ticket.id, ...slaFigures(clocks, terms?.id ?? null, at) });
    after.push(...joinClocks(ticket.id, kept, clocks));
  }
  await writeFigures(db, figures);
  await keepClocks(db, { before, after });
}
