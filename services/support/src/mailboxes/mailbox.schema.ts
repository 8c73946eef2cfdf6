import { Email, input, list, LongText, Name, record, refTo, secret, Timestamp, version } from '@suite/chassis';
import { z } from 'zod';

/** An address whose mail becomes tickets. */
export const Mailbox = record({
  address: z.string(),
  name: z.string(),
  category_id: refTo('categories').nullable().describe('The category of tickets that come in here.'),
  from_name: z.string().describe('The name that answers carry.'),
  signature: z.string().nullable().describe('Stands below each answer.'),
  auto_acknowledge: z.boolean().describe('Whether somebody who writes for the first time is told that it arrived.'),
  active: z.boolean(),
  token_hint: z.string().describe('Four signs of the token, by which people tell tokens apart.'),
  former_token_until: Timestamp.nullable().describe('Until then the token before this one is good, too.'),
}).meta({ id: 'Mailbox' });

/** A mailbox with its token, which is shown this once. */
export const MailboxWithToken = Mailbox.extend({
  token: secret(z.string()).describe('What a mail server sends as a bearer token. It is shown this once.'),
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
  active: z.boolean().default(true),
});

export const MailboxChanges = input({
  address: Email.optional(),
  name: Name.optional(),
  category_id: refTo('categories').nullish(),
  from_name: Name.optional(),
  signature: LongText.nullish(),
  auto_acknowledge: z.boolean().optional(),
  active: z.boolean().optional(),
  version,
});

export type MailboxInput = z.output<typeof MailboxInput>;
export type MailboxChanges = z.output<typeof MailboxChanges>;
