/** The letters of a suite without an SMTP server: files in its data directory. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '../patience.ts';

export interface Letter {
  to: string;
  /** Where an answer goes; empty where that is not said. */
  reply_to: string;
  subject: string;
  text: string;
}

/** Soft line breaks and `=3D` of quoted-printable text. */
const printable = (text: string): string =>
  text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** The head of a message or of a part, and the words in it: of several forms the first one, which is plain text. */
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

/** Letters by their files, which nobody changes: tests look again and again, and a suite has hundreds. */
const known = new Map<string, Letter>();

function read(file: string): Letter {
  const before = known.get(file);
  if (before) return before;
  const { header, text } = wordsOf(readFileSync(file, 'utf8'));
  const letter = { to: header('to'), reply_to: header('reply-to'), subject: header('subject'), text };
  known.set(file, letter);
  return letter;
}

/** Every letter to an address, oldest first. */
export function lettersTo(suite: { data: string }, email: string): Letter[] {
  const directory = join(suite.data, 'mail');
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter((name) => name.endsWith('.eml') && !name.startsWith('.'))
    .toSorted()
    .map((name) => read(join(directory, name)))
    .filter(({ to }) => to.includes(email));
}

/** The token of the newest link for a purpose that was sent to an address, once it has arrived. */
export function linkTo(suite: { data: string }, email: string, purpose = 'accept_invitation'): Promise<string> {
  // A requester's link to a ticket names it in its path: /public/<token>.
  // A code stands on a line of its own.
  const link =
    purpose === 'mailbox_code' ? /^([A-Z\d]{4}(?:-[A-Z\d]{4}){2})\s*$/m : new RegExp(`[#/]${purpose}[=/]([\\w.-]+)`);
  return eventually(() => {
    const token = lettersTo(suite, email)
      .map(({ text }) => link.exec(text)?.[1])
      .findLast(Boolean);
    if (!token) throw new Error(`No letter with a link for ${purpose} has come to ${email}.`);
    return token;
  }, 15_000);
}
