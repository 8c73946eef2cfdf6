/** Received e-mails as a list, with their originals as downloads. */
import type { ServerResponse } from 'node:http';
import { find, sql } from '@suite/chassis/database';
import { fault, NotFound } from '@suite/chassis/faults';
import { sendFile, type Storage } from '@suite/chassis/files';
import { type ListRequest, paginate } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';

export const OriginalDeleted = fault(
  404,
  'original_deleted',
  'The original of this e-mail was deleted after 90 days. The ticket still has its text and its files.',
);

/** Returns a page of the received e-mails. */
export const listReceived = (db: Db, request: ListRequest) =>
  paginate(db, request, {
    table: 'mail_messages',
    where: sql`mail_messages.direction = 'in' AND mail_messages.outcome IS NOT NULL`,
    compute: { has_original: sql`mail_messages.raw_key IS NOT NULL` },
  });

/** Sends an original e-mail as a download, unless the scanner rejects it. @throws FileRefusedByScan, ScanUnavailable */
export const sendOriginal =
  (storage: Storage, id: string, key: string) =>
  async (response: ServerResponse): Promise<void> => {
    await storage.scanStored(key);
    await sendFile(response, storage, { key, name: `${id}.eml`, mime: 'message/rfc822' });
  };

/** Returns the storage key of a received e-mail. @throws NotFound, OriginalDeleted */
export async function originalOf(db: Db, id: string): Promise<string> {
  const { direction, raw_key } = await find(db.mailMessage, id);
  if (direction !== 'in') throw NotFound();
  if (!raw_key) throw OriginalDeleted();
  return raw_key;
}
