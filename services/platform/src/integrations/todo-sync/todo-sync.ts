/** To-do lists as rows: the entries in a calendar, and the progress of its synchronisation. */
import { sql } from '@suite/chassis/database';
import type { Keys } from '@suite/chassis/identity';
import { clock, orderedId } from '@suite/chassis/runtime';
import { openEncryption, type CipherLocation } from '@suite/field-encryption';
import type { TodoFields } from '../caldav/todo-entry.ts';
import type { Db } from '../../operations.ts';

/** Returns the location of the encrypted secrets for removing tasks from a calendar. */
export const removalCipherLocation = (id: string): CipherLocation => ({
  table: 'todo_removals',
  column: 'secrets_sealed',
  id,
});

/** Task in a user's calendar. */
export interface TodoItem {
  task_id: string;
  source: TaskSource;
  href: string;
  /** ETag on the server. Null if the task must be written again. */
  etag: string | null;
  version: number;
  group: string;
  /** Last fields that were identical on both sides. */
  agreed: Partial<TodoFields>;
}

/** Service that owns a task. Tasks of crm are only written to the calendar. */
export type TaskSource = 'projects' | 'crm';

/** Returns the number of tasks in the calendar, and the number that its server rejected. */
export async function readUsage(db: Db, sync_id: string | undefined): Promise<{ tasks: number; refused: number }> {
  if (!sync_id) return { tasks: 0, refused: 0 };
  const tasks = await db.todoItem.count({ where: { sync_id } });
  const sync = await db.todoSync.findFirst({ where: { id: sync_id }, select: { refused: true } });
  return { tasks, refused: sync?.refused ?? 0 };
}

/** Returns the tasks in the calendar, as last written. */
export const readItems = (db: Db, sync_id: string): Promise<TodoItem[]> =>
  db.rows<TodoItem>(sql`
    SELECT task_id, source, href, etag, version, "group", agreed FROM todo_items WHERE sync_id = ${sync_id}::uuid
    ORDER BY task_id`);

/**
 * Returns the tasks among these that are also in the same calendar for another user, because colleagues may share one.
 * Deleting such an entry would unassign the colleague.
 */
export async function readSharedItems(
  db: Db,
  { id }: { id: string },
  calendar_url: string,
  task_ids: readonly string[],
): Promise<string[]> {
  const found = await db.rows<{ task_id: string }>(sql`
    SELECT DISTINCT task_id FROM integrations JOIN todo_items ON sync_id = integrations.id
    WHERE integrations.id <> ${id}::uuid AND settings ->> 'calendar_url' = ${calendar_url} AND task_id = ANY (${task_ids}::uuid[])`);
  return found.map(({ task_id }) => task_id);
}

/**
 * Starts the synchronisation of a calendar. A different calendar is synchronised from the beginning. Pending removals
 * from the calendar are cancelled.
 */
export async function startSync(
  db: Db,
  { id, user_id, calendar_url }: { id: string; user_id: string; calendar_url: string },
): Promise<void> {
  // A running deletion has ended before anything is written.
  const [removal] = await db.rows<{ until: string | null }>(sql`
    WITH ended AS (DELETE FROM todo_removals WHERE user_id = ${user_id}::uuid RETURNING next_attempt_at, attempts)
    SELECT max(next_attempt_at) FILTER (WHERE attempts > 0) AS until FROM ended`);
  const now = clock.now();
  const until = removal?.until ? new Date(removal.until) : now;
  await db.rows(sql`
    DELETE FROM todo_items WHERE sync_id = ${id}::uuid AND NOT starts_with(href, ${new URL(calendar_url).pathname})`);
  await db.rows(sql`
    INSERT INTO todo_syncs (id, user_id, next_attempt_at)
    VALUES (${id}::uuid, ${user_id}::uuid, ${until > now ? until : now}::timestamptz)
    ON CONFLICT (workspace_id, id) DO UPDATE SET next_attempt_at = EXCLUDED.next_attempt_at, claim = NULL, sync_token = NULL`);
}

/** Connection whose tasks are to be removed from the calendar. */
interface FormerConnection {
  settings: { calendar_url: string; username: string; direction: string };
  secrets: { password: string };
}

/** Returns the entries to delete with a connection. */
async function itemsToRemove(
  db: Db,
  sync: { id: string },
  former_connection: FormerConnection | undefined,
): Promise<string[]> {
  if (!former_connection || former_connection.settings.direction === 'in') return [];
  const items = await readItems(db, sync.id);
  const { calendar_url } = former_connection.settings;
  const shared = new Set(
    await readSharedItems(
      db,
      sync,
      calendar_url,
      items.map(({ task_id }) => task_id),
    ),
  );
  return items.filter(({ task_id }) => !shared.has(task_id)).map(({ href }) => href);
}

