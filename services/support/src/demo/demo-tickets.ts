/** Demo tickets of the last three months in all statuses, with replies and notes. */
import { randomUUIDv7 } from 'node:crypto';
import {
  randomContact,
  daysFrom,
  isChosen,
  randomMoment,
  randomNumber,
  pickOne,
  pickSome,
  pickWeighted,
  type DemoUser,
} from '@suite/demo';
import type { Prisma } from '../generated/client.ts';
import { publicStatus } from '../tickets/ticket-states/ticket-side.rules.ts';
import type { TicketState } from '../tickets/ticket-states/ticket.rules.ts';
import { ANSWERS, NOTES, PROBLEMS, QUESTIONS, TAGS, TEAMS, THANKS } from './demo-texts.ts';

/** Rows to insert, by table. */
export interface DemoRows {
  tickets: Prisma.TicketCreateManyInput[];
  replies: Prisma.ReplyCreateManyInput[];
  notes: Prisma.TicketNoteCreateManyInput[];
  activities: Prisma.ActivityCreateManyInput[];
}

/** Users and categories of the demo. */
export interface DemoContext {
  now: Date;
  agents: readonly DemoUser[];
  clients: readonly DemoUser[];
  category_ids: readonly string[];
}

const DAYS = 90;
const REOPEN_DAYS = 7;
const STATES: readonly TicketState[] = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed', 'spam', 'merged'];

/** Returns the status of a ticket by its index: first one of each, then a typical distribution. */
const stateOf = (index: number): TicketState =>
  STATES[index] ??
  pickWeighted<TicketState>([
    [2, 'new'],
    [4, 'open'],
    [3, 'pending'],
    [1, 'on_hold'],
    [3, 'resolved'],
    [12, 'closed'],
    [1, 'spam'],
  ]);

/** Returns the start of a ticket. Completed tickets are older than active ones. */
function creationTime(now: Date, state: TicketState): Date {
  const age = { closed: [12, DAYS], resolved: [1, 6], new: [0, 2] }[state as string] ?? [0, 20];
  return randomMoment(daysFrom(now, -age[1]!), daysFrom(now, -age[0]!));
}

/** Returns the requester of a ticket: a client, or a person without an account. */
function requesterOf({ clients }: DemoContext) {
  const client = isChosen(0.4) && clients.length > 0 ? pickOne(clients) : undefined;
  const { name, email } = client ?? randomContact();
  return { requester_name: name, requester_email: email.toLowerCase(), requester_user_id: client?.id ?? null };
}

/** Returns the timestamps that a status implies. */
function completionOf(state: TicketState, created_at: Date, now: Date) {
  const wasAnswered = !['new', 'spam', 'merged'].includes(state);
  const resolved_at =
    state === 'resolved' || state === 'closed' ? daysFrom(created_at, randomNumber(5, 100) / 100) : null;
  const closed_at = state === 'closed' ? daysFrom(resolved_at!, REOPEN_DAYS) : null;
  const pending_until = state === 'pending' && isChosen(0.5) ? daysFrom(now, randomNumber(1, 9)) : null;
  const moves_at = state === 'resolved' ? daysFrom(resolved_at!, REOPEN_DAYS) : pending_until;
  const isRated = resolved_at !== null && isChosen(0.4);
  const rated = { rating: isRated ? randomNumber(2, 5) : null, rated_at: isRated ? daysFrom(resolved_at, 0.2) : null };
  return { wasAnswered, moments: { resolved_at, closed_at, pending_until, moves_at, ...rated } };
}

/** Adds the replies of a ticket, alternating between requester and agent. */
function addConversation(
  rows: DemoRows,
  ticket: { id: string; name: string; created_at: Date; end: Date },
  agent: DemoUser,
): void {
  const { id: ticket_id, name, created_at, end } = ticket;
  let at = created_at;
  for (let remaining = randomNumber(1, 5); remaining > 0; remaining -= 1) {
    at = randomMoment(at, end);
    const common = { id: randomUUIDv7(), ticket_id, thread_id: ticket_id, at };
    const agents = { author_kind: 'agent', author_id: agent.id, author_name: agent.name, delivery: 'sent' };
    const customers = { author_kind: 'customer', author_name: name };
    const isAnswer = remaining % 2 === 1;
    const body = isAnswer ? pickOne(ANSWERS) : pickOne([...QUESTIONS, ...THANKS]);
    rows.replies.push({ ...common, ...(isAnswer ? agents : customers), body });
    rows.activities.push({ ticket_id, verb: 'replied', diff: {}, at, actor_id: isAnswer ? agent.id : null });
  }
}

/** Adds a ticket with its thread. */
export function addTicket(rows: DemoRows, context: DemoContext, index: number): void {
  const { now, agents, category_ids } = context;
  const state = stateOf(index);
  const created_at = creationTime(now, state);
  const { wasAnswered, moments } = completionOf(state, created_at, now);
  const agent = pickOne(agents);
  const id = randomUUIDv7();
  const requester = requesterOf(context);
  const target = state === 'merged' ? rows.tickets[1] : undefined;
  const merged = target && { merged_into: target.id as string, merged_number: target.number };
  const [subject, description] = pickOne(PROBLEMS);
  if (wasAnswered)
    addConversation(rows, { id, name: requester.requester_name, created_at, end: moments.resolved_at ?? now }, agent);
  const replies = rows.replies.filter(({ ticket_id }) => ticket_id === id);
  const lastOf = (kind: string) => replies.findLast(({ author_kind }) => author_kind === kind)?.at ?? null;
  rows.tickets.push({
    ...requester,
    ...moments,
    ...merged,
    id,
    number: `T-${String(index + 1).padStart(6, '0')}`,
    subject,
    description,
    category_id: isChosen(0.85) ? pickOne(category_ids) : null,
    priority: pickOne(['low', 'medium', 'medium', 'high', 'urgent']),
    type: isChosen(0.6) ? pickOne(['question', 'incident', 'problem', 'request']) : null,
    status: state,
    public_status: target ? publicStatus(target.status!) : publicStatus(state),
    assignee_id: wasAnswered ? agent.id : null,
    team: isChosen(0.3) ? pickOne(TEAMS) : null,
    tags: isChosen(0.5) ? pickSome(TAGS, 3) : [],
    channel: requester.requester_user_id ? 'portal' : 'api',
    last_agent_reply_at: lastOf('agent'),
    last_customer_reply_at: lastOf('customer'),
    created_at,
    updated_at: created_at,
    public_updated_at: created_at,
  });
  rows.activities.push({ ticket_id: id, verb: 'created', diff: {}, at: created_at });
  if (wasAnswered && isChosen(0.4)) {
    const note = { ticket_id: id, thread_id: id, author_id: agent.id, author_name: agent.name, body: pickOne(NOTES) };
    rows.notes.push({ ...note, created_at: randomMoment(created_at, now) });
  }
}
