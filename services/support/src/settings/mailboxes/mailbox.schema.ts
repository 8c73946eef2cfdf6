import {
  choice,
  Email,
  input,
  LongText,
  Name,
  record,
  refTo,
  secret,
  ShortText,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { mailboxActions } from './mailbox.rules.ts';

/** Host name, or any other one-word name of a server. */
const ServerName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(
    /^[a-z0-9]([a-z0-9._-]{0,251}[a-z0-9])?$/u,
    'Enter the name in `Authentication-Results`, such as mx.example.com.',
  );

const RequesterFrom = choice('from', 'reply_to').describe(
  'Requester of new tickets. `from` is the sender, or a Reply-To of the same domain. `reply_to` is any Reply-To, for mailboxes that receive web forms.',
);
const MailingLists = choice('ticket', 'refuse').describe(
  'Treatment of e-mails from mailing lists. `ticket` creates a ticket without an acknowledgment. `refuse` lists them as ignored e-mails.',
);
const AutomaticEmails = choice('ticket', 'refuse').describe(
  'Treatment of automatic e-mails that do not reply to a ticket. `ticket` creates a ticket without an acknowledgment. `refuse` lists them as ignored e-mails.',
);

/** Mailbox: an address whose e-mails become tickets. */
export const Mailbox = record({
  address: z.string(),
  address_verified_at: Timestamp.nullable().describe(
    "Time of the verification. `null` before that: e-mails are sent from the suite's address with the name of the mailbox.",
  ),
  name: z.string(),
  category_id: refTo('categories').nullable().describe('ID of the category of tickets from this mailbox.'),
  from_name: z.string().describe('Sender name of replies.'),
  signature: z.string().nullable().describe('Signature below each reply.'),
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
  former_token_until: Timestamp.nullable().describe('Time until which the previous token remains valid.'),
  allowed_actions: Actions(mailboxActions),
}).meta({ id: 'Mailbox' });

/** Mailbox with its token, which is shown only once. */
export const MailboxWithToken = Mailbox.extend({
  token: secret(z.string()).describe(
    'Bearer token for your e-mail server. Shown once: `null` if the request is repeated with the same `Idempotency-Key`.',
  ),
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
  code: ShortText(60).min(1).describe('Code from the verification e-mail.').meta({ example: 'K7QP-2MXA-9RTW' }),
});

export type MailboxInput = z.output<typeof MailboxInput>;
export type MailboxChanges = z.output<typeof MailboxChanges>;
