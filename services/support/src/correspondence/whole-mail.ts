/** An e-mail with its words, as a worker thread reads it. */
import { Fault } from '@suite/chassis/fault';
import { bodyOf, type MailBody } from './body.ts';
import { UnreadableMail } from '../mime/mail.rules.ts';
import { type ReadMail, readMail } from './message.ts';

// Loaded before the first e-mail, so that their loading is not counted as its work.
await Promise.all(
  ['@zone-eu/mailsplit', 'mailparser', 'html-to-text', 'sanitize-html'].map((library) => import(library)),
);

/**
 * Reads an e-mail and its words.
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readWholeMail(
  raw: Uint8Array,
  authentication_server: string | null,
): Promise<{ mail: ReadMail; body: MailBody }> {
  try {
    const mail = await readMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), authentication_server);
    return { mail, body: bodyOf(mail) };
  } catch (error) {
    // An e-mail on which a library fails is kept like any other that cannot be read.
    throw error instanceof Fault ? error : UnreadableMail({ reason: (error as Error).message });
  }
}
