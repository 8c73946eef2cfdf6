/** Prepares an e-mail before its transaction: reads it, and checks and stores its attachments. */
import { Fault, storeFile, type Storage, type StoredFile } from '@suite/chassis';
import type { PreparedMail } from './inbound.ts';
import { LIMITS } from '../correspondence/mail.rules.ts';
import { readMailWithinLimits } from '../correspondence/mail-reading.ts';
import type { MailAttachment } from '../correspondence/message.ts';

/** The storage, and the bytes that the plan leaves in it: an e-mail is taken in nevertheless, without what has no room. */
interface Place {
  storage: Storage;
  workspace_id: string;
  room: number;
  files: StoredFile[];
}

/** Keeps the attachments that may be kept, and says of the others why not. */
async function keepAttachments(
  attachments: readonly MailAttachment[],
  place: Place,
): Promise<Pick<PreparedMail, 'files' | 'refused'>> {
  const files: StoredFile[] = [];
  const refused: PreparedMail['refused'] = [];
  let { room } = place;
  for (const { name, content } of attachments) {
    const tooLarge = content.length > LIMITS.kept_bytes && 'too_large';
    const tooMany = files.length >= LIMITS.kept_attachments && 'too_many';
    const noRoom = content.length > room && 'plan_limit';
    const reason = tooLarge || tooMany || noRoom;
    const stored = reason ? undefined : await storeFile({ name, content }, 'documents', place);
    if (!stored) refused.push({ name: name.slice(0, 200), reason: reason || 'type' });
    else {
      files.push(stored);
      room -= content.length;
      // Files of a command that fails vanish with it.
      place.files.push(stored);
    }
  }
  return { files, refused };
}

/**
 * Reads an e-mail.
 * @param authentication_server whose words about its sender count; null for nobody's
 * @returns the fault of one that cannot be taken, which is then parked
 */
export async function prepareMail(
  raw: Buffer,
  authentication_server: string | null,
  place: Place,
): Promise<PreparedMail | Fault> {
  try {
    const { mail, body } = await readMailWithinLimits(place.workspace_id, raw, authentication_server);
    return { mail, body, ...(await keepAttachments(mail.attachments, place)) };
  } catch (error) {
    if (error instanceof Fault && error.status === 422) return error;
    throw error;
  }
}
