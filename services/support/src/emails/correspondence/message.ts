/**
 * Reads an e-mail: checks the limits of its parts first, then reads text, people and attachments. Nothing in it is
 * trusted.
 */
import { createHash } from 'node:crypto';
import type { ParsedMail } from 'mailparser';
import { headInUtf8 } from '../../content/mime/charset.ts';
import { MailWithoutSender, UnreadableMail } from '../../content/mime/mail.rules.ts';
import { partName } from '../../content/mime/names.ts';
import { headOf, type MimePart, readParts } from '../../content/mime/parts.ts';
import { readMailContent, type MessageText } from '../../content/mime/mail-content.ts';
import { authenticatedBy } from './authentication.ts';

/** Person in an e-mail header. The name is as written by the sender. */
export interface MailPerson {
  name: string;
  /** Address in lower case. */
  address: string;
}

/** Attachment as received. The sender chose its name and type. */
export interface MailAttachment {
  name: string;
  mime: string;
  content: Buffer;
  /** True if the attachment is shown inside the text. */
  inline: boolean;
}

/** E-mail after reading. */
export interface ReadMail {
  /** Message-ID with its angle brackets. Null for an e-mail without one. */
  message_id: string | null;
  /** Message IDs that the e-mail replies to, nearest first: In-Reply-To, then References from last to first. */
  answers: string[];
  from: MailPerson;
  /** True if the mailbox's own receiving server has authenticated the sender. Null without a result. */
  authenticated: boolean | null;
  reply_to: MailPerson | null;
  /** Addresses in To, Cc and Delivered-To, in lower case. */
  recipients: string[];
  cc: MailPerson[];
  /** Subject in a single line, possibly longer than a ticket's subject may be. */
  subject: string;
  /** Plain text. For an e-mail with HTML only, the text of its HTML without images and styles. */
  text: string;
  html: string | null;
  attachments: MailAttachment[];
  /** First value of each header field, by name in lower case. */
  head: ReadonlyMap<string, string>;
  /**
   * Hash that is identical for e-mails with the same Message-ID and content, regardless of headers added by servers.
   * Null without a Message-ID.
   */
  fingerprint: string | null;
}

interface Address {
  name?: string | undefined;
  address?: string | undefined;
  group?: Address[] | undefined;
}
type AddressField = { value: Address[] } | { value: Address[] }[] | undefined;

const personsIn = (field: AddressField): MailPerson[] =>
  [field ?? []].flat().flatMap(({ value }) =>
    value
      .flatMap((one) => [one, ...(one.group ?? [])])
      .flatMap(({ name = '', address = '' }) => {
        const plain = address.trim().toLowerCase();
        return isAddress(plain) ? [{ name: toSingleLine(name), address: plain }] : [];
      }),
  );

/** Checks that an address is valid and cannot inject header fields. */
const isAddress = (address: string): boolean =>
  address.length <= 254 && /^[^\s\p{Cc}@<>(),;:"\\]+@[^\s\p{Cc}@<>(),;:"\\]+$/u.test(address);

/** Returns a text cut to `max` characters, without half an emoji at its end. */
export function cutText(text: string, max: number): string {
  const cut = text.slice(0, max);
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}

/** Returns a single line without invisible characters, with a maximum length. */
export const toSingleLine = (text: string, max = 200): string =>
  cutText(
    text
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ')
      .trim(),
    max,
  );

/**
 * Maximum length of a subject that is read. Longer than a ticket's subject, because the ticket number may be at the
 * end.
 */
const SUBJECT_READ_MAX = 2_000;

/** Returns the message IDs in a field, with their angle brackets. */
const idsIn = (field: string | readonly string[] | undefined): string[] =>
  [field ?? []].flat().flatMap((text) => text.match(/<[^<>\s\p{Cc}]{1,996}>/gu) ?? []);

/** Returns the charset of the text, which also applies to undeclared bytes in the header. */
const charsetOf = (part: MimePart): string | null =>
  (part.type.startsWith('text/') ? part.charset : null) ??
  part.children.map(charsetOf).find((charset) => charset !== null) ??
  null;

/** Reads header fields with a library for e-mails of any origin. */
async function readHead(raw: Buffer, charset: string | null): Promise<ParsedMail> {
  const { simpleParser } = await import('mailparser');
  return await simpleParser(headInUtf8(headOf(raw), charset)).catch((error: unknown) => {
    throw UnreadableMail({ reason: (error as Error).message });
  });
}

/** Returns the first value of each field. */
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

/** Maximum depth at which enclosed messages are read for their text. */
const ENCLOSED_DEPTH = 3;

/** Returns the text of an enclosed message with its author. Unreadable messages remain attachments and have no text. */
async function readEnclosed({ content }: MimePart, depth: number): Promise<MessageText> {
  if (depth > ENCLOSED_DEPTH) return { text: '', html: null };
  try {
    const root = await readParts(content);
    const { from, subject, date } = await readHead(content, charsetOf(root));
    const enclosed = await readMailContent(root, (part) => readEnclosed(part, depth + 1));
    const origin = [
      from && `From: ${from.text}`,
      date && `Date: ${date.toUTCString()}`,
      subject && `Subject: ${subject}`,
    ];
    return { text: `${origin.filter(Boolean).join('\n')}\n\n${enclosed.text}`, html: null };
  } catch {
    return { text: '', html: null };
  }
}

/** Returns the addresses of a field that contains addresses without names. */
const addressesIn = ({ headerLines }: ParsedMail, name: string): string[] =>
  headerLines
    .filter(({ key }) => key === name)
    .map(({ line }) =>
      line
        .slice(name.length + 1)
        .trim()
        .toLowerCase(),
    );

const attachmentOf = (part: MimePart): MailAttachment => ({
  name: partName(part),
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
 * @param raw message as received (RFC 5322)
 * @param authentication_server trusted server of authentication results. Null for none
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readMail(raw: Buffer, authentication_server: string | null = null): Promise<ReadMail> {
  const root = await readParts(raw);
  const mail = await readHead(raw, charsetOf(root));
  const senders = personsIn(mail.from);
  const [from] = senders;
  if (!from || senders.length > 1) throw MailWithoutSender({ senders: senders.length });
  const { text, html, attachments: files } = await readMailContent(root, (part) => readEnclosed(part, 1));
  const attachments = files.map(attachmentOf);
  const cc = personsIn(mail.cc);
  const head = valuesOf(mail);
  const message_id = idsIn(mail.messageId)[0] ?? null;
  const subject = toSingleLine(mail.subject ?? '', SUBJECT_READ_MAX);
  return {
    message_id,
    answers: [...new Set([...idsIn(mail.inReplyTo), ...idsIn(mail.references).toReversed()])],
    from,
    authenticated: authenticatedBy(mail.headerLines, authentication_server, from.address),
    reply_to: personsIn(mail.replyTo)[0] ?? null,
    recipients: [...personsIn(mail.to), ...cc].map(({ address }) => address).concat(addressesIn(mail, 'delivered-to')),
    cc,
    subject,
    text,
    html,
    attachments,
    head,
    fingerprint: fingerprintOf(message_id, [from.address, head.get('date'), subject, text, html], attachments),
  };
}
