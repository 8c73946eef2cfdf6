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
  ...everybody('categories', 'users'),
  ...staffOnly('settings', 'calendars', 'sla_policies'),
  ...nobody('discarded_files', 'number_counters'),
];
