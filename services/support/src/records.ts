/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { Faq } from './content/faqs/faq.schema.ts';
import { Article } from './knowledge/article.schema.ts';
import { CannedReply } from './tickets/canned/canned-reply.schema.ts';
import { Category } from './tickets/categories/category.schema.ts';
import { Ticket } from './tickets/tickets/ticket.schema.ts';
import { FailedEmail } from './inbox/inbound-mail/failed-email.schema.ts';
import { BlockedSender } from './settings/blocked-senders/blocked-sender.schema.ts';
import { Mailbox } from './settings/mailboxes/mailbox.schema.ts';
import { Calendar } from './sla/calendars/calendar.schema.ts';
import { SlaPolicy } from './sla/sla/sla-policy.schema.ts';

export const records = recordTypes('support', {
  ticket: { table: 'tickets', schema: Ticket, permissions: ['ticket.view'], module: 'support' },
  category: { table: 'categories', schema: Category, permissions: ['ticket.view'], module: 'support' },
  canned_reply: { table: 'canned_replies', schema: CannedReply, permissions: ['ticket.note'], module: 'support' },
  faq: { table: 'faqs', schema: Faq, permissions: ['faq.view'], module: 'support' },
  article: { table: 'articles', schema: Article, permissions: ['article.view'], module: 'support' },
  parked_mail: { table: 'parked_mails', schema: FailedEmail, permissions: ['ticket.update'], module: 'support' },
  mailbox: { table: 'mailboxes', schema: Mailbox, permissions: ['workspace.update'], module: 'support' },
  blocked_sender: {
    table: 'blocked_senders',
    schema: BlockedSender,
    permissions: ['workspace.update'],
    module: 'support',
  },
  calendar: { table: 'calendars', schema: Calendar, permissions: ['workspace.update'], module: 'support' },
  sla_policy: { table: 'sla_policies', schema: SlaPolicy, permissions: ['workspace.update'], module: 'support' },
});
