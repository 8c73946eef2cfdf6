/** Reads an e-mail and its text in a worker thread. */
import { Fault } from '@suite/chassis/faults';
import { bodyOf, type MailBody } from './body.ts';
import { mailHtml } from '../../content/markdown/markdown.ts';
import { htmlToText } from '../../content/mime/html-text.ts';
import { UnreadableMail } from '../../content/mime/mail.rules.ts';
import { type ReadMail, readMail } from './message.ts';

// Loads the libraries before the first e-mail, so that the limits exclude the loading time.
await Promise.all([import('@zone-eu/mailsplit'), import('mailparser')]);
htmlToText('<p>*</p>');
mailHtml('<p>*</p>');

/**
 * Reads an e-mail and its text.
 * @throws UnreadableMail, TooManyAttachments, MailWithoutSender
 */
export async function readMailAndBody(
  raw: Uint8Array,
  authentication_server: string | null,
): Promise<{ mail: ReadMail; body: MailBody }> {
  try {
    const mail = await readMail(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), authentication_server);
    return { mail, body: bodyOf(mail) };
  } catch (error) {
    // If a library fails, the e-mail is stored like any other unreadable one.
    throw error instanceof Fault ? error : UnreadableMail({ reason: (error as Error).message });
  }
}
