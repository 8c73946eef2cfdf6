/** SLA targets of the demo's tickets: their timers follow replies and transitions, like real ones. */
import { happens, momentBetween } from '@suite/demo';
import { workingTime } from '../sla/calendars/working-time.rules.ts';
import { joinClocks, type KeptClock } from '../sla/clocks/clock-rows.ts';
import { chooseTerms, promisedBy, readPolicies, type TermsRow } from '../sla/clocks/terms.ts';
import { slaValues } from '../sla/clocks/ticket-clocks.ts';
import type { Prisma } from '../generated/client.ts';
import type { Db } from '../operations.ts';
import { dueAnnouncements } from '../sla/sla/announcement.rules.ts';
import type { Clock } from '../sla/sla/clock.rules.ts';
import { clocksAfter, openClocks } from '../sla/sla/ticket-clocks.rules.ts';
import type { DemoRows } from './demo-tickets.ts';

type Ticket = Prisma.TicketCreateManyInput;

/** Event in the history of a ticket. */
interface Step {
  at: Date;
  status: string;
  answered?: boolean;
  asked?: boolean;
}

const MINUTE_MS = 60_000;
const date = (moment: Date | string | null | undefined): Date => new Date(moment!);

/** Returns the life of a ticket: each reply, including those with a wait for the customer, and its final status. */
function lifeOf(ticket: Ticket, replies: DemoRows['replies'], now: Date): Step[] {
  const steps: Step[] = [];
  let status = 'new';
  for (const [index, { at, author_kind }] of replies.entries()) {
    const answered = author_kind === 'agent';
    const isAskedBack = answered && replies[index + 1]?.author_kind === 'customer' && happens(0.5);
    if (isAskedBack) status = 'pending';
    else if (answered ? status === 'new' : status === 'pending') status = 'open';
    steps.push({ at: date(at), status, answered, asked: !answered });
  }
  const last = steps.at(-1)?.at ?? date(ticket.created_at);
  if (ticket.resolved_at) steps.push({ at: date(ticket.resolved_at), status: 'resolved' });
  if (ticket.closed_at) steps.push({ at: date(ticket.closed_at), status: 'closed' });
  else if (ticket.status !== (ticket.resolved_at ? 'resolved' : status))
    steps.push({ at: momentBetween(last, now), status: ticket.status! });
  return steps;
}

/** Adds events to the history of a ticket. */
function record({ activities }: DemoRows, { id }: Ticket, steps: readonly Step[]): void {
  let before = 'new';
  for (const { status, at } of steps) {
    if (status !== before)
      activities.push({ ticket_id: id!, verb: 'status_changed', diff: { status: [before, status] }, at });
    before = status;
  }
}

/** Marks the due announcements of an SLA timer as done, like the schedule, but without e-mails about the past. */
function announced({ activities }: DemoRows, kept: KeptClock, now: Date): KeptClock {
  let told = kept;
  for (const { kind, at } of dueAnnouncements(kept.clock, [], now.getTime())) {
    const diff = { target: [null, kept.clock.target] };
    activities.push({ ticket_id: kept.ticket_id, verb: `sla_${kind}`, diff, at: new Date(at) });
    told =
      kind === 'breached'
        ? { ...told, told_at: at, clock: { ...told.clock, breached_at: at } }
        : { ...told, warned_at: at };
  }
  return told;
}

/** Moves the creation of a ticket back until nine tenths of its first-response time have passed. */
function putNearBreach({ activities }: DemoRows, ticket: Ticket, terms: TermsRow | null, now: Date): void {
  const length = promisedBy(terms, ticket.priority!)?.targets.first_response?.length;
  if (!terms || !length) return;
  let at = now.getTime();
  while (workingTime(terms, at, now.getTime()) < 0.9 * length) at -= MINUTE_MS;
  const begun = new Date(at);
  Object.assign(ticket, { created_at: begun, updated_at: begun, public_updated_at: begun });
  for (const line of activities) if (line.ticket_id === ticket.id) line.at = begun;
}

/**
 * Applies the workspace's SLA policies to the demo's tickets. Some unanswered tickets are nearly overdue.
 * @returns the SLA timers to store after the tickets; the rows already contain their values
 */
export async function promiseAll(db: Db, rows: DemoRows, now: Date): Promise<KeptClock[]> {
  const policies = await readPolicies(db);
  const byTicket = Map.groupBy(rows.replies, ({ ticket_id }) => ticket_id);
  const all: KeptClock[] = [];
  for (const [index, ticket] of rows.tickets.entries()) {
    const { priority = 'medium', category_id = null, type = null, customer_id = null, channel = 'api' } = ticket;
    const selected = { priority, category_id, type, customer_id, channel, tags: ticket.tags as string[] };
    const terms = await chooseTerms(db, policies, selected);
    if (ticket.status === 'new' && index % 4 === 0) putNearBreach(rows, ticket, terms, now);
    const promised = promisedBy(terms, priority);
    const steps = lifeOf(ticket, byTicket.get(ticket.id!) ?? [], now);
    let clocks: Clock[] = openClocks(promised, date(ticket.created_at).getTime());
    for (const { at, ...step } of steps) clocks = clocksAfter(clocks, promised, { ...step, at: at.getTime() });
    record(rows, ticket, steps);
    const kept = joinClocks(ticket.id!, [], clocks).map((clock) => announced(rows, clock, now));
    const figures = slaValues(
      kept.map(({ clock }) => clock),
      terms?.id ?? null,
      now.getTime(),
    );
    Object.assign(ticket, figures);
    all.push(...kept);
  }
  return all;
}
