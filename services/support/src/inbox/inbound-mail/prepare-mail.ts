/** Prepares an e-mail before its transaction: reads it, and checks and stores its attachments. */
import { Fault, FileRefusedByScan } from '@suite/chassis/faults';
import { storeFile, type Storage, type StoredFile } from '@suite/chassis/files';
import type { PreparedMail } from './inbound.ts';
import { LIMITS } from '../../content/mime/mail.rules.ts';
import { readMailWithinLimits } from '../../emails/correspondence/mail-reading.ts';
import type { MailAttachment } from '../../emails/correspondence/message.ts';

/**
 * Storage, with the bytes that remain in the plan. An e-mail is always accepted, without files that exceed the
 * remainder.
 */
interface AttachmentContext {
  storage: Storage;
  workspace_id: string;
  room: number;
  files: StoredFile[];
}

/** Stores an attachment. @returns `scan` if the scanner rejects it, undefined for an unaccepted type */
async function storeUnlessRejected(
  file: { name: string; content: Buffer },
  context: AttachmentContext,
): Promise<StoredFile | 'scan' | undefined> {
  try {
    return await storeFile(file, 'documents', context);
  } catch (error) {
    if (error instanceof Fault && error.code === FileRefusedByScan.code) return 'scan';
    throw error;
  }
}

/** Stores the accepted attachments. Returns the rejected ones with the reason. */
async function storeAttachments(
  attachments: readonly MailAttachment[],
  context: AttachmentContext,
): Promise<Pick<PreparedMail, 'files' | 'refused'>> {
  const files: StoredFile[] = [];
  const refused: PreparedMail['refused'] = [];
  let { room } = context;
  for (const { name, content } of attachments) {
    const tooLarge = content.length > LIMITS.kept_bytes && 'too_large';
    const tooMany = files.length >= LIMITS.kept_attachments && 'too_many';
    const noRoom = content.length > room && 'plan_limit';
    const reason = tooLarge || tooMany || noRoom;
    const stored = reason ? undefined : await storeUnlessRejected({ name, content }, context);
    if (!stored || stored === 'scan') refused.push({ name: name.slice(0, 200), reason: reason || stored || 'type' });
    else {
      files.push(stored);
      room -= content.length;
      // If the command fails, its files are removed.
      context.files.push(stored);
    }
  }
  return { files, refused };
}

/** File with the full text of an e-mail that exceeds the shown length. */
const FULL_TEXT = 'message.txt';

/** Stores the full text of a long e-mail if the plan has sufficient storage. The original e-mail always contains it. */
async function storeFullText(full_text: string | null, context: AttachmentContext): Promise<StoredFile | undefined> {
  const content = Buffer.from(full_text ?? '');
  const hasRoom = content.length > 0 && content.length <= context.room;
  const stored = hasRoom ? await storeUnlessRejected({ name: FULL_TEXT, content }, context) : undefined;
  if (!stored || stored === 'scan') return undefined;
  context.files.push(stored);
  return stored;
}

/**
 * Reads an e-mail.
 * @param authentication_server trusted server of authentication results. Null for none
 * @returns the fault of an e-mail that cannot be processed
 */
export async function prepareMail(
  raw: Buffer,
  authentication_server: string | null,
  context: AttachmentContext,
): Promise<PreparedMail | Fault> {
  try {
    const { mail, body } = await readMailWithinLimits(context.workspace_id, raw, authentication_server);
    const full_text = await storeFullText(body.full_text, context);
    const room = context.room - (full_text?.size ?? 0);
    return { mail, body, full_text, ...(await storeAttachments(mail.attachments, { ...context, room })) };
  } catch (error) {
    if (error instanceof Fault && error.status === 422) return error;
    throw error;
  }
}
