/** Side that views a ticket, and the statuses, rules and actions of each side. */
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { ticketStates } from './ticket.rules.ts';

export const NotAgent = fault(403, 'not_agent', 'You are the requester of this ticket. Ask an agent to do this.');
export const AgentsOnly = fault(403, 'agents_only', 'Only agents who see all tickets can do this. Ask an agent.');
export const NotRequester = fault(
  403,
  'not_requester',
  'Only the requester of this ticket can do this. Ask the requester.',
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
