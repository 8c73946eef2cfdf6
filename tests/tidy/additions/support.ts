const mailbox = 'inbound e-mails arrive through mailboxes, and the specification names no operation for them';
const parked = 'an unreadable e-mail is lost unless an agent checks it';
const received = 'no e-mail is lost without a trace, and agents can read the original';
const blocked = 'unwanted senders are blocked';
const read = 'desk records come from other places, and agents must be able to read a single one';
const link = 'a requester without a login reads, answers, rates and closes tickets by a link';

/** Routes of the support desk that the specification does not list, each with its reason. */
export const ofSupport: Readonly<Record<string, string>> = {
  'GET /api/support-ticket/categories':
    'tickets, FAQs and articles are sorted by categories, and users must be able to choose one',
  'POST /api/support-ticket/inbound': mailbox,
  'GET /api/support-ticket/parked-mails': parked,
  'POST /api/support-ticket/parked-mail/retry/{id}': parked,
  'POST /api/support-ticket/parked-mail/delete/{id}': parked,
  'GET /api/support-ticket/emails': received,
  'GET /api/support-ticket/email/original/{id}': received,
  'GET /api/support-ticket/parked-mail/original/{id}': received,
  'GET /api/support-ticket/mailboxes': mailbox,
  'POST /api/support-ticket/mailbox/store': mailbox,
  'POST /api/support-ticket/mailbox/update/{id}': mailbox,
  'POST /api/support-ticket/mailbox/rotate-token/{id}': mailbox,
  'POST /api/support-ticket/mailbox/verify/{id}': mailbox,
  'POST /api/support-ticket/mailbox/resend-code/{id}': mailbox,
  'POST /api/support-ticket/mailbox/delete/{id}': mailbox,
  'GET /api/support-ticket/blocked-senders': blocked,
  'POST /api/support-ticket/blocked-sender/store': blocked,
  'POST /api/support-ticket/blocked-sender/delete/{id}': blocked,
  'POST /api/support-ticket/category/store': 'each workspace has its own categories',
  'POST /api/support-ticket/category/update/{id}': 'each workspace has its own categories',
  'POST /api/support-ticket/category/delete/{id}': 'each workspace has its own categories',
  'GET /api/support-ticket/ticket/show/{ticket_id}': read,
  'POST /api/support-ticket/ticket/merge/{ticket_id}': 'two tickets about the same subject can be merged',
  'POST /api/support-ticket/ticket/rate/{ticket_id}': 'requesters rate their tickets',
  'POST /api/support-ticket/ticket/close/{ticket_id}': 'a requester closes a resolved ticket',
  'POST /api/support-ticket/ticket/revoke-link/{ticket_id}': 'a leaked link must be revoked',
  'POST /api/support-ticket/tickets/bulk': 'agents assign and close many tickets in one request',
  'GET /api/support-ticket/public/{token}': link,
  'POST /api/support-ticket/public/{token}/reply': link,
  'POST /api/support-ticket/public/{token}/rate': link,
  'POST /api/support-ticket/public/{token}/close': link,
  'GET /api/support-ticket/file/{token}': 'ticket files are downloaded by short-lived links',
  'GET /api/support-ticket/canned-replies': 'replies that agents use repeatedly',
  'POST /api/support-ticket/canned-reply/store': 'replies that agents use repeatedly',
  'POST /api/support-ticket/canned-reply/update/{id}': 'replies that agents use repeatedly',
  'POST /api/support-ticket/canned-reply/delete/{id}': 'replies that agents use repeatedly',
  'POST /api/support-ticket/canned-reply/preview/{id}': 'an agent previews the message before sending it',
  'GET /api/support-ticket/reports':
    'section 4 of the support operations adds it: SLA targets are compared with actual times',
  'GET /api/support-ticket/settings':
    'each workspace configures the reopening period of tickets and the messages to requesters',
  'POST /api/support-ticket/settings/update':
    'each workspace configures the reopening period of tickets and the messages to requesters',
  'GET /api/support-ticket/knowledge/show/{id_or_slug}': 'lists show only the first words of an article',
  'POST /api/support-ticket/knowledge/vote/{id}':
    'the specification counts helpful votes, and endpoints.tsv names no route for them',
  'POST /api/support-ticket/knowledge/restore/{id}': 'earlier revisions are stored so that they can be restored',
  'GET /api/support-ticket/calendars': 'SLA targets count business hours only',
  'POST /api/support-ticket/calendar/store': 'SLA targets count business hours only',
  'POST /api/support-ticket/calendar/update/{id}': 'SLA targets count business hours only',
  'POST /api/support-ticket/calendar/delete/{id}': 'SLA targets count business hours only',
  'GET /api/support-ticket/sla-policies': 'SLA targets must be defined',
  'POST /api/support-ticket/sla-policy/store': 'SLA targets must be defined',
  'POST /api/support-ticket/sla-policy/update/{id}': 'SLA targets must be defined',
  'POST /api/support-ticket/sla-policy/delete/{id}': 'SLA targets must be defined',
  'POST /api/support-ticket/sla-policy/apply/{id}': 'a change of a policy does not affect open tickets automatically',
  'GET /api/support-ticket/ticket/sla/{ticket_id}': 'agents see how a due time was calculated',
};
