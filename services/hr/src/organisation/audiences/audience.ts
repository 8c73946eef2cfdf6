/**
 * Audiences: the employees that a notice is published for. Each part is a row, so that referenced records cannot be
 * deleted. Each notice also stores a list of IDs for lookups. The workspace ID in this list represents all employees.
 */
import { raw, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { type AudienceInput, PARTS } from './audience.schema.ts';

/** Kinds of notices, with their table and foreign-key column. */
export const NOTICES = {
  announcement: { noun: 'announcement', table: 'announcements', column: 'announcement_id' },
  document: { noun: 'hrm_document', table: 'hrm_documents', column: 'document_id' },
  event: { noun: 'event', table: 'events', column: 'event_id' },
} as const;
export type NoticeKind = keyof typeof NOTICES;

const AUDIENCE_PARTS = {
  branch_ids: ['branches', 'Branch not found.'],
  department_ids: ['departments', 'Department not found.'],
  designation_ids: ['designations', 'Designation not found.'],
  employee_ids: ['employees', 'User not found.'],
} as const;
type AudiencePart = keyof typeof AUDIENCE_PARTS;

/**
 * Checks that all IDs of an audience exist, and locks them until the transaction ends. @throws a 422 fault that names
 * the field
 */
export async function assertAudience(db: Db, audience: AudienceInput | undefined): Promise<void> {
  if (!audience) return;
  for (const [field, [table, sentence]] of Object.entries(AUDIENCE_PARTS)) {
    const ids = audience[field as AudiencePart];
    if (ids.length === 0) continue;
    const found = await db.rows<{ id: string }>(sql`
      SELECT id FROM ${raw(table)} WHERE id = ANY (${ids}::uuid[]) ORDER BY id FOR KEY SHARE`);
    const existing = new Set(found.map(({ id }) => id));
    const missing = ids.findIndex((id) => !existing.has(id));
    if (missing >= 0) throw invalid(`audience.${field}.${missing}`, sentence);
  }
}

/** Returns all IDs that an audience names, or the workspace ID if it names none. */
export function audienceIds(
  { workspace_id }: Pick<Caller, 'workspace_id'>,
  audience: AudienceInput | undefined,
): string[] {
  const ids = Object.keys(AUDIENCE_PARTS).flatMap((field) => audience?.[field as AudiencePart] ?? []);
  return ids.length > 0 ? [...new Set(ids)] : [workspace_id];
}

/** Stores the parts of an audience and replaces the previous ones. */
export async function writeParts(db: Db, kind: NoticeKind, id: string, audience: AudienceInput): Promise<void> {
  const column = raw(NOTICES[kind].column);
  await db.rows(sql`DELETE FROM audience_parts WHERE ${column} = ${id}::uuid`);
  const parts = PARTS.flatMap((part) => [...new Set(audience[`${part}s`])].map((named) => ({ [part]: named })));
  if (parts.length === 0) return;
  await db.rows(sql`
    INSERT INTO audience_parts (id, ${column}, branch_id, department_id, designation_id, employee_id)
    SELECT gen_random_uuid(), ${id}::uuid, branch_id, department_id, designation_id, employee_id
    FROM jsonb_to_recordset(${JSON.stringify(parts)}::jsonb)
      AS part (branch_id uuid, department_id uuid, designation_id uuid, employee_id uuid)`);
}
