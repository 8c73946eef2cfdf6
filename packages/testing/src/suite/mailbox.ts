/** E-mails of a suite without an SMTP server: files in its data directory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '../waiting.ts';

export interface ReceivedMail {
  to: string;
  /** Reply address. Empty if not specified. */
  reply_to: string;
  subject: string;
  text: string;
}

/** Decodes soft line breaks and codes such as `=3D` of quoted-printable text. */
const printable = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/**
 * Returns the headers and the text of a message or part. Of several alternatives, the first one counts, which is plain
 * text.
 */
function wordsOf(source: string): { header: (name: string) => string; text: string } {
  const [head = '', ...rest] = source.split(/\r?\n\r?\n/);
  const fields = head.replaceAll(/\r?\n[ \t]+/g, ' ');
  const header = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(fields)?.[1]?.trim() ?? '';
  const body = rest.join('\n\n');
  const [, boundary] = /^multipart\/.*boundary="?([^";]+)/i.exec(header('content-type')) ?? [];
  if (boundary) return { header, text: wordsOf(body.split(`--${boundary}`)[1]!.trimStart()).text };
  const isEncoded = header('content-transfer-encoding').toLowerCase() === 'quoted-printable';
  return { header, text: isEncoded ? printable(body) : body };
}

/** E-mails by file. The files never change, tests read them repeatedly, and a suite has hundreds. */
const emails = new Map<string, ReceivedMail>();

function readEmail(file: string): ReceivedMail {
  const before = emails.get(file);
  if (before) return before;
  const { header, text } = wordsOf(readFileSync(file, 'utf8'));
  const letter = { to: header('to'), reply_to: header('reply-to'), subject: header('subject'), text };
  emails.set(file, letter);
  return letter;
}

/** Returns all e-mails to an address, oldest first. */
export function emailsTo(suite: { data: string }, email: string): ReceivedMail[] {
  const directory = join(suite.data, 'mail');
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .toSorted()
    .map((name) => readEmail(join(directory, name)))
    .filter(({ to }) => to.includes(email));
}

/** Waits for a link sent to an address and returns the token of the newest one for this purpose. */
export function waitForLink(suite: { data: string }, email: string, purpose = 'accept_invitation'): Promise<string> {
  // A requester's link to a ticket contains the token in its path: /public/<token>. A code is on a separate line.
  const link =
    purpose === 'mailbox_code' ? /^([A-Z\d]{4}(?:-[A-Z\d]{4}){2})\s*$/m : new RegExp(`[#/]${purpose}[=/]([\\w.-]+)`);
  return waitFor(() => {
    const token = emailsTo(suite, email)
      .map(({ text }) => link.exec(text)?.[1])
      .findLast(Boolean);
    if (!token) throw new Error(`No e-mail with a link for ${purpose} received at ${email}.`);
    return token;
  }, 15_000);
}
