/** How comments are shown. */
import { sql } from '@suite/chassis';
import { userLabelOf } from '@suite/users';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import type { Comment } from './comment.schema.ts';

const SHOWN = 50;
const columns = sql`comments.id, comments.author_id, ${userLabelOf(sql`comments.author_id`)} AS author, comments.visibility,
  comments.body, comments.deleted_at IS NOT NULL AS deleted, comments.edited_at, comments.created_at, comments.version`;

type Shown = z.input<typeof Comment>;

/** The latest comments that the caller sees, and whether there are earlier ones. */
export async function latestComments(db: Db, item_id: string): Promise<{ comments: Shown[]; comments_next: boolean }> {
  const rows = await db.rows<Shown>(sql`
    SELECT ${columns} FROM comments WHERE item_id = ${item_id}::uuid
    ORDER BY comments.created_at DESC, comments.id DESC LIMIT ${SHOWN + 1}`);
  return { comments: rows.slice(0, SHOWN).toReversed(), comments_next: rows.length > SHOWN };
}

/** One comment. */
export async function readComment(db: Db, id: string): Promise<Shown> {
  const [row] = await db.rows<Shown>(sql`SELECT ${columns} FROM comments WHERE comments.id = ${id}::uuid`);
  return row as Shown;
}
