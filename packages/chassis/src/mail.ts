import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTransport } from 'nodemailer';
import { clock } from './clock.ts';

export interface Mail {
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
const CLOSED = { disableFileAccess: true, disableUrlAccess: true };

/** Sends through an SMTP server or, where there is none, keeps each message as a file that mail programs can open. */
export function openMailer(options: { smtp_url?: string | undefined; directory: string; from: string }): Mailer {
  const { smtp_url, directory, from } = options;
  const compose = ({ message_id, ...mail }: Mail) => ({ from, ...mail, ...(message_id && { messageId: message_id }) });
  if (smtp_url) {
    const transport = createTransport({ url: smtp_url, ...SMTP, ...CLOSED });
    return { send: async (mail) => void (await transport.sendMail(compose(mail))) };
  }
  const printer = createTransport({ streamTransport: true, buffer: true, ...CLOSED });
  const send = async (mail: Mail) => {
    const { message } = await printer.sendMail({ ...compose(mail), date: clock.now() });
    const recipient = mail.to.replaceAll(/[^\w.@+-]+/g, '_').slice(0, 80);
    const name = `${clock.now().toISOString().replaceAll(':', '-')} ${recipient} ${randomUUID().slice(0, 8)}.eml`;
    await mkdir(directory, { recursive: true });
    // Written aside and renamed, so that nobody reads half a message.
    await writeFile(join(directory, `.${name}`), message as Buffer);
    await rename(join(directory, `.${name}`), join(directory, name));
  };
  return { send };
}
