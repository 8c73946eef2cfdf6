/** Demo tickets of the last three months in all statuses, with replies and notes. */
import { randomUUIDv7 } from 'node:crypto';
import {
  contact,
  daysFrom,
  happens,
  momentBetween,
  randomNumber,
  oneOf,
  someOf,
  weighted,
  type DemoUser,
} from '@suite/demo';
import type { Prisma } from '../generated/client.ts';
import { publicStatus } from '../tickets/ticket-states/ticket.rules.ts';
import { ANSWERS, NOTES, PROBLEMS, QUESTIONS, TAGS, TEAMS, THANKS } from './wording.ts';

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
const STATES = ['new', 'open', 'pending', 'on_hold', 'resolved', 'closed', 'spam', 'merged'] as const;
type State = (typeof STATES)[number];

/** Returns the status of a ticket by its index: first one of each, then a typical distribution. */
const stateOf = (index: number): State =>
  STATES[index] ??
  weighted<State>([
    [2, 'new'],
    [4, 'open'],
    [3, 'pending'],
    [1, 'on_hold'],
    [3, 'resolved'],
    [12, 'closed'],
    [1, 'spam'],
  ]);

/** Returns the start of a ticket. Completed tickets are older than active ones. */
function begunAt(now: Date, state: State): Date {
  const age = { closed: [12, DAYS], resolved: [1, 6], new: [0, 2] }[state as string] ?? [0, 20];
  return momentBetween(daysFrom(now, -age[1]!), daysFrom(now, -age[0]!));
}

/** Returns the requester of a ticket: a client, or a person without an account. */
function requesterOf({ clients }: DemoContext) {
  const client = happens(0.4) && clients.length > 0 ? oneOf(clients) : undefined;
  const { name, email } = client ?? contact();
  return { requester_name: name, requester_email: email.toLowerCase(), requester_user_id: client?.id ?? null };
}

/** Returns the timestamps that a status implies. */
function endOf(state: State, begun: Date, now: Date) {
  const wasAnswered = !['new', 'spam', 'merged'].includes(state);
  const resolved_at = state === 'resolved' || state === 'closed' ? daysFrom(begun, randomNumber(5, 100) / 100) : null;
  const closed_at = state === 'closed' ? daysFrom(resolved_at!, REOPEN_DAYS) : null;
  const pending_until = state === 'pending' && happens(0.5) ? daysFrom(now, randomNumber(1, 9)) : null;
  const moves_at = state === 'resolved' ? daysFrom(resolved_at!, REOPEN_DAYS) : pending_until;
  const isRated = resolved_at !== null && happens(0.4);
  const rated = { rating: isRated ? randomNumber(2, 5) : null, rated_at: isRated ? daysFrom(resolved_at, 0.2) : null };
  return { wasAnswered, moments: { resolved_at, closed_at, pending_until, moves_at, ...rated } };
}

/** Adds the replies of a ticket, alternating between requester and agent. */
function converse(rows: DemoRows, ticket: { id: string; name: string; begun: Date; end: Date }, agent: DemoUser): void {
  const { id: ticket_id, name, begun, end } = ticket;
  let at = begun;
  for (let turn = randomNumber(1, 5); turn > 0; turn -= 1) {
    at = momentBetween(at, end);
    const common = { id: randomUUIDv7(), ticket_id, thread_id: ticket_id, at };
    const agents = { author_kind: 'agent', author_id: agent.id, author_name: agent.name, delivery: 'sent' };
    const customers = { author_kind: 'customer', author_name: name };
    const isAnswer = turn % 2 === 1;
    const body = isAnswer ? oneOf(ANSWERS) : oneOf([...QUESTIONS, ...THANKS]);
    rows.replies.push({ ...common, ...(isAnswer ? agents : customers), body });
    rows.activities.push({ ticket_id, verb: 'replied', diff: {}, at, actor_id: isAnswer ? agent.id : null });
  }
}

/** Adds a ticket with its thread. */
export function addTicket(rows: DemoRows, context: DemoContext, index: number): void {
  const { now, agents, category_ids } = context;
  const state = stateOf(index);
  const begun = begunAt(now, state);
  const { wasAnswered, moments } = endOf(state, begun, now);
  const agent = oneOf(agents);
  const id = randomUUIDv7();
  const whose = requesterOf(context);
  const target = state === 'merged' ? rows.tickets[1] : undefined;
  const merged = target && { merged_into: target.id as string, merged_number: target.number };
  const [subject, description] = oneOf(PROBLEMS);
  if (wasAnswered) converse(rows, { id, name: whose.requester_name, begun, end: moments.resolved_at ?? now }, agent);
  const replies = rows.replies.filter(({ ticket_id }) => ticket_id === id);
  const lastOf = (kind: string) => replies.findLast(({ author_kind }) => author_kind === kind)?.at ?? null;
  rows.tickets.push({
    ...whose,
    ...moments,
    ...merged,
    id,
    number: `T-${String(index + 1).padStart(6, '0')}`,
    subject,
    description,
    category_id: happens(0.85) ? oneOf(category_ids) : null,
    priority: oneOf(['low', 'medium', 'medium', 'high', 'urgent']),
    type: happens(0.6) ? oneOf(['question', 'incident', 'problem', 'request']) : null,
    status: state,
    public_status: target ? publicStatus(target.status!) : publicStatus(state),
    assignee_id: wasAnswered ? agent.id : null,
    team: happens(0.3) ? oneOf(TEAMS) : null,
    tags: happens(0.5) ? someOf(TAGS, 3) : [],
    channel: whose.requester_user_id ? 'portal' : 'api',
    last_agent_reply_at: lastOf('agent'),
    last_customer_reply_at: lastOf('customer'),
    created_at: begun,
    updated_at: begun,
    public_updated_at: begun,
  });
  rows.activities.push({ ticket_id: id, verb: 'created', diff: {}, at: begun });
  if (wasAnswered && happens(0.4)) {
    const note = { ticket_id: id, thread_id: id, author_id: agent.id, author_name: agent.name, body: oneOf(NOTES) };
    rows.notes.push({ ...note, created_at: momentBetween(begun, now) });
  }
}
