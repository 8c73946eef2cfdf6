/** The states of a ticket, on which side of it somebody stands, and the rules that both sides keep. */
import { type Caller, fault, lifecycle } from '@suite/chassis';

const ending = { merge: 'merged', mark_spam: 'spam' } as const;

export const ticketStates = lifecycle(
  'ticket',
  {
    new: { open: 'open', wait: 'pending', hold: 'on_hold', resolve: 'resolved', ...ending },
    open: { wait: 'pending', hold: 'on_hold', resolve: 'resolved', ...ending },
    pending: { open: 'open', hold: 'on_hold', resolve: 'resolved', ...ending },
    on_hold: { open: 'open', wait: 'pending', resolve: 'resolved', ...ending },
    resolved: { reopen: 'open', close: 'closed', merge: 'merged' },
    closed: {},
    merged: {},
    spam: { restore: 'open' },
  },
  {
    actions: {
      open: 'ticket.update',
      wait: 'ticket.update',
      hold: 'ticket.update',
      resolve: 'ticket.update',
      reopen: 'ticket.update',
      restore: 'ticket.update',
      mark_spam: 'ticket.update',
      merge: 'ticket.update',
      update: 'ticket.update',
      delete: 'ticket.delete',
      close: { permission: 'ticket.reply', by: 'ticketSteps.close' },
      reply: {
        permission: 'ticket.reply',
        by: 'ticketReplies.create',
        in: ['new', 'open', 'pending', 'on_hold', 'resolved'],
      },
      rate: { permission: 'ticket.reply', by: 'ticketSteps.rate', in: ['resolved', 'closed'] },
      note: { permission: 'ticket.note', by: 'ticketNotes.create' },
    },
  },
);

export type Status = 'new' | 'open' | 'pending' | 'on_hold' | 'resolved' | 'closed' | 'merged' | 'spam';
export type Verb = 'open' | 'wait' | 'hold' | 'resolve' | 'reopen' | 'restore' | 'mark_spam' | 'merge' | 'close';

/** The states of tickets that somebody still works on. */
export const OPEN_STATES = ['new', 'open', 'pending', 'on_hold'] as const;

export const NotAgent = fault(403, 'not_agent', 'You are the requester of this ticket. Only agents can do this.');
export const AgentsOnly = fault(403, 'agents_only', 'Only agents who see all tickets can do this. Ask an agent.');
export const NotRequester = fault(403, 'not_requester', 'Only the requester of this ticket can do this.');
export const TicketClosed = fault(409, 'ticket_closed', 'This ticket is closed. Create a new one.');
export const TicketMerged = fault(409, 'ticket_merged', 'This ticket was merged into another one. Reply there.');
export const TicketIsSpam = fault(
  409,
  'ticket_is_spam',
  'This ticket is marked as spam. Remove the mark before you reply.',
);
export const MergeCircle = fault(409, 'merge_circle', 'These tickets are already merged.');
export const OtherRequester = fault(
  409,
  'other_requester',
  "These tickets have different requesters, who would see each other's messages. Set `force` to merge them anyway.",
);
export const RatingClosed = fault(409, 'rating_closed', 'This ticket cannot be rated at this time.');

/** The words that requesters read for the states; of a merged ticket they read the target's. */
const PUBLIC_WORDS: Record<string, string> = {
  new: 'open',
  open: 'open',
  on_hold: 'open',
  pending: 'waiting_for_you',
  resolved: 'resolved',
  closed: 'closed',
  spam: 'closed',
};
export const publicStatus = (status: string): string => PUBLIC_WORDS[status] ?? 'open';

/** Whose eyes a ticket is shown to. */
export type Side = 'agent' | 'requester';

interface Requested {
  requester_user_id?: string | null;
}

/** People from outside, and whoever requested the ticket, stand on the requester's side of it, whatever they may do. */
export const sideOf = (caller: Pick<Caller, 'kind' | 'user_id'>, { requester_user_id }: Requested): Side =>
  caller.kind === 'client' || caller.kind === 'vendor' || requester_user_id === caller.user_id ? 'requester' : 'agent';

/** Whether a caller is on the agents' side of the support desk as a whole. */
export const isAgent = ({ kind, record_scopes }: Pick<Caller, 'kind' | 'record_scopes'>): boolean =>
  kind === 'owner' || (kind === 'staff' && (record_scopes['ticket'] ?? 'all') === 'all');

/** @throws AgentsOnly for a caller who does not see all tickets */
export function assertAgent(caller: Pick<Caller, 'kind' | 'record_scopes'>): void {
  if (!isAgent(caller)) throw AgentsOnly();
}

/** Whether a caller is the requester; the holder of a link, who has not signed in, stands for a requester without a user. */
export const isRequesterOf = ({ user_id }: Pick<Caller, 'user_id'>, { requester_user_id }: Requested): boolean =>
  (requester_user_id ?? '') === user_id;

/** @throws NotRequester for somebody of the same customer, who reads and answers only */
export function assertRequester(caller: Caller, ticket: Requested): void {
  if (!isRequesterOf(caller, ticket)) throw NotRequester();
}

/** @throws NotAgent for somebody who requested the ticket */
export function assertAgentSide(caller: Caller, ticket: Requested): void {
  if (sideOf(caller, ticket) === 'requester') throw NotAgent();
}

/** A requester's actions follow from the state that he reads, and so reveal no other. */
function requesterActions(caller: Caller, ticket: Requested & { status: string }): string[] {
  const { status } = ticket;
  if (!caller.permissions.includes('ticket.reply')) return [];
  if (!isRequesterOf(caller, ticket)) return ['reply'];
  const word = publicStatus(status);
  const more = { resolved: ['close', 'rate'], closed: ['rate'] }[word] ?? ['resolve'];
  return ['reply', ...(status === 'spam' || status === 'merged' ? [] : more)];
}

/** `allowed_actions` of a ticket for a caller, by the side on which he stands. */
export const actionsFor = (caller: Caller, ticket: Requested & { status: string }): string[] =>
  sideOf(caller, ticket) === 'requester'
    ? requesterActions(caller, ticket)
    : ticketStates.allowedTo(caller, ticket).filter((action) => action !== 'rate');

/** The action that leads from one state to another; undefined where none does. */
export function verbTo(from: string, to: string): Verb | undefined {
  const verbs = (ticketStates.table as Record<string, Record<string, string>>)[from] ?? {};
  return Object.keys(verbs).find((verb) => verbs[verb] === to) as Verb | undefined;
}

/** The action by which others reach a state, for a refusal to name. */
export const verbTowards = (to: string): string =>
  ticketStates.states.map((from) => verbTo(from, to)).find((verb) => verb !== undefined) ?? to;

/** Days after which a rating is not taken any more. */
const RATING_DAYS = 14;
const DAY_MS = 86_400_000;

/** @throws RatingClosed */
export function assertRatable(ticket: { status: string; resolved_at: string | null }, now: Date): void {
  const isOver = ticket.status === 'resolved' || ticket.status === 'closed';
  const since_ms = ticket.resolved_at === null ? Infinity : now.getTime() - Date.parse(ticket.resolved_at);
  if (!isOver || since_ms > RATING_DAYS * DAY_MS) throw RatingClosed();
}
