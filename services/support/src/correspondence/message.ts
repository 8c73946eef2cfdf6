/** Reads an e-mail: its structure under limits first, then its words, people and attachments. Nothing in it is trusted. */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { MimeNode, SplitterChunk } from '@zone-eu/mailsplit';
import { authenticatedBy } from './authentication.ts';
import { LIMITS, MailWithoutSender, TooManyAttachments, UnreadableMail } from './mail.rules.ts';

const OPTIONS = { keepCidLinks: true, skipTextToHtml: true, keepDeliveryStatus: true, maxHtmlLengthToParse: 2_000_000 };

/** A person in the head of an e-mail. The name is what the sender wrote. */
export interface MailPerson {
  name: string;
  /** In lower case. */
  address: string;
}

/** An attachment as it came. Its name and type are the sender's words. */
export interface MailAttachment {
  name: string;
  mime: string;
  content: Buffer;
  /** Shown inside the text. */
  inline: boolean;
}

/** An e-mail that was read. */
export interface ReadMail {
  /** With its angle brackets; null for one without. */
  message_id: string | null;
  /** The messages that it answers, the nearest first: In-Reply-To, then References from the last backwards. */
  answers: string[];
  from: MailPerson;
  /** Whether the mailbox's own mail server has found the sender to be who he says; null where it says nothing. */
  authenticated: boolean | null;
  reply_to: MailPerson | null;
  /** To, Cc and Delivered-To, in lower case. */
  recipients: string[];
  cc: MailPerson[];
  /** In a single line, and longer than that of a ticket may be. */
  subject: string;
  /** The words; of an e-mail that is HTML alone what it says, without pictures and styles. */
  text: string;
  html: string | null;
  attachments: MailAttachment[];
  /** The first value of each header field, by its name in lower case. */
  head: ReadonlyMap<string, string>;
}

const depthOf = (part: Pick<MimeNode, 'parentNode'>): number => (part.parentNode ? depthOf(part.parentNode) + 1 : 0);

/** Goes through the parts of a message without decoding any. @throws UnreadableMail, TooManyAttachments */
async function assertWithinLimits(raw: Buffer): Promise<void> {
  // Loaded with the first e-mail: many processes never see one.
  const { Splitter } = await import('@zone-eu/mailsplit');
  const splitter = new Splitter({ maxHeadSize: LIMITS.head_bytes, maxChildNodes: LIMITS.parts });
  let attachments = 0;
  let refusal: Error | undefined;
  splitter.on('data', (chunk: SplitterChunk) => {
    if (chunk.type !== 'node') return;
    if (depthOf(chunk) > LIMITS.depth) refusal ??= UnreadableMail({ reason: 'nesting' });
    if (chunk.disposition === 'attachment' || chunk.filename) attachments += 1;
  });
  const ended = once(splitter, 'end');
  Readable.from([raw]).pipe(splitter);
  await ended.catch((error: unknown) => {
    throw UnreadableMail({ reason: (error as Error).message });
  });
  if (attachments > LIMITS.attachments) throw TooManyAttachments({ attachments, most: LIMITS.attachments });
  if (refusal) throw refusal;
}

interface Address {
  name?: string | undefined;
  address?: string | undefined;
  group?: Address[] | undefined;
}
type Addressed = { value: Address[] } | { value: Address[] }[] | undefined;

const peopleIn = (field: Addressed): MailPerson[] =>
  [field ?? []].flat().flatMap(({ value }) =>
    value
      .flatMap((one) => [one, ...(one.group ?? [])])
      .flatMap(({ name = '', address = '' }) => {
        const plain = address.trim().toLowerCase();
        return isAddress(plain) ? [{ name: harmless(name), address: plain }] : [];
      }),
  );

/** An address that can be written to, and nothing that would change a head. */
const isAddress = (address: string): boolean =>
  address.length <= 254 && /^[^\s\p{Cc}@<>(),;:"\\]+@[^\s\p{Cc}@<>(),;:"\\]+$/u.test(address);

/** Text cut to so many characters, without half of an emoji at its end. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** A single line without invisible characters, of a bounded length. */
export const harmless = (text: string, max = 200): string =>
  cutText(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .trim(),
    max,
  );

/** The longest subject that is read. Longer than that of a ticket: the number of a ticket may stand at its end. */
const SUBJECT_READ_MAX = 2_000;

/** The ids in a field, each with its angle brackets. */
const idsIn = (field: string | readonly string[] | undefined): string[] =>
  [field ?? []].flat().flatMap((text) => text.match(/<[^<>\s\p{Cc}]{1,996}>/gu) ?? []);

/**
 * Reads an e-mail.
 * @param raw the message as it came (RFC 5322)
 * @param authentication_server whose words about its sender count; null for nobody's
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readMail(raw: Buffer, authentication_server: string | null = null): Promise<ReadMail> {
  await assertWithinLimits(raw);
  const { simpleParser } = await import('mailparser');
  const mail = await simpleParser(raw, OPTIONS).catch((error: unknown) => {
    throw UnreadableMail({ reason: (error as Error).message });
  });
  const head = new Map<string, string>();
  for (const { key, line } of mail.headerLines) {
    if (!head.has(key))
      head.set(
        key,
        line
          .slice(line.indexOf(':') + 1)
          .replaceAll(/\s+/g, ' ')
          .trim(),
      );
  }
  const senders = peopleIn(mail.from);
  const [from] = senders;
  if (!from || senders.length > 1) throw MailWithoutSender({ senders: senders.length });
  const cc = peopleIn(mail.cc);
  const delivered = mail.headerLines
    .filter(({ key }) => key === 'delivered-to')
    .map(({ line }) => line.slice(13).trim());
  return {
    message_id: idsIn(mail.messageId)[0] ?? null,
    answers: [...new Set([...idsIn(mail.inReplyTo), ...idsIn(mail.references).toReversed()])],
    from,
    authenticated: authenticatedBy(mail.headerLines, authentication_server, from.address),
    reply_to: peopleIn(mail.replyTo)[0] ?? null,
    recipients: [...peopleIn(mail.to), ...cc]
      .map(({ address }) => address)
      .concat(delivered.map((one) => one.toLowerCase())),
    cc,
    subject: harmless(mail.subject ?? '', SUBJECT_READ_MAX),
    text: mail.text ?? '',
    html: mail.html || null,
    attachments: mail.attachments.map(({ filename, contentType, content, contentDisposition, related }) => ({
      name: filename ?? 'attachment',
      mime: contentType,
      content,
      inline: related || contentDisposition === 'inline',
    })),
    head,
  };
}
