/** Updates SLA timers after ticket changes. The ticket's SLA columns are the results of its timers. */
import { sql } from '@suite/chassis/database';
import { clock as time } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { columnsOf } from '../sla/announcement.rules.ts';
import { type SlaTimer, timerValues, openInterval } from '../sla/timer.rules.ts';
import { POLICY_CRITERIA, type PolicyCriteria } from '../sla/policy.rules.ts';
import { timersAfter, type SlaEvent, openTimers } from '../sla/ticket-timers.rules.ts';
import { type TimerChange, withTimerIds, storeTimers, type StoredTimer, readTimers } from './timer-rows.ts';
import {
  selectPolicyVersion,
  type PolicyRow,
  slaTargetsOf,
  readPolicies,
  readPolicyVersions,
  type PolicyVersion,
} from './sla-policy-version.ts';

/** Ticket with the fields that its timers need. */
export interface TimedTicket extends PolicyCriteria {
  id: string;
  status: string;
  terms_id: string | null;
  last_agent_reply_at?: unknown;
}

/** Ticket columns that result from its timers. */
export interface SlaValues {
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

const toDate = (at: number | null): Date | null => (at === null ? null : new Date(at));

/**
 * Returns the duration of a target, and true if it was met in time. Both are null without a target, or while it is not
 * met.
 */
function outcomeOf(clock: SlaTimer | undefined, at: number): { seconds: number | null; kept: boolean | null } {
  if (!clock?.terms || clock.met_at === null) return { seconds: null, kept: null };
  const { used, breached_at } = timerValues(clock, at);
  return { seconds: Math.floor(used / 1000), kept: breached_at === null };
}

/** Returns the paused working seconds of completed intervals. */
function pausedSeconds(clocks: readonly SlaTimer[]): number {
  const intervals = clocks.filter(({ target }) => target === 'resolution').flatMap((one) => one.intervals);
  const waits = intervals.filter(({ state, until }) => state === 'paused' && until !== null);
  return Math.floor(waits.reduce((sum, interval) => sum + interval.worked, 0) / 1000);
}

/** Returns the SLA values of a ticket from its SLA timers, after a change at a given time. */
export function slaValues(clocks: readonly SlaTimer[], terms_id: string | null, at: number): SlaValues {
  const last = (target: SlaTimer['target']) => clocks.findLast((one) => one.target === target);
  const moments = columnsOf(clocks, at);
  const [first, resolution] = [outcomeOf(last('first_response'), at), outcomeOf(last('resolution'), at)];
  return {
    terms_id,
    first_response_due: toDate(moments.first_response_due),
    resolution_due: toDate(moments.resolution_due),
    next_due_at: toDate(moments.next_due_at),
    next_warning_at: toDate(moments.next_warning_at),
    breached_at: toDate(moments.breached_at),
    first_responded_at: toDate(last('first_response')?.met_at ?? null),
    first_response_seconds: first.seconds,
    first_response_kept: first.kept,
    resolution_seconds: resolution.seconds,
    resolution_kept: resolution.kept,
    paused_seconds: pausedSeconds(clocks),
  };
}

/** SLA values of a ticket after a change, with the SLA timers to store. */
export interface SlaChange {
  values: Partial<SlaValues>;
  clocks: TimerChange;
}

const UNCHANGED: SlaChange = { values: {}, clocks: { before: [], after: [] } };

/** Starts the timers of a new ticket. @param own_initiative true if an agent opened it proactively */
export async function startTimers(
  db: Db,
  ticket: PolicyCriteria & { id: string; status: string },
  { policies, at, own_initiative }: { policies: PolicyRow[]; at: Date; own_initiative: boolean },
): Promise<SlaChange & { values: SlaValues }> {
  const terms = await selectPolicyVersion(db, policies, ticket);
  const targets = slaTargetsOf(terms, ticket.priority);
  const clocks = openTimers(targets, at.getTime(), { own_initiative, status: ticket.status });
  return {
    values: slaValues(clocks, terms?.id ?? null, at.getTime()),
    clocks: { before: [], after: withTimerIds(ticket.id, [], clocks) },
  };
}

/** Returns the timers after a change, under the policy version then in effect. */
function timersAfterEvent(
  stored: readonly StoredTimer[],
  ticket: TimedTicket,
  terms: PolicyVersion | null,
  event: SlaEvent,
): SlaTimer[] {
  const clocks = stored.map(({ clock }) => clock);
  const targets = slaTargetsOf(terms, ticket.priority);
  // Chosen: a ticket from before the SLA policies gets timers when a policy first applies.
  if (clocks.length > 0 || !event.policyReselected) return timersAfter(clocks, targets, event);
  const own_initiative = Boolean(ticket.last_agent_reply_at);
  return timersAfter(openTimers(targets, event.at, { own_initiative, status: ticket.status }), targets, event);
}

/** Returns a time not before the last change, because the clocks of processes differ. */
const notBefore = (stored: readonly StoredTimer[], at: number): number =>
  Math.max(at, ...stored.map(({ clock }) => openInterval(clock)?.from ?? clock.met_at ?? at));

const hasCriteriaChanged = (before: PolicyCriteria, after: PolicyCriteria): boolean =>
  POLICY_CRITERIA.some((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]));

