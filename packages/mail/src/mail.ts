/** Outgoing e-mails: by SMTP or, without a server, as files. */
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export { escapeHtml, textToHtml } from './html.ts';

/** An attached file. */
export interface MailFile {
  filename: string;
  contentType: string;
  content: Buffer;
}

export interface Mail {
  /** The sender. Defaults to the suite. */
  from?: string;
  /** One address or several, with or without names: `Ada <ada@example.com>`. */
  to: string;
  cc?: string;
  subject: string;
  text: string;
  html?: string;
  /** The ID that identifies a repeated message. */
  message_id?: string;
  /** Address for replies. */
  reply_to?: string;
  /** The message that this one replies to, and the earlier messages of the conversation, oldest first. */
  in_reply_to?: string;
  references?: readonly string[];
  /** Attached files. Their names are text and open no files. */
  attachments?: readonly MailFile[];
  /** Additional header fields, such as `Auto-Submitted`. */
  headers?: Readonly<Record<string, string>>;
}

/** Maximum length of a subject. E-mail programs cut longer ones. */
const SUBJECT_MAX = 200;

/** Converts a text to a single line: line breaks and other control characters become spaces. */
export const singleLine = (text: string): string => text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');

/** Returns the subject of an e-mail in one line, regardless of the names in it. */
export const subjectLine = (text: string): string => {
  const line = singleLine(text).slice(0, SUBJECT_MAX);
  // Removes half of a surrogate pair where the text was cut.
  return line.isWellFormed() ? line : line.slice(0, -1);
};

export interface Mailer {
  /** Sends one message. Rejects if it was not accepted. Never call this inside a transaction. */
  send(mail: Mail): Promise<void>;
}

const SMTP = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };

/**
 * Returns a message whose header fields are single lines. Callers also check their input, so this is an additional
 * protection.
 */
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

/** Loads the transport for the first message. It is large, and many processes never send one. */
async function openTransport(way: object) {
  const { createTransport } = await import('nodemailer');
  return createTransport({ ...way, disableFileAccess: true, disableUrlAccess: true });
}

/**
 * Sends through an SMTP server. Without one, stores each message as a file that e-mail programs can open.
 * @param options.now returns the current time
 */
export function openMailer(options: {
  smtp_url?: string | undefined;
  directory: string;
  from: string;
  now: () => Date;
}): Mailer {
  const { smtp_url, directory, from, now } = options;
  // An earlier release left the directory open to other users of the machine.
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
      // Written under another name and renamed, so that no program reads half a message.
      await writeFile(draft, message as Buffer, { mode: 0o600 });
      await rename(draft, join(directory, name));
    } catch (error) {
      await rm(draft, { force: true }).catch(() => undefined);
      // The message contains the reason, and the log also contains the path.
      const why = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'the disk is full' : 'its folder cannot be used';
      throw Object.assign(new Error(`The e-mail could not be stored: ${why}.`, { cause: error }), { directory });
    }
  };
  return { send: smtp_url ? deliver : keep };
}
