/** Blockers, which must be completed first, and parents. Neither can be circular. */
import { asCaller, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import { keysOf } from './keys.ts';
import { Blocked, CircularBlockers, CircularParents } from './card.rules.ts';

/** Maximum depth of nested tasks, in levels. */
const DEPTH_MAX = 5;

/** Returns the keys of a path. Null for cards that the caller may not see. */
async function keysOnPath(db: Db, ids: readonly string[]): Promise<(string | null)[]> {
  const keys = await asCaller(() => keysOf(db, ids));
  return ids.map((id) => keys.get(id) ?? null);
}

/**
 * Checks the parent of an item, in the same project. The project must be locked for update.
 * @param id undefined for a new item, which has no children yet
 * @throws a 422 for `parent_id`; CircularParents
 */
export async function assertParent(
  db: Db,
  { id, project_id }: { id?: string; project_id: string },
  parent_id: string,
): Promise<void> {
  const above = await db.rows<{ id: string; kind: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT id, parent_id, kind, 1 AS level FROM work_items WHERE id = ${parent_id}::uuid AND project_id = ${project_id}::uuid
      UNION ALL
      SELECT parent.id, parent.parent_id, parent.kind, level + 1
      FROM work_items AS parent JOIN above ON parent.id = above.parent_id WHERE level < 20)
    SELECT id, kind FROM above ORDER BY level`);
  if (above[0]?.kind !== 'task') throw invalid('parent_id', 'Task not found in this project.');
  const ids = above.map((row) => row.id);
  if (id && ids.includes(id))
    throw CircularParents({ path: await keysOnPath(db, [id, ...ids.slice(0, ids.indexOf(id) + 1)]) });
  const [{ levels } = { levels: 1 }] = id
    ? await db.rows<{ levels: number }>(sql`
        WITH RECURSIVE below AS (
          SELECT id, 1 AS level FROM work_items WHERE id = ${id}::uuid
          UNION ALL SELECT part.id, level + 1 FROM work_items AS part JOIN below ON part.parent_id = below.id WHERE level < 20)
        SELECT max(level) AS levels FROM below`)
    : [];
  if (above.length + levels > DEPTH_MAX)
    throw invalid('parent_id', `Tasks can be nested at most ${DEPTH_MAX} levels deep.`);
}

/**
 * Walks each pair of blocked and blocking item once, since the number of paths is unlimited.
 * @throws CircularBlockers if a blocker is blocked by the item, directly or indirectly
 */
async function assertNoCircle(db: Db, item_id: string, blockers: readonly string[]): Promise<void> {
  const steps = await db.rows<{ id: string; via: string | null }>(sql`
    WITH RECURSIVE walk AS (
      SELECT blocker.id, NULL::uuid AS via FROM unnest(${blockers}::uuid[]) AS blocker (id)
      UNION SELECT blockers.blocker_id, walk.id FROM blockers JOIN walk ON blockers.item_id = walk.id AND walk.id <> ${item_id}::uuid)
    SELECT id, via FROM walk WHERE EXISTS (SELECT FROM walk WHERE id = ${item_id}::uuid)`);
  const before = new Map(steps.map(({ id, via }) => [id, via]));
  const path = [item_id];
  for (let at = before.get(item_id); at; at = before.get(at)) path.unshift(at);
  if (steps.length > 0) throw CircularBlockers({ path: await keysOnPath(db, [item_id, ...path]) });
}

/**
 * Sets the blockers of a card. Blockers that the caller does not see remain. The project of the card must be locked for
 * update.
 * @returns the added and the removed blockers
 * @throws a 422 for `blocked_by`; CircularBlockers
 */
export async function setBlockers(db: Db, item_id: string, blockerIds: readonly string[]) {
  const presentBlockers = () =>
    db.rows<{ blocker_id: string }>(sql`
      SELECT blocker_id FROM blockers JOIN work_items ON work_items.id = blocker_id WHERE item_id = ${item_id}::uuid`);
  const had = new Set((await asCaller(presentBlockers)).map(({ blocker_id }) => blocker_id));
  const gone = [...had].filter((id) => !blockerIds.includes(id));
  const come = [...new Set(blockerIds)].filter((id) => !had.has(id));
  if (gone.length > 0)
    await db.rows(sql`DELETE FROM blockers WHERE item_id = ${item_id}::uuid AND blocker_id = ANY(${gone}::uuid[])`);
  if (come.length > 0) {
    // A circle may lead through projects without a lock. Transactions that add blockers therefore wait for each other.
    await db.rows(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ' blockers', 0))`);
    await assertKnown(db, item_id, come);
    await assertNoCircle(db, item_id, come);
    await db.rows(sql`
      INSERT INTO blockers (item_id, blocker_id) SELECT ${item_id}::uuid, unnest(${come}::uuid[]) ON CONFLICT DO NOTHING`);
  }
  return { come, gone };
}

async function assertKnown(db: Db, item_id: string, ids: readonly string[]): Promise<void> {
  if (ids.includes(item_id)) throw CircularBlockers({ path: await keysOnPath(db, [item_id, item_id]) });
  const existing = await db.rows(sql`SELECT id FROM work_items WHERE id = ANY(${ids}::uuid[])`);
  if (existing.length < ids.length) throw invalid('blocked_by', 'Record not found.');
}

/** Rejects completion of an item with open blockers, if the workspace setting requires it. @throws Blocked */
export async function assertUnblocked(db: Db, item_id: string): Promise<void> {
  const openChildren = () =>
    db.rows<{ id: string }>(sql`
      SELECT work_items.id FROM blockers JOIN work_items ON work_items.id = blocker_id
      WHERE item_id = ${item_id}::uuid AND work_items."group" NOT IN ('completed', 'cancelled')
        AND coalesce((SELECT block_completion FROM settings), TRUE)
      ORDER BY work_items.id`);
  const all = await openChildren();
  if (all.length === 0) return;
  const ids = all.map(({ id }) => id);
  const seen = await asCaller(() => keysOf(db, ids));
  throw Blocked({ keys: [...seen.values()].toSorted(), hidden: all.length - seen.size });
}

/** Counts the open children. */
export async function countOpenChildren(db: Db, id: string): Promise<number> {
  const [row] = await db.rows<{ open: number }>(sql`
    SELECT count(*)::int AS open FROM work_items
    WHERE parent_id = ${id}::uuid AND "group" NOT IN ('completed', 'cancelled')`);
  return row?.open ?? 0;
}
