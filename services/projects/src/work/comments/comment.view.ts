/** Views of comments. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { one } from '@suite/chassis/lists';
import { userLabels, userPortraits } from '@suite/user-copies';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { mentionedIn } from '../notifications/mention.rules.ts';
import type { WorkItemKind } from '../work-items/card.rules.ts';
import { commentActions } from './comment.rules.ts';
import type { Comment } from './comment.schema.ts';

const SHOWN = 50;
/** Card of the comments, and the caller who sees them. */
interface Reader {
  db: Db;
  caller: Caller;
  kind: WorkItemKind;
}

const columns = ({ caller, kind }: Reader) => sql`comments.id, comments.author_id, comments.visibility,
  comments.body, comments.deleted_at IS NOT NULL AS deleted, comments.edited_at, comments.created_at, comments.version,
  ${commentActions[kind].shownTo(caller, 'comments')} AS allowed_actions`;

type Shown = z.input<typeof Comment>;

/** Adds authors and the names of mentioned users, each with one query. */
async function withPeople(db: Db, rows: Shown[]): Promise<void> {
  await one('author_id', userPortraits(db))(rows, 'author');
  const mentioned = [...new Set(rows.flatMap(({ body }) => mentionedIn(body)))];
  const known = mentioned.length > 0 ? ((await userLabels(db)(mentioned)) as Shown['mentions']) : [];
  const labelOf = new Map(known.map((label) => [label.id, label]));
  for (const row of rows) row.mentions = mentionedIn(row.body).flatMap((id) => labelOf.get(id) ?? []);
}

/** Returns the latest comments visible to the caller, and true if there are earlier ones. */
export async function latestComments(
  reader: Reader,
  item_id: string,
): Promise<{ comments: Shown[]; comments_next: boolean }> {
  const { db } = reader;
  const rows = await db.rows<Shown>(sql`
    SELECT ${columns(reader)} FROM comments WHERE item_id = ${item_id}::uuid
    ORDER BY comments.created_at DESC, comments.id DESC LIMIT ${SHOWN + 1}`);
  await withPeople(db, rows);
  return { comments: rows.slice(0, SHOWN).toReversed(), comments_next: rows.length > SHOWN };
}

/** One comment. */
export async function readComment(reader: Reader, id: string): Promise<Shown> {
  const { db } = reader;
  const [row] = await db.rows<Shown>(sql`SELECT ${columns(reader)} FROM comments WHERE comments.id = ${id}::uuid`);
  if (row) await withPeople(db, [row]);
  return row as Shown;
}
