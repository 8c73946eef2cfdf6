const mailbox = 'mail comes in by mailboxes, and the specification names no operation for them';
const parked = 'an e-mail that cannot be read is lost unless somebody looks at it';
const received = 'no e-mail disappears without a trace, and agents read the original';
const blocked = 'senders whose mail nobody wants to read are kept out';
const read = 'lists of the desk are written elsewhere, and somebody has to be able to read one record';
const link = 'the requester without a login reads, answers, rates and closes by a link';

/** Routes of the support desk that the specification does not list, each with its reason. */
export const ofSupport: Readonly<Record<string, string>> = {
  'GET /api/support-ticket/categories':
    'tickets, questions and articles are sorted by categories, and somebody has to be able to choose them',
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
  'POST /api/support-ticket/category/store': 'categories are the workspace’s own',
  'POST /api/support-ticket/category/update/{id}': 'categories are the workspace’s own',
  'POST /api/support-ticket/category/delete/{id}': 'categories are the workspace’s own',
  'GET /api/support-ticket/ticket/show/{ticket_id}': read,
  'POST /api/support-ticket/ticket/merge/{ticket_id}': 'two tickets about the same thing become one',
  'POST /api/support-ticket/ticket/rate/{ticket_id}': 'a requester says how it was',
  'POST /api/support-ticket/ticket/close/{ticket_id}': 'a requester closes what was resolved',
  'POST /api/support-ticket/ticket/revoke-link/{ticket_id}': 'a link that went astray has to be revoked',
  'POST /api/support-ticket/tickets/bulk': 'agents assign and close many tickets at once',
  'GET /api/support-ticket/public/{token}': link,
  'POST /api/support-ticket/public/{token}/reply': link,
  'POST /api/support-ticket/public/{token}/rate': link,
  'POST /api/support-ticket/public/{token}/close': link,
  'GET /api/support-ticket/file/{token}': 'files of tickets are fetched by short-lived links',
  'GET /api/support-ticket/canned-replies': 'answers that agents give again and again',
  'POST /api/support-ticket/canned-reply/store': 'answers that agents give again and again',
  'POST /api/support-ticket/canned-reply/update/{id}': 'answers that agents give again and again',
  'POST /api/support-ticket/canned-reply/delete/{id}': 'answers that agents give again and again',
  'POST /api/support-ticket/canned-reply/preview/{id}': 'an agent reads what would be sent',
  'GET /api/support-ticket/reports':
    'section 4 of the support operations adds it: what was promised is compared with what was done',
  'GET /api/support-ticket/settings': 'how long tickets can be reopened, and what requesters are written',
  'POST /api/support-ticket/settings/update': 'how long tickets can be reopened, and what requesters are written',
  'GET /api/support-ticket/knowledge/show/{id_or_slug}': 'lists show the first words of an article only',
  'POST /api/support-ticket/knowledge/vote/{id}':
    'the specification counts who was helped, and endpoints.tsv names no route for it',
  'POST /api/support-ticket/knowledge/restore/{id}': 'former revisions are kept to be restored',
  'GET /api/support-ticket/calendars': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/store': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/update/{id}': 'promises count by the hours in which people work',
  'POST /api/support-ticket/calendar/delete/{id}': 'promises count by the hours in which people work',
  'GET /api/support-ticket/sla-policies': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/store': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/update/{id}': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/delete/{id}': 'somebody says what is promised',
  'POST /api/support-ticket/sla-policy/apply/{id}': 'a change of a policy touches no open ticket by itself',
  'GET /api/support-ticket/ticket/sla/{ticket_id}': 'agents see how a due time came about',
};
