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

const SMTP = { pool: true, maxConnections: 2, connectionTimeout: 5_000, greetingTimeout: 5_000, socketTimeout: 20_000 };
const CLOSED = { disableFileAccess: true, disableUrlAccess: true };

/** Sends through an SMTP server or, where there is none, keeps each message as a file that mail programs can open. */
export function openMailer(options: { smtp_url?: string | undefined; directory?: string | undefined; from: string }): Mailer {
  const { smtp_url, directory, from } = options;
  if (!smtp_url && !directory) throw new Error('Mail needs SMTP_URL, or MAIL_DIR to keep it in.');
  const transport = smtp_url ? createTransport(smtp_url, { ...SMTP, ...CLOSED }) : undefined;
  const printer = createTransport({ streamTransport: true, buffer: true, ...CLOSED });
  return {
    async send({ message_id, ...mail }) {
      const message = { from, ...mail, ...CLOSED, ...(message_id && { messageId: message_id }) };
      if (transport) {
        await transport.sendMail(message);
        return;
      }
      const { message: text } = await printer.sendMail({ ...message, date: clock.now() });
      const recipient = mail.to.replaceAll(/[^\w.@+-]+/g, '_').slice(0, 80);
      const name = `${clock.now().toISOString().replaceAll(':', '-')} ${recipient} ${randomUUID().slice(0, 8)}.eml`;
      await mkdir(directory, { recursive: true });
      // Written aside and renamed, so that nobody reads half a message.
      await writeFile(join(directory, `.${name}`), text as Buffer);
      await rename(join(directory, `.${name}`), join(directory, name));
    },
  };
}
