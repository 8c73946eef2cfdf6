import {
  choice,
  Email,
  input,
  list,
  LongText,
  Name,
  record,
  refTo,
  secret,
  ShortText,
  Timestamp,
  version,
} from '@suite/chassis';
import { z } from 'zod';

/** A host name, or whatever else a server calls itself in one word. */
const ServerName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/u,
    'Use the name in `Authentication-Results`, such as mx.example.com.',
  );

const RequesterFrom = choice('from', 'reply_to').describe(
  'The requester of new tickets. `from` is the sender, or a Reply-To of the same domain. `reply_to` is any Reply-To, for mailboxes that receive web forms.',
);
const MailingLists = choice('ticket', 'refuse').describe(
  'What happens to e-mails of mailing lists. `ticket` creates a ticket without an acknowledgement. `refuse` lists them as ignored e-mails.',
);
const AutomaticEmails = choice('ticket', 'refuse').describe(
  'What happens to e-mails of programs that answer no ticket. `ticket` creates a ticket without an acknowledgement. `refuse` lists them as ignored e-mails.',
);

/** An address whose e-mails become tickets. */
export const Mailbox = record({
  address: z.string(),
  address_verified_at: Timestamp.nullable().describe(
    'When the address was verified. Until then, e-mails leave with the address of the suite and the name of the mailbox.',
  ),
  name: z.string(),
  category_id: refTo('categories').nullable().describe('The category of tickets that come in here.'),
  from_name: z.string().describe('The name that answers carry.'),
  signature: z.string().nullable().describe('Stands below each answer.'),
  auto_acknowledge: z.boolean().describe('Whether new requesters receive an acknowledgment e-mail.'),
  requester_from: RequesterFrom,
  mailing_lists: MailingLists,
  automatic_emails: AutomaticEmails,
  active: z.boolean(),
  authentication_server: z
    .string()
    .nullable()
    .describe(
      'Name that your e-mail server writes in `Authentication-Results` (authserv-id, RFC 8601). Only the topmost header of that name counts. Without a name, no sender is verified.',
    ),
  token_hint: z.string().describe('Four characters of the token, to distinguish tokens.'),
  former_token_until: Timestamp.nullable().describe('Until then the token before this one is good, too.'),
}).meta({ id: 'Mailbox' });

/** A mailbox with its token, which is shown this once. */
export const MailboxWithToken = Mailbox.extend({
  token: secret(z.string()).describe('Bearer token for your e-mail server. Shown once.'),
}).meta({ id: 'MailboxWithToken' });

export const MailboxFilter = list(Mailbox, {
  filter: ['address', 'name', 'active', 'category_id'],
  sort: ['created_at', 'name', 'address'],
  search: true,
});

export const MailboxInput = input({
  address: Email,
  name: Name,
  category_id: refTo('categories').nullish(),
  from_name: Name,
  signature: LongText.nullish(),
  auto_acknowledge: z.boolean().default(true),
  requester_from: RequesterFrom.default('from'),
  mailing_lists: MailingLists.default('ticket'),
  automatic_emails: AutomaticEmails.default('ticket'),
  active: z.boolean().default(true),
  authentication_server: ServerName.nullish(),
});

export const MailboxChanges = input({
  address: Email.optional(),
  name: Name.optional(),
  category_id: refTo('categories').nullish(),
  from_name: Name.optional(),
  signature: LongText.nullish(),
  auto_acknowledge: z.boolean().optional(),
  requester_from: RequesterFrom.optional(),
  mailing_lists: MailingLists.optional(),
  automatic_emails: AutomaticEmails.optional(),
  active: z.boolean().optional(),
  authentication_server: ServerName.nullish(),
  version,
});

export const VerificationInput = input({
  code: ShortText(60).min(1).describe('The code from the e-mail to the address.').meta({ example: 'K7QP-2MXA-9RTW' }),
});

export type MailboxInput = z.output<typeof MailboxInput>;
export type MailboxChanges = z.output<typeof MailboxChanges>;
