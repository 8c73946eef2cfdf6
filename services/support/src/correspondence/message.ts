/** Reads an e-mail: its parts under limits first, then its words, people and attachments. Nothing in it is trusted. */
import { createHash } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import { headInUtf8 } from '../mime/charset.ts';
import { MailWithoutSender, UnreadableMail } from '../mime/mail.rules.ts';
import { nameOf } from '../mime/names.ts';
import { headOf, type Part, readParts } from '../mime/parts.ts';
import { readWords, type Words } from '../mime/words.ts';
import { authenticatedBy } from './authentication.ts';

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
  /** The same for e-mails of the same Message-ID and content, regardless of what servers add. Null without a Message-ID. */
  fingerprint: string | null;
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

/** The charset of the words: undeclared bytes in the head are read in it, too. */
const charsetOf = (part: Part): string | null =>
  (part.type.startsWith('text/') ? part.charset : null) ??
  part.children.map(charsetOf).find((charset) => charset !== null) ??
  null;

/** The fields of a head, by a library that reads e-mails of any origin. */
async function readHead(raw: Buffer, charset: string | null): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  return await simpleParser(headInUtf8(headOf(raw), charset)).catch((error: unknown) => {
    throw UnreadableMail({ reason: (error as Error).message });
  });
}

/** The first value of each field. */
function valuesOf({ headerLines }: ParsedMail): Map<string, string> {
  const head = new Map<string, string>();
  for (const { key, line } of headerLines) {
    const value = line
      .slice(line.indexOf(':') + 1)
      .replaceAll(/\s+/g, ' ')
      .trim();
    if (!head.has(key)) head.set(key, value);
  }
  return head;
}

/** How deep enclosed messages are read for their words. */
const ENCLOSED_DEPTH = 3;

/** The words of an enclosed message, with who wrote it. Of one that cannot be read: none, since it stays an attachment. */
async function readEnclosed({ content }: Part, depth: number): Promise<Words> {
  if (depth > ENCLOSED_DEPTH) return { text: '', html: null };
  try {
    const root = await readParts(content);
    const { from, subject, date } = await readHead(content, charsetOf(root));
    const words = await readWords(root, (part) => readEnclosed(part, depth + 1));
    const origin = [
      from && `From: ${from.text}`,
      date && `Date: ${date.toUTCString()}`,
      subject && `Subject: ${subject}`,
    ];
    return { text: `${origin.filter(Boolean).join('\n')}\n\n${words.text}`, html: null };
  } catch {
    return { text: '', html: null };
  }
}

/** The address of a field that holds one without a name. */
const addressesIn = ({ headerLines }: ParsedMail, name: string): string[] =>
  headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(name.length + 1)
        .trim()
        .toLowerCase(),
    );

const attachmentOf = (part: Part): MailAttachment => ({
  name: nameOf(part),
  mime: part.type,
  content: part.content,
  inline: part.disposition === 'inline' || part.content_id !== null,
});

/** Hashes the Message-ID and the content of an e-mail. */
function fingerprintOf(message_id: string | null, content: readonly unknown[], attachments: readonly MailAttachment[]) {
  if (message_id === null) return null;
  const hash = createHash('sha256').update(JSON.stringify([message_id, ...content]));
  for (const { name, content: bytes } of attachments) hash.update(`${name} ${bytes.length} `).update(bytes);
  return `mail:${hash.digest('hex')}`;
}

/**
 * Reads an e-mail.
 * @param raw the message as received (RFC 5322)
 * @param authentication_server the server whose results about the sender count; null for none
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readMail(raw: Buffer, authentication_server: string | null = null): Promise<ReadMail> {
  const root = await readParts(raw);
  const mail = await readHead(raw, charsetOf(root));
  const senders = peopleIn(mail.from);
  const [from] = senders;
  if (!from || senders.length > 1) throw MailWithoutSender({ senders: senders.length });
  const { text, html, attachments: files } = await readWords(root, (part) => readEnclosed(part, 1));
  const attachments = files.map(attachmentOf);
  const cc = peopleIn(mail.cc);
  const head = valuesOf(mail);
  const message_id = idsIn(mail.messageId)[0] ?? null;
  const subject = harmless(mail.subject ?? '', SUBJECT_READ_MAX);
  return {
    message_id,
    answers: [...new Set([...idsIn(mail.inReplyTo), ...idsIn(mail.references).toReversed()])],
    from,
    authenticated: authenticatedBy(mail.headerLines, authentication_server, from.address),
    reply_to: peopleIn(mail.replyTo)[0] ?? null,
    recipients: [...peopleIn(mail.to), ...cc].map(({ address }) => address).concat(addressesIn(mail, 'delivered-to')),
    cc,
    subject,
    text,
    html,
    attachments,
    head,
    fingerprint: fingerprintOf(message_id, [from.address, head.get('date'), subject, text, html], attachments),
  };
}
