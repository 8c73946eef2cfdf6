/** View of a task or a bug with all details. */
import { asCaller, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import type { z } from 'zod';
import { visibleKinds } from '../../work/access/access.ts';
import { latestComments } from '../../work/comments/comment.view.ts';
import type { Db } from '../../operations.ts';
import { readSubtasks } from '../subtasks/subtask.view.ts';
import { findItemId } from '../../work/work-items/keys.ts';
import { answerWorkItem, type KnownItemFacts } from '../../work/work-items/card.view.ts';
import type { ChangeWarnings, WorkItemKind } from '../../work/work-items/card.rules.ts';
import type { BugDetails, SavedBug, SavedTask, TaskDetails } from './details.schema.ts';

interface DetailsContext {
  db: Db;
  caller: Caller;
}

/** Returns labels of related cards that the caller may see. `rows` selects the cards. */
const labels = ({ db, caller }: DetailsContext, rows: Sql) =>
  db.rows(sql`
    SELECT work_items.id, projects.code || '-' || number AS key, title, due_date,
      work_items."group" IN ('completed', 'cancelled') AS done
    FROM work_items JOIN projects ON projects.id = work_items.project_id
    WHERE ${rows} AND work_items.kind = ANY(${visibleKinds(caller)}::text[]) ORDER BY work_items.created_at, work_items.id LIMIT 200`);

/** Returns the blockers that the caller sees, and the number of hidden ones. */
async function blockersOf(context: DetailsContext, id: string) {
  const { db } = context;
  const [found] = await db.rows<{ ids: string[] }>(sql`
    SELECT coalesce(array_agg(blocker_id), '{}') AS ids FROM blockers WHERE item_id = ${id}::uuid`);
  const ids = found?.ids ?? [];
  const blocked_by = ids.length > 0 ? await labels(context, sql`work_items.id = ANY(${ids}::uuid[])`) : [];
  return { blocked_by, hidden_blockers: ids.length - blocked_by.length };
}

const filesOf = (db: Db, id: string) =>
  db.rows(sql`
    SELECT id, name, size, mime, client_visible, created_by, created_at FROM files
    WHERE item_id = ${id}::uuid ORDER BY created_at, id LIMIT 200`);

const watchersOf = (db: Db, id: string) =>
  db.rows(sql`
    SELECT users.id, name, kind, avatar_url FROM watchers JOIN users ON users.id = watchers.user_id
    WHERE item_id = ${id}::uuid AND watching ORDER BY name, users.id`);

const historyOf = (db: Db, id: string) =>
  db.rows(sql`
    SELECT from_stage_id, from_group, to_stage_id, to_group, seconds_in_from, actor_id, at FROM stage_changes
    WHERE item_id = ${id}::uuid ORDER BY at, id LIMIT 500`);

/** Returns the tracked time: the total of all users, and the time by user if the caller sees it. */
async function timeOn(db: Db, { user_id }: Caller, id: string) {
  const [item] = await db.rows<{ tracked: number }>(sql`
    SELECT tracked_seconds AS tracked FROM work_items WHERE id = ${id}::uuid`);
  const entries = await db.rows<{ user_id: string; seconds: number; running: string | null }>(sql`
    SELECT user_id, coalesce(sum(duration_seconds), 0)::int AS seconds,
      (array_agg(id) FILTER (WHERE status = 'running'))[1] AS running
    FROM time_entries WHERE task_id = ${id}::uuid GROUP BY user_id ORDER BY seconds DESC, user_id LIMIT 200`);
  const own = entries.find((entry) => entry.user_id === user_id);
  const minutesOf = (seconds = 0) => Math.floor(seconds / 60);
  const members = entries.map(({ user_id: member, seconds }) => ({ user_id: member, minutes: minutesOf(seconds) }));
  const sums = { tracked_minutes: minutesOf(item?.tracked), mine_minutes: minutesOf(own?.seconds) };
  return { ...sums, running: own?.running ?? null, members };
}

/**
 * Returns an item for the response of a creation or update, with its checklist and its blocking items.
 * @param known known values of a new item, and the relations in its request
 */
export async function answerSavedItem(
  context: DetailsContext,
  kind: WorkItemKind,
  id: string,
  warnings: ChangeWarnings = {},
  known?: KnownItemFacts & { has: { subtasks: boolean; blockers: boolean } },
) {
  const item = await answerWorkItem(context, kind, id, warnings, known);
  const { subtasks, blockers } = known?.has ?? { subtasks: kind === 'task', blockers: true };
  return (await asCaller(async () => ({
    ...item,
    ...(kind === 'task' && { subtasks: subtasks ? await readSubtasks(context, id) : [] }),
    blocked_by: blockers ? (await blockersOf(context, id)).blocked_by : [],
  }))) as unknown as z.input<typeof SavedTask> & z.input<typeof SavedBug>;
}

/** Returns the item with an ID or a key. @throws NotFound if it does not exist or the caller cannot see it */
export async function showWorkItem(context: DetailsContext, kind: WorkItemKind, name: string) {
  const { db, caller } = context;
  const id = await findItemId(db, kind, name);
  const item = await answerWorkItem(context, kind, id);
  const details = {
    ...item,
    time: await timeOn(db, caller, id),
    subtasks: await readSubtasks({ db, caller }, id),
    ...(await latestComments({ db, caller, kind }, id)),
    files: await filesOf(db, id),
    ...(await blockersOf(context, id)),
    blocks: await labels(context, sql`work_items.id IN (SELECT item_id FROM blockers WHERE blocker_id = ${id}::uuid)`),
    children: await labels(context, sql`work_items.parent_id = ${id}::uuid`),
    watchers: await watchersOf(db, id),
    stage_history: await historyOf(db, id),
  };
  return details as unknown as z.input<typeof TaskDetails> & z.input<typeof BugDetails>;
}
