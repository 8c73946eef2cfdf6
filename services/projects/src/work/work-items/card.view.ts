/** Views of tasks and bugs. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { many, one, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { positionIn } from '@suite/chassis/ranks';
import type { z } from 'zod';
import { type AccessibleProject, roleOf } from '../access/access.ts';
import type { Db } from '../../operations.ts';
import { cardKeysOf } from './keys.ts';
import { allowedActions, type ChangeWarnings, type WorkItemKind } from './card.rules.ts';
import { ChangedBug, ChangedTask } from './card.schema.ts';
import type { PlacingStage } from './stage-placement.ts';

type Rows = Record<string, unknown>[];

/** Returns the SQL condition for overdue cards, in the time zone of the workspace. */
export const isOverdue = ({ timezone }: Pick<Caller, 'timezone'>): Sql => sql`
  coalesce(work_items.due_date < ${today(timezone)}::date, FALSE) AND work_items."group" NOT IN ('completed', 'cancelled')`;

/** SQL for open tasks with a due date, matching the condition of their index. */
export const LATE = sql`kind = 'task' AND "group" NOT IN ('completed', 'cancelled') AND due_date IS NOT NULL`;

/** Returns the labels of the assignees. */
export const assigneesOfMany = (db: Db) => (ids: string[]) =>
  db.rows(sql`
    SELECT item_id, users.id, users.name, users.kind, users.avatar_url FROM assignees JOIN users ON users.id = assignees.user_id
    WHERE item_id = ANY(${ids}::uuid[]) ORDER BY users.name, users.id`);

/** Returns the expansions of a task or a bug. */
export const expansions = (db: Db) => ({
  assignees: many('item_id', assigneesOfMany(db)),
  stage: one('stage_id', (ids) =>
    db.rows(sql`SELECT id, name, color, "group" FROM stages WHERE id = ANY(${ids}::uuid[])`),
  ),
  milestone: one('milestone_id', (ids) =>
    db.rows(sql`SELECT id, title FROM milestones WHERE id = ANY(${ids}::uuid[])`),
  ),
});

/**
 * Adds the values that are read for all rows together: keys, allowed actions, and for clients only the IDs of visible
 * records.
 */
export async function complete(db: Db, caller: Caller, kind: WorkItemKind, rows: Rows): Promise<void> {
  const ids = rows.map((row) => row['id'] as string);
  const keys = await cardKeysOf(db, caller, ids);
  for (const row of rows) {
    const found = keys.get(row['id'] as string);
    row['key'] = found?.key ?? '';
    row['allowed_actions'] = found?.active ? allowedActions(kind, caller, roleOf(caller, found)) : [];
  }
  if (caller.kind === 'client') await hideInvisible(db, rows);
}

/** Removes the IDs of milestones and parents that a client cannot see. */
export async function hideInvisible(db: Db, rows: Rows): Promise<void> {
  const seen = await db.rows<{ id: string }>(sql`
    SELECT id FROM milestones WHERE id = ANY(${idsIn(rows, 'milestone_id')}::uuid[])
    UNION ALL SELECT id FROM work_items WHERE id = ANY(${idsIn(rows, 'parent_id')}::uuid[])`);
  const visible = new Set<unknown>(seen.map(({ id }) => id));
  for (const row of rows)
    for (const name of ['milestone_id', 'parent_id']) if (!visible.has(row[name]) && name in row) row[name] = null;
}

const idsIn = (rows: Rows, name: string) => rows.map((row) => row[name]).filter((id) => typeof id === 'string');

/** Returns the computed fields of a task or a bug. The key and the allowed actions are added later. */
export const computedFields = (caller: Caller) => ({
  key: sql`''`,
  allowed_actions: sql`'{}'::text[]`,
  is_overdue: isOverdue(caller),
  tracked_minutes: sql`work_items.tracked_seconds / 60`,
});

/** Facts about a new card that its creator already knows, to save queries. */
export type KnownItemFacts = { project: AccessibleProject; key: string; stage: PlacingStage; isAssigned: boolean };

/** Returns the expansions of a card that a staff user has just created. */
function expansionsOf({ key, stage: { wip_limit: _, ...stage }, isAssigned }: KnownItemFacts) {
  const constantValue = (value: unknown) => async (rows: Rows, name: string) =>
    rows.forEach((row) => Object.assign(row, { [name]: value }));
  return { key: constantValue(key), stage: constantValue(stage), ...(!isAssigned && { assignees: constantValue([]) }) };
}

/** Returns the columns and the computed fields of an item, with the expansions of all responses. */
export async function readWorkItem<S extends z.ZodObject>(
  { db, caller }: { db: Db; caller: Caller },
  kind: WorkItemKind,
  id: string,
  schema: S,
  known?: KnownItemFacts,
): Promise<z.input<S>> {
  const item = (await readOne(db, schema, id, {
    table: 'work_items',
    where: sql`work_items.kind = ${kind}`,
    compute: { ...computedFields(caller), position: positionIn(sql`work_items`) },
    expand: { ...expansions(db), key: (rows) => complete(db, caller, kind, rows), ...(known && expansionsOf(known)) },
  })) as Record<string, unknown>;
  if (known) item['allowed_actions'] = known.project.active ? allowedActions(kind, caller, known.project.role) : [];
  return item as z.input<S>;
}

const plain = { over_limit: true, open_children: true } as const;
const RECORDS = { task: ChangedTask.omit(plain), bug: ChangedBug.omit(plain) };

/** Returns an item for the response of a command. @param known known values of a new item */
export async function answerWorkItem(
  context: { db: Db; caller: Caller },
  kind: WorkItemKind,
  id: string,
  warnings: ChangeWarnings = {},
  known?: KnownItemFacts,
) {
  const item = await readWorkItem(context, kind, id, RECORDS[kind] as typeof RECORDS.task, known);
  return { ...item, ...warnings } as unknown as z.input<typeof ChangedTask> & z.input<typeof ChangedBug>;
}