async function readPolicyVersion(db: Db, id: string | null) {
  const versions = await readPolicyVersions(db, sql`${id}::uuid`);
  return versions.get(id ?? '') ?? null;
}

/**
 * Applies a change of a locked ticket to its SLA timers. Its policy is selected again when a condition may newly match,
 * and when the ticket is no longer spam.
 */
export async function updateTimers(
  db: Db,
  before: TimedTicket,
  after: TimedTicket,
  { at, ...event }: Omit<SlaEvent, 'at' | 'status' | 'policyReselected'> & { at: Date },
): Promise<SlaChange> {
  const policyReselected = hasCriteriaChanged(before, after) || (before.status === 'spam' && after.status !== 'spam');
  const { status } = after;
  if (!policyReselected && status === before.status && !event.agentReplied && !event.requesterReplied && !event.deleted)
    return UNCHANGED;
  const stored = await readTimers(db, [before.id]);
  if (stored.length === 0 && !policyReselected) return UNCHANGED;
  const terms = policyReselected
    ? await selectPolicyVersion(db, await readPolicies(db), after)
    : await readPolicyVersion(db, before.terms_id);
  const time_ms = notBefore(stored, at.getTime());
  const clocks = timersAfterEvent(stored, after, terms, { ...event, at: time_ms, status, policyReselected });
  return {
    values: slaValues(clocks, terms?.id ?? null, time_ms),
    clocks: { before: stored, after: withTimerIds(before.id, stored, clocks), isSilent: event.deleted === true },
  };
}

/** Stores the SLA values of many tickets in one statement. */
async function storeSlaValues(db: Db, values: readonly (SlaValues & { id: string })[]): Promise<void> {
  await db.rows(sql`
    UPDATE tickets SET terms_id = row.terms_id, first_response_due = row.first_response_due, resolution_due = row.resolution_due,
      next_due_at = row.next_due_at, next_warning_at = row.next_warning_at, breached_at = row.breached_at,
      first_responded_at = row.first_responded_at, first_response_seconds = row.first_response_seconds,
      first_response_kept = row.first_response_kept, resolution_seconds = row.resolution_seconds,
      resolution_kept = row.resolution_kept, paused_seconds = row.paused_seconds
    FROM jsonb_to_recordset(${JSON.stringify(values)}::jsonb) AS row (id uuid, terms_id uuid, first_response_due timestamptz,
      resolution_due timestamptz, next_due_at timestamptz, next_warning_at timestamptz, breached_at timestamptz,
      first_responded_at timestamptz, first_response_seconds int, first_response_kept bool, resolution_seconds int,
      resolution_kept bool, paused_seconds int)
    WHERE tickets.id = row.id`);
}

/** Applies the current policies to locked tickets. Start times and used time are preserved. */
export async function reapplyPolicies(db: Db, tickets: readonly TimedTicket[], policies: PolicyRow[]): Promise<void> {
  if (tickets.length === 0) return;
  const now = time.now().getTime();
  const before = await readTimers(
    db,
    tickets.map(({ id }) => id),
  );
  const byTicket = Map.groupBy(before, ({ ticket_id }) => ticket_id);
  const values: (SlaValues & { id: string })[] = [];
  const after: StoredTimer[] = [];
  for (const ticket of tickets) {
    const stored = byTicket.get(ticket.id) ?? [];
    const at = notBefore(stored, now);
    const terms = await selectPolicyVersion(db, policies, ticket);
    const clocks = timersAfterEvent(stored, ticket, terms, { at, status: ticket.status, policyReselected: true });
    values.push({ id: ticket.id, ...slaValues(clocks, terms?.id ?? null, at) });
    after.push(...withTimerIds(ticket.id, stored, clocks));
  }
  await storeSlaValues(db, values);
  await storeTimers(db, { before, after });
}
