import {
  allOf,
  anyOf,
  allUsers,
  follows,
  isActor,
  linkedBy,
  hidden,
  ownedBy,
  staffOnly,
  visibility,
} from '@suite/chassis/visibility';

const notDeleted = 'tickets.deleted_at IS NULL';
const requested = allOf(notDeleted, isActor('requester_user_id'));
/**
 * Rule for tickets of a customer for whom the caller has requested another ticket. Chosen: a user's customer follows
 * from the tickets that agents have assigned to it, since finance knows one user per customer.
 */
const ofOwnCustomer = linkedBy('tickets', {
  record: 'shared_customer_id',
  user: 'requester_user_id',
  column: 'shared_customer_id',
});
const shared = allOf(notDeleted, '(SELECT shares_within_customer())', ofOwnCustomer);
/** Rule for counts: requesters see the counts of their own tickets. Users who see all tickets see all other counts. */
const ownCounts = allOf("ticket_counts.side = 'requester'", isActor('user_id'));
/** An entry of a thread belongs to its own ticket and, after a merge, to the target's thread as well. */
const thread = { ticket_id: 'tickets', thread_id: 'tickets' };

/**
 * Visibility rules of the support desk. Users who see all tickets are on the agents' side. All other users see the
 * tickets that they requested, and staff also see tickets assigned to them.
 */
export const visibilityRules = [
  visibility('tickets', {
    noun: 'ticket',
    all: notDeleted,
    limited: allOf(notDeleted, anyOf(isActor('requester_user_id'), ownedBy('assignee_id'))),
    client: anyOf(requested, shared),
    vendor: requested,
  }),
  // The requester of a merged ticket can read the replies to the target that were sent to them.
  follows('reply_readers', { ticket_id: 'tickets' }, { outsiders: true }),
  follows('replies', { ...thread, id: 'reply_readers' }, { outsiders: true }),
  follows('files', { ...thread, reply_id: 'reply_readers' }, { outsiders: true }),
  // A signed-in holder of a link finds only tickets that they may see anyway.
  follows('ticket_links', { ticket_id: 'tickets' }, { outsiders: true }),
  // Notes, history and e-mails are for agents only, regardless of other access to the ticket.
  follows('ticket_notes', thread),
  follows('note_files', { note_id: 'ticket_notes' }),
  // Received e-mails are for agents who see all tickets, because ignored and failed e-mails have no ticket.
  visibility('mail_messages', { noun: 'ticket', limited: 'FALSE' }),
  visibility('parked_mails', { noun: 'ticket', limited: 'FALSE' }),
  ...['activities', 'mails'].map((table) => follows(table, { ticket_id: 'tickets' })),
  visibility('ticket_counts', { noun: 'ticket', limited: ownCounts, client: ownCounts, vendor: ownCounts }),
  visibility('ticket_figures', { noun: 'ticket', limited: 'FALSE' }),
  // SLA targets and their results are for agents only, too. The counters are for users who see all tickets.
  follows('ticket_clocks', { ticket_id: 'tickets' }),
  follows('clock_intervals', { clock_id: 'ticket_clocks' }),
  visibility('ticket_dues', { noun: 'ticket', limited: 'FALSE' }),
  visibility('response_times', { noun: 'ticket', limited: 'FALSE' }),
  // Reports sum up all tickets, so they are for users who see all tickets.
  visibility('ticket_facts', { noun: 'ticket', limited: 'FALSE' }),
  visibility('faqs', {
    noun: 'faq',
    limited: anyOf('faqs.active', ownedBy('created_by')),
    client: 'faqs.active',
    vendor: 'faqs.active',
  }),
  visibility('articles', {
    noun: 'article',
    limited: anyOf("articles.status = 'published'", ownedBy('author_id')),
    client: "articles.status = 'published'",
    vendor: "articles.status = 'published'",
  }),
  ...['article_counts', 'article_slugs', 'article_views', 'article_votes'].map((table) =>
    follows(table, { article_id: 'articles' }, { outsiders: true }),
  ),
  follows('article_revisions', { article_id: 'articles' }),
  ...allUsers('categories', 'users'),
  ...staffOnly(
    'settings',
    'canned_replies',
    'ticket_tags',
    'mailboxes',
    'mailbox_verifications',
    'blocked_senders',
    'calendars',
    'sla_policies',
    'sla_terms',
  ),
  ...hidden('discarded_files', 'number_counters', 'mail_pauses'),
];
