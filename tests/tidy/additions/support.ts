const mailbox = 'mail comes in by mailboxes, and the specification names no operation for them';
const blocked = 'senders whose mail nobody wants to read are kept out';

/** Routes of the support desk that the specification does not list, each with its reason. */
export const ofSupport: Readonly<Record<string, string>> = {
  'GET /api/support-ticket/categories':
    'tickets, questions and articles are sorted by categories, and somebody has to be able to choose them',
  'GET /api/support-ticket/mailboxes': mailbox,
  'POST /api/support-ticket/mailbox/store': mailbox,
  'POST /api/support-ticket/mailbox/update/{id}': mailbox,
  'POST /api/support-ticket/mailbox/rotate-token/{id}': mailbox,
  'POST /api/support-ticket/mailbox/delete/{id}': mailbox,
  'GET /api/support-ticket/blocked-senders': blocked,
  'POST /api/support-ticket/blocked-sender/store': blocked,
  'POST /api/support-ticket/blocked-sender/delete/{id}': blocked,
};
