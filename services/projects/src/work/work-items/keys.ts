/** Keys of tasks and bugs: `WEB-12` is number 12 in the project WEB. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import type { RoleFacts } from '../access/access.ts';
import type { WorkItemKind } from './card.rules.ts';

const KEY = /^([A-Z][A-Z0-9]{1,9})-(\d{1,9})$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the ID of the task or bug that an ID or a key names. Keys with a previous code of the project, or from a previous
 * project, remain valid.
 * @throws NotFound
 */
export async function findItemId(db: Db, kind: WorkItemKind, name: string): Promise<string> {
  if (UUID.test(name)) return name;
  const [, code, number] = KEY.exec(name.toUpperCase()) ?? [];
  if (!code) throw NotFound();
  const [row] = await db.rows<{ id: string }>(sql`
    WITH project AS (SELECT project_id FROM project_codes WHERE code = ${code}),
    named AS (
      SELECT id FROM work_items WHERE project_id = (SELECT project_id FROM project) AND number = ${Number(number)}::int
      UNION ALL
      SELECT moved_to FROM retired_numbers
      WHERE project_id = (SELECT project_id FROM project) AND number = ${Number(number)}::int AND moved_to IS NOT NULL)
    SELECT id FROM work_items WHERE id IN (SELECT id FROM named) AND kind = ${kind}`);
  if (!row) throw NotFound();
  return row.id;
}

/** Key of a card, and the facts about its project that decide on actions. */
interface CardKey extends RoleFacts {
  id: string;
  key: string;
  active: boolean;
}

/** Returns the keys and the projects of cards that the caller's transaction sees. */
export async function cardKeysOf(db: Db, caller: Caller, ids: readonly string[]): Promise<Map<string, CardKey>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<CardKey>(sql`
    SELECT work_items.id, projects.code || '-' || number AS key, projects.active, projects.visibility, (
      SELECT role FROM project_members WHERE project_id = projects.id AND user_id = ${caller.user_id}::uuid) AS membership
    FROM work_items JOIN projects ON projects.id = work_items.project_id WHERE work_items.id = ANY(${ids}::uuid[])`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Returns the keys of cards that the caller's transaction sees. */
export async function keysOf(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.rows<{ id: string; key: string }>(sql`
    SELECT work_items.id, projects.code || '-' || number AS key
    FROM work_items JOIN projects ON projects.id = work_items.project_id WHERE work_items.id = ANY(${ids}::uuid[])`);
  return new Map(rows.map(({ id, key }) => [id, key]));
}
