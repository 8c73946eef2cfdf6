/** SLA targets of the demo's tickets: their timers follow replies and transitions, like real ones. */
import { isChosen, randomMoment } from '@suite/demo';
import { workingTime } from '../sla/calendars/working-time.rules.ts';
import { withTimerIds, type StoredTimer } from '../sla/timers/timer-rows.ts';
import {
  selectPolicyVersion,
  slaTargetsOf,
  readPolicies,
  type PolicyVersion,
} from '../sla/timers/sla-policy-version.ts';
import { slaValues } from '../sla/timers/ticket-timers.ts';
import type { Prisma } from '../generated/client.ts';
import type { Db } from '../operations.ts';
import { dueAnnouncements } from '../sla/sla/announcement.rules.ts';
import type { SlaTimer } from '../sla/sla/timer.rules.ts';
import { timersAfter, openTimers } from '../sla/sla/ticket-timers.rules.ts';
import type { DemoRows } from './demo-tickets.ts';

type Ticket = Prisma.TicketCreateManyInput;

/** Event in the history of a ticket. */
interface TicketEvent {
  at: Date;
  status: string;
  agentReplied?: boolean;
  requesterReplied?: boolean;
}

const MINUTE_MS = 60_000;
const date = (moment: Date | string | null | undefined): Date => new Date(moment!);

/** Returns the life of a ticket: each reply, including those with a wait for the customer, and its final status. */
function eventsOf(ticket: Ticket, replies: DemoRows['replies'], now: Date): TicketEvent[] {
  const steps: TicketEvent[] = [];
  let status = 'new';
  for (const [index, { at, author_kind }] of replies.entries()) {
    const agentReplied = author_kind === 'agent';
    const isQuestion = agentReplied && replies[index + 1]?.author_kind === 'customer' && isChosen(0.5);
    if (isQuestion) status = 'pending';
    else if (agentReplied ? status === 'new' : status === 'pending') status = 'open';
    steps.push({ at: date(at), status, agentReplied, requesterReplied: !agentReplied });
  }
  const last = steps.at(-1)?.at ?? date(ticket.created_at);
  if (ticket.resolved_at) steps.push({ at: date(ticket.resolved_at), status: 'resolved' });
  if (ticket.closed_at) steps.push({ at: date(ticket.closed_at), status: 'closed' });
  else if (ticket.status !== (ticket.resolved_at ? 'resolved' : status))
    steps.push({ at: randomMoment(last, now), status: ticket.status! });
  return steps;
}

/** Adds events to the history of a ticket. */
function recordEvents({ activities }: DemoRows, { id }: Ticket, steps: readonly TicketEvent[]): void {
  let before = 'new';
  for (const { status, at } of steps) {
    if (status !== before)
      activities.push({ ticket_id: id!, verb: 'status_changed', diff: { status: [before, status] }, at });
    before = status;
  }
}

/** Marks the due announcements of an SLA timer as done, like the schedule, but without e-mails about the past. */
function withAnnouncements({ activities }: DemoRows, stored: StoredTimer, now: Date): StoredTimer {
  let timer = stored;
  for (const { kind, at } of dueAnnouncements(stored.clock, [], now.getTime())) {
    const diff = { target: [null, stored.clock.target] };
    activities.push({ ticket_id: stored.ticket_id, verb: `sla_${kind}`, diff, at: new Date(at) });
    timer =
      kind === 'breached'
        ? { ...timer, told_at: at, clock: { ...timer.clock, breached_at: at } }
        : { ...timer, warned_at: at };
  }
  return timer;
}

/** Moves the creation of a ticket back until nine tenths of its first-response time have passed. */
function moveNearBreach({ activities }: DemoRows, ticket: Ticket, terms: PolicyVersion | null, now: Date): void {
  const length = slaTargetsOf(terms, ticket.priority!)?.targets.first_response?.length;
  if (!terms || !length) return;
  let at = now.getTime();
  while (workingTime(terms, at, now.getTime()) < 0.9 * length) at -= MINUTE_MS;
  const created_at = new Date(at);
  Object.assign(ticket, { created_at, updated_at: created_at, public_updated_at: created_at });
  for (const line of activities) if (line.ticket_id === ticket.id) line.at = created_at;
}

/**
 * Applies the workspace's SLA policies to the demo's tickets. Some unanswered tickets are nearly overdue.
 * @returns the SLA timers to store after the tickets. The rows already contain their values
 */
export async function applySlaTargets(db: Db, rows: DemoRows, now: Date): Promise<StoredTimer[]> {
  const policies = await readPolicies(db);
  const byTicket = Map.groupBy(rows.replies, ({ ticket_id }) => ticket_id);
  const all: StoredTimer[] = [];
  for (const [index, ticket] of rows.tickets.entries()) {
    const { priority = 'medium', category_id = null, type = null, customer_id = null, channel = 'api' } = ticket;
    const selected = { priority, category_id, type, customer_id, channel, tags: ticket.tags as string[] };
    const terms = await selectPolicyVersion(db, policies, selected);
    if (ticket.status === 'new' && index % 4 === 0) moveNearBreach(rows, ticket, terms, now);
    const targets = slaTargetsOf(terms, priority);
    const steps = eventsOf(ticket, byTicket.get(ticket.id!) ?? [], now);
    let clocks: SlaTimer[] = openTimers(targets, date(ticket.created_at).getTime());
    for (const { at, ...step } of steps) clocks = timersAfter(clocks, targets, { ...step, at: at.getTime() });
    recordEvents(rows, ticket, steps);
    const stored = withTimerIds(ticket.id!, [], clocks).map((clock) => withAnnouncements(rows, clock, now));
    const values = slaValues(
      stored.map(({ clock }) => clock),
      terms?.id ?? null,
      now.getTime(),
    );
    Object.assign(ticket, values);
    all.push(...stored);
  }
  return all;
}
