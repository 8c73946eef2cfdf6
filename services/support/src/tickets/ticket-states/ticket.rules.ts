/** Statuses of a ticket, the actions that they allow, and the rules for replies, merges and ratings. */
import { fault } from '@suite/chassis/faults';
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
    // An action without an arrow above changes no status: `in` lists the statuses that allow it, by default all. `by` is
    // the operation that performs the action, if its own `access` declares something else.
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

export type TicketState = (typeof ticketStates.states)[number];
/** Action that changes the status. */
export type TicketAction = ReturnType<typeof ticketStates.allowed>[number];

/** Statuses of tickets with work in progress. */
export const OPEN_STATES = ['new', 'open', 'pending', 'on_hold'] as const;

export const TicketClosed = fault(409, 'ticket_closed', 'This ticket is closed. Create a new one.');
export const TicketMerged = fault(409, 'ticket_merged', 'This ticket was merged into another one. Reply there.');
export const TicketIsSpam = fault(
  409,
  'ticket_is_spam',
  'This ticket is marked as spam. Remove the mark before you reply.',
);
export const MergeCircle = fault(
  409,
  'merge_circle',
  'A ticket cannot be merged into itself, or into one that was merged into it. Choose another ticket.',
);
export const OtherRequester = fault(
  409,
  'other_requester',
  "These tickets have different requesters, who would see each other's messages. Confirm to merge them.",
);

/** Returns the action that changes one status to another. Undefined if none does. */
export const actionTo = (from: string, to: string): TicketAction | undefined =>
  ticketStates.allowed(from).find((action) => ticketStates.table[from]?.[action] === to);

/** Returns an action that leads to a status from other statuses, for use in a fault. */
export const anyActionTo = (to: string): string =>
  ticketStates.states.map((from) => actionTo(from, to)).find((verb) => verb !== undefined) ?? to;

/** Number of days after which a rating is no longer accepted. */
const RATING_DAYS = 14;
const DAY_MS = 86_400_000;

export const RatingClosed = fault(
  409,
  'rating_closed',
  `Only the requester can rate a ticket. Ratings are possible for ${RATING_DAYS} days after the resolution.`,
);

/** @throws RatingClosed */
export function assertRatable(ticket: { status: string; resolved_at: string | null }, now: Date): void {
  const isCompleted = ticket.status === 'resolved' || ticket.status === 'closed';
  const since_ms = ticket.resolved_at === null ? Infinity : now.getTime() - Date.parse(ticket.resolved_at);
  if (!isCompleted || since_ms > RATING_DAYS * DAY_MS) throw RatingClosed();
}
