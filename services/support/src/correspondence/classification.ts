/** Tells an e-mail of a person from what programs send, so that no machine answers a machine. */
import type { ReadMail } from './message.ts';

/** The header field that all mail of the suite carries, with its workspace. */
export const LOOP_FIELD = 'X-Suite-Loop';

/** The kind of an e-mail by its sender: ourselves, a mail server that returns one, a program, or a person. */
export type MailKind = 'loop' | 'bounce' | 'auto_reply' | 'personal';

const BULK = new Set(['bulk', 'junk', 'list', 'auto_reply']);
const SUPPRESSED = /\b(?:all|oof|autoreply)\b/i;

/** RFC 3464 reports, the empty return path of RFC 5321, and the daemon's own name. */
function isBounce({ head, from }: ReadMail): boolean {
  return (
    head.get('return-path') === '<>' ||
    /^multipart\/report\b/i.test(head.get('content-type') ?? '') ||
    /^(?:mailer-daemon|postmaster)@/.test(from.address)
  );
}

/** RFC 3834, and what was usual before it. */
function isAutomatic({ head }: ReadMail): boolean {
  const submitted = (head.get('auto-submitted') ?? 'no').split(';')[0]!.trim().toLowerCase();
  return (
    submitted !== 'no' ||
    BULK.has((head.get('precedence') ?? '').toLowerCase()) ||
    head.has('x-autoreply') ||
    head.has('list-id') ||
    SUPPRESSED.test(head.get('x-auto-response-suppress') ?? '')
  );
}

/**
 * Classifies an e-mail.
 * @param isOurs whether a Message-ID is one that this workspace has sent
 */
export function kindOf(mail: ReadMail, { workspace_id, isOurs }: { workspace_id: string; isOurs: boolean }): MailKind {
  if (isOurs || mail.head.get(LOOP_FIELD.toLowerCase()) === workspace_id) return 'loop';
  if (isBounce(mail)) return 'bounce';
  return isAutomatic(mail) ? 'auto_reply' : 'personal';
}

/** The Message-ID of the e-mail that a mail server gives back: the first id of the message that it encloses. */
export function bouncedId({ attachments, text }: ReadMail): string | undefined {
  const enclosed = attachments
    .filter(({ mime }) => /rfc822/i.test(mime))
    .map(({ content }) => content.toString('latin1'));
  for (const part of [...enclosed, text]) {
    const [, id] = /^message-id:\s*(<[^<>\s]{1,996}>)/im.exec(part) ?? [];
    if (id) return id;
  }
  return undefined;
}
