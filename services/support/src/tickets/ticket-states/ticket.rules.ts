/** Statuses of a ticket, the caller's side, and the rules for both sides. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { lifecycle } from '@suite/chassis/operations';

const endingActions = { merge: 'merged', mark_spam: 'spam' } as const;

export const ticketStates = lifecycle(
  'ticket',
  {
    new: { open: 'open', wait: 'pending', hold: 'on_hold', resolve: 'resolved', ...endingActions },
    open: { wait: 'pending', hold: 'on_hold', resolve: 'resolved', ...endingActions },
    pending: { open: 'open', hold: 'on_hold', resolve: 'resolved', ...endingActions },
    on_hold: { open: 'open', wait: 'pending', resolve: 'resolved', ...endingActions },
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

export type TicketState = 'new' | 'open' | 'pending' | 'on_hold' | 'resolved' | 'closed' | 'merged' | 'spam';
export type TicketAction =
  | 'open'
  | 'wait'
  | 'hold'
  | 'resolve'
  | 'reopen'
  | 'restore'
  | 'mark_spam'
  | 'merge'
  | 'close';

/** Statuses of tickets with work in progress. */
export const OPEN_STATES = ['new', 'open', 'pending', 'on_hold'] as const;

export const NotAgent = fault(403, 'not_agent', 'You are the requester of this ticket. Ask an agent to do this.');
export const AgentsOnly = fault(403, 'agents_only', 'Only agents who see all tickets can do this. Ask an agent.');
export const NotRequester = fault(
  403,
  'not_requester',
  'Only the requester of this ticket can do this. Ask the requester.',
);
export const TicketClosed = fault(409, 'ticket_closed', 'This ticket is closed. Create a new one.');
export const TicketMerged = fault(409, 'ticket_merged', 'This ticket was merged into another one. Reply there.');
export const TicketIsSpam = fault(
  409,
  'ticket_is_spam',
  'This ticket is marked as spam. Remove the mark before you reply.',
);
export const MergeCircle = fault(409, 'merge_circle', 'These tickets are already merged. Choose another ticket.');
export const OtherRequester = fault(
  409,
  'other_requester',
  "These tickets have different requesters, who would see each other's messages. Confirm to merge them.",
);
/** Number of days after which a rating is no longer accepted. */
const RATING_DAYS = 14;
export const RatingClosed = fault(
  409,
  'rating_closed',
  `Only the requester can rate a ticket. Ratings are possible for ${RATING_DAYS} days after the resolution.`,
);

/** Statuses shown to requesters. For a merged ticket, the status of the target. */
const PUBLIC_STATUSES: Record<string, string> = {
  new: 'open',
  open: 'open',
  on_hold: 'open',
  pending: 'waiting_for_you',
  resolved: 'resolved',
  closed: 'closed',
  spam: 'closed',
};
export const publicStatus = (status: string): string => PUBLIC_STATUSES[status] ?? 'open';

/** Side that views a ticket. */
export type TicketSide = 'agent' | 'requester';

interface TicketRequester {
  requester_user_id?: string | null;
}

/**
 * Returns the side of a caller. Clients, vendors and the requester are on the requester's side, regardless of their
 * permissions.
 */
export const sideOf = (caller: Pick<Caller, 'kind' | 'user_id'>, { requester_user_id }: TicketRequester): TicketSide =>
  caller.kind === 'client' || caller.kind === 'vendor' || requester_user_id === caller.user_id ? 'requester' : 'agent';

/** Returns true if a caller is on the agents' side of the whole support desk. */
export const isAgent = ({ kind, record_scopes }: Pick<Caller, 'kind' | 'record_scopes'>): boolean =>
  kind === 'owner' || (kind === 'staff' && (record_scopes['ticket'] ?? 'all') === 'all');

/** Checks that the caller can see all tickets. @throws AgentsOnly */
export function assertAgent(caller: Pick<Caller, 'kind' | 'record_scopes'>): void {
  if (!isAgent(caller)) throw AgentsOnly();
}

/**
 * Returns true if a caller is the requester. The holder of a link, who is not signed in, acts as a requester without a
 * user.
 */
export const isRequesterOf = ({ user_id }: Pick<Caller, 'user_id'>, { requester_user_id }: TicketRequester): boolean =>
  (requester_user_id ?? '') === user_id;

/** @throws NotRequester for another user of the same customer, who may only read and reply */
export function assertRequester(caller: Caller, ticket: TicketRequester): void {
  if (!isRequesterOf(caller, ticket)) throw NotRequester();
}

/** @throws NotAgent for the requester of the ticket */
export function assertAgentSide(caller: Caller, ticket: TicketRequester): void {
  if (sideOf(caller, ticket) === 'requester') throw NotAgent();
}

/** Returns a requester's actions. They depend on the public status only, and so reveal no other status. */
function requesterActions(caller: Caller, ticket: TicketRequester & { status: string }): string[] {
  const { status } = ticket;
  if (!caller.permissions.includes('ticket.reply')) return [];
  if (!isRequesterOf(caller, ticket)) return ['reply'];
  const publicly = publicStatus(status);
  const more = { resolved: ['close', 'rate'], closed: ['rate'] }[publicly] ?? ['resolve'];
  return ['reply', ...(status === 'spam' || status === 'merged' ? [] : more)];
}

/** Returns the `allowed_actions` of a ticket for a caller, depending on the caller's side. */
export const actionsFor = (caller: Caller, ticket: TicketRequester & { status: string }): string[] =>
  sideOf(caller, ticket) === 'requester'
    ? requesterActions(caller, ticket)
    : ticketStates.allowedTo(caller, ticket).filter((action) => action !== 'rate');

/** Returns the action that changes one status to another. Undefined if none does. */
export function actionTo(from: string, to: string): TicketAction | undefined {
  const verbs = (ticketStates.table as Record<string, Record<string, string>>)[from] ?? {};
  return Object.keys(verbs).find((verb) => verbs[verb] === to) as TicketAction | undefined;
}

/** Returns an action that leads to a status from other statuses, for use in a fault. */
export const anyActionTo = (to: string): string =>
  ticketStates.states.map((from) => actionTo(from, to)).find((verb) => verb !== undefined) ?? to;

const DAY_MS = 86_400_000;

/** @throws RatingClosed */
export function assertRatable(ticket: { status: string; resolved_at: string | null }, now: Date): void {
  const isCompleted = ticket.status === 'resolved' || ticket.status === 'closed';
  const since_ms = ticket.resolved_at === null ? Infinity : now.getTime() - Date.parse(ticket.resolved_at);
  if (!isCompleted || since_ms > RATING_DAYS * DAY_MS) throw RatingClosed();
}
