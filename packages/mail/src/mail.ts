/** Messages on their way out: by SMTP or, where there is no server, as files. */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export { escapeHtml, textToHtml } from './html.ts';

/** A file of a message. */
export interface MailFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface Mail {
  /** The sender, where it is not the suite itself. */
  from?: string;
  /** One address or several, with or without names: `Ada <ada@example.com>`. */
  to: string;
  cc?: string;
  subject: string;
  text: string;
  html?: string;
  /** Makes a message that is sent again recognisable as the same. */
  message_id?: string;
  /** Where answers shall go. */
  reply_to?: string;
  /** The message that this one answers, and the conversation before it, the first one first. */
  in_reply_to?: string;
  references?: readonly string[];
  /** Files that go along. Their names are text: they open nothing. */
  attachments?: readonly MailFile[];
  /** Further header fields, such as `Auto-Submitted`. */
  headers?: Readonly<Record<string, string>>;
}

/** Longer ones are cut off by those who show them. */
const SUBJECT_MAX = 200;

/** Text in a single line: line breaks and other control characters become spaces. */
export const singleLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** The subject of a mail, in one line, whatever the names in it hold. */
export const subjectLine = (text: string): string => {
  const line = singleLine(text).slice(0, SUBJECT_MAX);
  // No half of a surrogate pair remains where the text was cut.
  return line.isWellFormed() ? line : line.slice(0, -1);
};

export interface Mailer {
  /** Sends one message; rejects when it was not accepted. Never inside a transaction. */
  send(mail: Mail): Promise<void>;
}

const SMTP = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };

/** A message whose header fields are single lines. Callers check their input, too: this is the last line of defence. */
function inSingleLines<M extends Pick<Mail, 'from' | 'to' | 'cc' | 'subject' | 'headers'>>(mail: M): M {
  const { from, to, cc, subject, headers = {} } = mail;
  const lines = Object.entries(headers).map(([name, value]) => [name, singleLine(value)]);
  return {
    ...mail,
    to: singleLine(to),
    subject: subjectLine(subject),
    headers: Object.fromEntries(lines),
    ...(from && { from: singleLine(from) }),
    ...(cc && { cc: singleLine(cc) }),
  };
}

/** Loaded with the first message: it is large, and many processes never send one. */
async function openTransport(way: object) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ ...way, disableFileAccess: true, disableUrlAccess: true });
}

/**
 * Sends through an SMTP server or, where there is none, keeps each message as a file that mail programs can open.
 * @param options.now what time it is
 */
export function openMailer(options: {
  smtp_url?: string | undefined;
  directory: string;
  from: string;
  now: () => Date;
}): Mailer {
  const { smtp_url, directory, from, now } = options;
  // An earlier release left it open to other users of the machine.
  if (!smtp_url && existsSync(directory)) chmodSync(directory, 0o700);
  const compose = ({ message_id, reply_to, in_reply_to, references, attachments = [], ...mail }: Mail) => ({
    ...inSingleLines({ from, ...mail }),
    attachments: [...attachments],
    ...(message_id && { messageId: message_id }),
    ...(reply_to && { replyTo: singleLine(reply_to) }),
    ...(in_reply_to && { inReplyTo: in_reply_to }),
    ...(references && { references: [...references] }),
  });
  const deliver = async (mail: Mail) => {
    const transport = await openTransport({ url: smtp_url, ...SMTP });
    await transport.sendMail(compose(mail));
  };
  const keep = async (mail: Mail) => {
    const printer = await openTransport({ streamTransport: true, buffer: true });
    const { message } = await printer.sendMail({ ...compose(mail), date: now() });
    const recipient = mail.to.replaceAll(/[^\w.@+-]+/g, '_').slice(0, 80);
    const name = `${now().toISOString().replaceAll(':', '-')} ${recipient} ${randomUUID().slice(0, 8)}.eml`;
    const draft = join(directory, `.${name}`);
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      // Written aside and renamed, so that nobody reads half a message.
      await writeFile(draft, message as Buffer, { mode: 0o600 });
      await rename(draft, join(directory, name));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      // People read why; the log also says where.
      const why = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'no space is left' : 'its folder cannot be used';
      throw Object.assign(new Error(`The mail could not be kept: ${why}.`, { cause: error }), { directory });
    }
  };
  return { send: smtp_url ? deliver : keep };
}
