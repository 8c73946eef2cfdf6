/** Limits of an e-mail that comes in, and the faults of one that cannot be taken. */
// A worker thread loads this file: of the chassis it needs nothing else.
import { fault } from '@suite/chassis/fault';

/** As the specification of the support desk says (section 5). */
export const LIMITS = {
  bytes: 25 * 1024 * 1024,
  head_bytes: 256 * 1024,
  parts: 200,
  depth: 20,
  attachments: 100,
  /** The attachments that are kept, and the bytes of each. */
  kept_attachments: 20,
  kept_bytes: 10 * 1024 * 1024,
  /** The characters of a body that are shown. */
  shown: 50_000,
  cc: 10,
} as const;

export const MailTooLarge = fault(413, 'mail_too_large', 'An e-mail may have at most 25 MiB.');
export const UnreadableMail = fault(422, 'unreadable_mail', 'This e-mail cannot be read. It is stored for 30 days.');
export const TooManyAttachments = fault(
  422,
  'too_many_attachments',
  'An e-mail may have at most 100 attachments. It is stored for 30 days.',
);
export const MailWithoutSender = fault(
  422,
  'mail_without_sender',
  'This e-mail does not have exactly one sender. It is stored for 30 days.',
);
export const ForgedThread = fault(
  422,
  'forged_thread',
  'This e-mail refers to a conversation with an invalid address. It is stored for 30 days.',
);
