/** Limits of inbound e-mails, and faults of e-mails that cannot be processed. */
// A worker thread loads this file and needs no other part of the chassis.
import { fault } from '@suite/chassis/faults';

/** Limits of one inbound e-mail. */
export const LIMITS = {
  bytes: 25 * 1024 * 1024,
  head_bytes: 256 * 1024,
  parts: 200,
  depth: 20,
  attachments: 100,
  /** Maximum number of stored attachments, and the size of each. */
  kept_attachments: 20,
  kept_bytes: 10 * 1024 * 1024,
  /** Maximum number of shown characters of a body. */
  shown: 50_000,
  cc: 10,
} as const;

export const MailTooLarge = fault(413, 'mail_too_large', 'The e-mail exceeds 25 MiB. Send a smaller one.');
export const UnreadableMail = fault(
  422,
  'unreadable_mail',
  'This e-mail cannot be read. Send it again in another format.',
);
export const TooManyAttachments = fault(
  422,
  'too_many_attachments',
  'An e-mail may have at most 100 attachments. Send fewer.',
);
export const MailWithoutSender = fault(
  422,
  'mail_without_sender',
  'This e-mail does not have exactly one sender. Send it with one address in From.',
);
export const ForgedThread = fault(
  422,
  'forged_thread',
  'The reply address of this e-mail is not valid. Reply to the original e-mail, or send a new one.',
);