/** Ends the synchronisation of a user's calendar. A schedule then deletes the entries, if requested. */
export async function endSync(
  db: Db,
  keys: Keys,
  { user_id, former_connection }: { user_id: string; former_connection: FormerConnection | undefined },
): Promise<void> {
  const [sync] = await db.rows<{ id: string }>(sql`
    SELECT id FROM todo_syncs WHERE user_id = ${user_id}::uuid FOR UPDATE`);
  if (!sync) return;
  const items = await itemsToRemove(db, sync, former_connection);
  if (former_connection && items.length > 0) {
    const id = orderedId();
    const { calendar_url, username } = former_connection.settings;
    const secrets = JSON.stringify({ username, password: former_connection.secrets.password });
    const secrets_sealed = (await openEncryption(db, keys.master)).seal(removalCipherLocation(id), secrets);
    const data = { id, user_id, calendar_url, secrets_sealed, items, next_attempt_at: clock.now() };
    await db.todoRemoval.create({ data });
  }
  await db.todoSync.deleteMany({ where: { id: sync.id } });
}

/** Run that processes a to-do list. */
export interface SyncClaim {
  /** ID of the to-do list. */
  id: string;
  user_id: string;
  claim: string;
}

/** Thrown if another run has taken over, or the to-do list was disconnected. The results of this run are discarded. */
export class ClaimLost extends Error {}

/** Asserts that this run still owns a to-do list, and locks it until the transaction ends. @throws ClaimLost */
async function assertClaimed(db: Db, { id, claim }: SyncClaim): Promise<void> {
  const [found] = await db.rows(sql`
    SELECT id FROM todo_syncs WHERE id = ${id}::uuid AND claim = ${claim}::uuid FOR NO KEY UPDATE`);
  if (!found) throw new ClaimLost();
}

/** Records a task's entry in the calendar. @throws ClaimLost */
export async function storeItem(db: Db, claim: SyncClaim, item: TodoItem): Promise<void> {
  await assertClaimed(db, claim);
  const { task_id, source, href, etag, version, group, agreed } = item;
  const isOver = group === 'completed' || group === 'cancelled';
  const over_since = isOver ? clock.now() : null;
  await db.rows(sql`
    INSERT INTO todo_items AS known (sync_id, task_id, source, href, etag, version, "group", agreed, over_since)
    VALUES (${claim.id}::uuid, ${task_id}::uuid, ${source}, ${href}, ${etag}, ${version}::int, ${group},
      ${JSON.stringify(agreed)}::jsonb, ${over_since}::timestamptz)
    ON CONFLICT (workspace_id, sync_id, task_id) DO UPDATE SET href = EXCLUDED.href, etag = EXCLUDED.etag,
      version = EXCLUDED.version, "group" = EXCLUDED."group", agreed = EXCLUDED.agreed,
      over_since = CASE WHEN EXCLUDED.over_since IS NOT NULL THEN coalesce(known.over_since, EXCLUDED.over_since) END`);
}

/** Deletes the record of a task that is no longer in the calendar. @throws ClaimLost */
export async function deleteItem(db: Db, claim: SyncClaim, task_id: string): Promise<void> {
  await assertClaimed(db, claim);
  await db.todoItem.deleteMany({ where: { sync_id: claim.id, task_id } });
}

/** Queues the deletion of a task that was written during the disconnection. */
export const queueLateRemoval = (db: Db, { user_id }: SyncClaim, href: string): Promise<unknown> =>
  db.rows(
    sql`UPDATE todo_removals SET items = items || ${JSON.stringify([href])}::jsonb WHERE user_id = ${user_id}::uuid`,
  );

/** Outcome of a run. */
export interface SyncOutcome {
  next_attempt_at: Date;
  sync_token: string | null;
  /**
   * Change marks of projects and crm for the user's tasks at the start of the run. Null if the run did not complete.
   */
  mark: string | null;
  /** Number of tasks that the server rejected. Undefined if some tasks were not sent. */
  refused: number | undefined;
}

const KEPT_DAYS = 30;

/** Ends a run. Tasks closed long ago stay in the calendar and are no longer synchronised. @throws ClaimLost */
export async function endRun(
  db: Db,
  claim: SyncClaim,
  { next_attempt_at, sync_token, mark, refused }: SyncOutcome,
): Promise<void> {
  await assertClaimed(db, claim);
  await db.rows(sql`
    DELETE FROM todo_items WHERE sync_id = ${claim.id}::uuid
      AND over_since < ${clock.now()}::timestamptz - make_interval(days => ${KEPT_DAYS}::int)`);
  await db.rows(sql`
    UPDATE todo_syncs SET next_attempt_at = ${next_attempt_at}, sync_token = ${sync_token}, mark = coalesce(${mark}, mark),
      refused = coalesce(${refused ?? null}::int, refused), claim = NULL
    WHERE id = ${claim.id}::uuid`);
}
