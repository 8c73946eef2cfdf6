/** Messages on their way out: by SMTP or, where there is no server, as files. */
import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface Mail {
  /** One address or several, with or without names: `Ada <ada@example.com>`. */
  to: string;
  cc?: string;
  subject: string;
  text: string;
  html?: string;
  /** Makes a message that is sent again recognisable as the same. */
  message_id?: string;
}

export interface Mailer {
  /** Sends one message; rejects when it was not accepted. Never inside a transaction. */
  send(mail: Mail): Promise<void>;
}

const SMTP = { connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };

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
  const compose = ({ message_id, ...mail }: Mail) => ({ from, ...mail, ...(message_id && { messageId: message_id }) });
  const deliver = async (mail: Mail) => {
    const transport = await openTransport({ url: smtp_url, ...SMTP });
    await transport.sendMail(compose(mail));
  };
  const keep = async (mail: Mail) => {
    const printer = await openTransport({ streamTransport: true, buffer: true });
    const { message } = await printer.sendMail({ ...compose(mail), date: now() });
    const recipient = mail.to.replaceAll(/[^\w.@+-]+/g, '_').slice(0, 80);
    const name = `${now().toISOString().replaceAll(':', '-')} ${recipient} ${randomUUID().slice(0, 8)}.eml`;
    await mkdir(directory, { recursive: true });
    // Written aside and renamed, so that nobody reads half a message.
    await writeFile(join(directory, `.${name}`), message as Buffer);
    await rename(join(directory, `.${name}`), join(directory, name));
  };
  return { send: smtp_url ? deliver : keep };
}
