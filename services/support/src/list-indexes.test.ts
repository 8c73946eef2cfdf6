import { listIndexes, start } from '@suite/testing';
import { support } from './support.ts';

listIndexes({
  contents: support,
  serving: await start(support),
  small: [
    'users',
    'categories',
    'canned_replies',
    'calendars',
    'sla_policies',
    'mailboxes',
    'blocked_senders',
    'faqs',
    'parked_mails',
  ],
  served: { 'tickets.priority': 'its rank has an index' },
});
