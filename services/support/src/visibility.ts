import { allOf, anyOf, everybody, follows, isActor, nobody, ownedBy, staffOnly, visibility } from '@suite/chassis';

/**
 * Visibility of the support desk. Whoever sees all tickets is on the agents' side; everybody else sees the tickets that they
 * requested, and members of staff those that lie with them, too.
 */
export const whoSeesWhat = [
  visibility('tickets', {
    noun: 'ticket',
    all: 'tickets.deleted_at IS NULL',
    limited: allOf('tickets.deleted_at IS NULL', anyOf(isActor('requester_user_id'), ownedBy('assignee_id'))),
    client: allOf('tickets.deleted_at IS NULL', isActor('requester_user_id')),
    vendor: allOf('tickets.deleted_at IS NULL', isActor('requester_user_id')),
  }),
  follows('replies', { ticket_id: 'tickets' }, { outsiders: true }),
  follows('files', { ticket_id: 'tickets' }, { outsiders: true }),
  // Notes and history are for agents alone, whatever else somebody may see of the ticket.
  ...['ticket_notes', 'activities'].map((table) => follows(table, { ticket_id: 'tickets' })),
  ...everybody('categories', 'users'),
  ...staffOnly('settings', 'mailboxes', 'parked_mails', 'blocked_senders'),
  ...nobody('discarded_files', 'number_counters', 'mail_messages'),
];
