/** Files of tickets, replies and notes. Files of notes are in a separate table, like notes. */
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import { orderedId } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Row of `files` or `note_files`, as shown in responses. */
export interface FileRow {
  id: string;
  key: string;
  name: string;
  mime: string;
  size: number;
}

/** Returns a file with a temporary link that needs no token. */
export const attachmentOf = (links: FileLinks, { id, key, name, mime, size }: FileRow) => ({
  id,
  name,
  mime,
  size,
  url: links.url('/api/support-ticket/file', { key, name, mime }),
});

const rowOf = ({ key, name, size, mime }: StoredFile) => ({ id: orderedId(), key, name, size, mime });

/** Adds files to a ticket or to one of its replies. */
export async function attachFiles(
  db: Db,
  to: { ticket_id: string; thread_id?: string; reply_id?: string },
  files: readonly StoredFile[],
): Promise<FileRow[]> {
  const rows = files.map(rowOf);
  const data = rows.map((row) => ({ ...row, thread_id: to.ticket_id, ...to }));
  if (rows.length > 0) await db.file.createMany({ data });
  return rows;
}

/** Adds files to a note. */
export async function attachNoteFiles(db: Db, note_id: string, files: readonly StoredFile[]): Promise<FileRow[]> {
  const rows = files.map(rowOf);
  if (rows.length > 0) await db.noteFile.createMany({ data: rows.map((row) => ({ ...row, note_id })) });
  return rows;
}
