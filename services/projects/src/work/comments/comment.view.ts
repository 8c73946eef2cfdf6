/** Views of comments. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { one } from '@suite/chassis/lists';
import { userLabels, userPortraits } from '@suite/user-copies';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { mentionedUsers } from '../notifications/mention.rules.ts';
import type { WorkItemKind } from '../work-items/card.rules.ts';
import { commentActions } from './comment.rules.ts';
import type { Comment } from './comment.schema.ts';

const LATEST_MAX = 50;
/** Card of the comments, and the caller who sees them. */
interface CommentReader {
  db: Db;
  caller: Caller;
  kind: WorkItemKind;
}

const columns = ({ caller, kind }: CommentReader) => sql`comments.id, comments.author_id, comments.visibility,
  comments.body, comments.deleted_at IS NOT NULL AS deleted, comments.edited_at, comments.created_at, comments.version,
  ${commentActions[kind].shownTo(caller, 'comments')} AS allowed_actions`;

type CommentView = z.input<typeof Comment>;

/** Adds authors and the names of mentioned users, each with one query. */
async function addPeople(db: Db, rows: CommentView[]): Promise<void> {
  await one('author_id', userPortraits(db))(rows, 'author');
  const mentioned = [...new Set(rows.flatMap(({ body }) => mentionedUsers(body)))];
  const labels = mentioned.length > 0 ? ((await userLabels(db)(mentioned)) as CommentView['mentions']) : [];
  const labelOf = new Map(labels.map((label) => [label.id, label]));
  for (const row of rows) row.mentions = mentionedUsers(row.body).flatMap((id) => labelOf.get(id) ?? []);
}

/** Returns the latest comments visible to the caller, and true if there are earlier ones. */
export async function latestComments(
  context: CommentReader,
  item_id: string,
): Promise<{ comments: CommentView[]; comments_next: boolean }> {
  const { db } = context;
  const rows = await db.rows<CommentView>(sql`
    SELECT ${columns(context)} FROM comments WHERE item_id = ${item_id}::uuid
    ORDER BY comments.created_at DESC, comments.id DESC LIMIT ${LATEST_MAX + 1}`);
  await addPeople(db, rows);
  return { comments: rows.slice(0, LATEST_MAX).toReversed(), comments_next: rows.length > LATEST_MAX };
}

/** One comment. */
export async function readComment(context: CommentReader, id: string): Promise<CommentView> {
  const { db } = context;
  const [row] = await db.rows<CommentView>(
    sql`SELECT ${columns(context)} FROM comments WHERE comments.id = ${id}::uuid`,
  );
  if (row) await addPeople(db, [row]);
  return row as CommentView;
}
