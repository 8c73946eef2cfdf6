/** Classification of e-mails from people and from programs, so that no program replies to another. */
import type { ReadMail } from './message.ts';

/** Header field that all e-mails of the suite carry, with their workspace. */
export const LOOP_FIELD = 'X-Suite-Loop';

/**
 * Kind of an e-mail by its sender: this workspace, a bouncing server, an auto-responder, another program, a mailing
 * list, or a person.
 */
export type InboundMailKind = 'loop' | 'bounce' | 'auto_reply' | 'automatic' | 'mailing_list' | 'personal';

const BULK = new Set(['bulk', 'junk', 'list']);
const SUPPRESSED = /\b(?:all|oof|autoreply)\b/i;

/** Removes comments in parentheses, which may be nested (RFC 5322). */
function withoutComments(value: string): string {
  let depth = 0;
  let plain = '';
  for (let at = 0; at < value.length; at += 1) {
    const character = value[at]!;
    if (character === '\\' && depth > 0) at += 1;
    else if (character === '(') depth += 1;
    else if (character === ')' && depth > 0) depth -= 1;
    else if (depth === 0) plain += character;
  }
  return plain;
}

/** Returns the first word of a field, in lower case, without comments and parameters. */
const keywordOf = (value: string | undefined): string =>
  withoutComments(value ?? '')
    .split(';')[0]!
    .trim()
    .toLowerCase();

const REPORT = /^multipart\/report\b/i;
const REPORT_TYPE = /report-type\s*=\s*"?([\w-]+)/i;

/** Returns the type of a report (RFC 6522), such as `delivery-status`. Undefined for other e-mails. */
function reportTypeOf({ head }: ReadMail): string | undefined {
  const type = head.get('content-type') ?? '';
  return REPORT.test(type) ? (REPORT_TYPE.exec(type)?.[1] ?? 'delivery-status').toLowerCase() : undefined;
}

/** Returns true if an e-mail has no return path, so that no reply is read. */
const hasNoReturnPath = ({ head }: ReadMail): boolean => keywordOf(head.get('return-path')) === '<>';

/**
 * Checks for a delivery report (RFC 3464) or an e-mail from a server's own address. An e-mail without a return path
 * that names another e-mail is also a bounce. `postmaster@` alone counts as a person.
 */
const isBounce = (mail: ReadMail): boolean =>
  reportTypeOf(mail) === 'delivery-status' ||
  mail.from.address.startsWith('mailer-daemon@') ||
  (hasNoReturnPath(mail) && bouncedId(mail) !== undefined);

/** Checks for an automatic reply: RFC 3834, read receipts, and older header fields. */
const isAutoReply = (mail: ReadMail): boolean =>
  keywordOf(mail.head.get('auto-submitted')) === 'auto-replied' ||
  keywordOf(mail.head.get('precedence')) === 'auto_reply' ||
  reportTypeOf(mail) === 'disposition-notification' ||
  ['x-autoreply', 'x-autorespond', 'x-auto-reply'].some((name) => mail.head.has(name));

const isFromProgram = (mail: ReadMail): boolean =>
  !['', 'no'].includes(keywordOf(mail.head.get('auto-submitted'))) || hasNoReturnPath(mail);

const isFromMailingList = ({ head }: ReadMail): boolean =>
  head.has('list-id') || BULK.has(keywordOf(head.get('precedence')));

/**
 * Classifies an e-mail.
 * @param isOwn checks if this workspace has sent a Message-ID
 */
export function kindOf(
  mail: ReadMail,
  { workspace_id, isOwn }: { workspace_id: string; isOwn: boolean },
): InboundMailKind {
  if (isOwn || mail.head.get(LOOP_FIELD.toLowerCase()) === workspace_id) return 'loop';
  if (isBounce(mail)) return 'bounce';
  if (isAutoReply(mail)) return 'auto_reply';
  if (isFromProgram(mail)) return 'automatic';
  return isFromMailingList(mail) ? 'mailing_list' : 'personal';
}

/** Returns true if the sender of a personal e-mail suppresses automatic replies. */
export const suppressesAnswers = ({ head }: ReadMail): boolean =>
  SUPPRESSED.test(head.get('x-auto-response-suppress') ?? '');

const OUT_OF_OFFICE =
  /^(?:\[(?!\p{Lu}+-\d)[^\]]{1,40}\] ?){0,3}(?:out[ -]of[ -](?:the[ -])?office|ooo|auto(?=:)|auto(?:matic)?[ -]?(?:reply|replies|response|antwort)|vacation (?:reply|response|message)|abwesen(?:d|heit(?:s(?:notiz|assistent|meldung|mail|benachrichtigung))?)|automatische antwort|außer haus|réponse automatique|absence du bureau|absent du bureau|respuesta automática|fuera de (?:la )?oficina|risposta automatica|fuori (?:sede|ufficio)|resposta automática|ausência|automatisch antwoord|afwezig(?:heid(?:s(?:bericht|assistent|melding))?)?|frånvaro(?:meddelande)?|autosvar|automatiskt? svar|fravær|odpowiedź automatyczna|automatyczna odpowiedź|自動返信|不在|自动回复|자동 회신)(?![\p{L}])/iu;

/** Returns true if a subject indicates an automatic answer. Answers from people begin with `Re:` or similar. */
export const looksOutOfOffice = ({ subject }: ReadMail): boolean => OUT_OF_OFFICE.test(subject);

/** Returns the Message-ID of a bounced e-mail: the first ID in the enclosed message. */
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
