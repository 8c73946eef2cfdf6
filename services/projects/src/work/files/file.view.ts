/** Views of files, with a link that expires. */
import { sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { fileActions } from './file.rules.ts';

interface StoredObject {
  key: string;
  name: string;
  mime: string;
}

/** Returns a link to a stored file, usable without a token. */
export const fileAddress = (links: FileLinks, { key, name, mime }: StoredObject): string =>
  links.url('/api/project/file/download', { key, name, mime });

/** Number of newest files that a record shows. Files of comments are listed with the comments. */
const LATEST_MAX = 100;

/** Returns the expansion with the files of projects, newest first. */
export const filesOf = (db: Db, caller: Caller, links: FileLinks): Expansion =>
  many('project_id', async (ids) => {
    const files = await db.rows<StoredObject & { project_id: string }>(sql`
      SELECT file.* FROM unnest(${ids}::uuid[]) AS project (id) CROSS JOIN LATERAL (
        SELECT id, project_id, item_id, comment_id, name, size, mime, key, client_visible, created_by, updated_by, created_at,
          updated_at, version, ${fileActions.shownTo(caller, 'files')} AS allowed_actions
        FROM files WHERE files.project_id = project.id ORDER BY created_at DESC, id DESC LIMIT ${LATEST_MAX}) AS file
      ORDER BY created_at DESC, id DESC`);
    return files.map((file) => ({ ...file, url: fileAddress(links, file) }));
  });
