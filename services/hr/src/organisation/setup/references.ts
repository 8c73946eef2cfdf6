import { raw, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';

const SETUP = {
  branches: 'Branch not found.',
  departments: 'Department not found.',
  designations: 'Designation not found.',
  shifts: 'Shift not found.',
} as const;

/**
 * Checks that setup records exist, and locks them until the transaction ends.
 * @param ids fields of a body with their IDs. Omitted fields are ignored
 * @throws a 422 fault that names the field
 */
export async function assertThere(
  db: Db,
  table: keyof typeof SETUP,
  ids: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  for (const [field, id] of Object.entries(ids)) {
    if (!id) continue;
    const rows = await db.rows(sql`SELECT id FROM ${raw(table)} WHERE id = ${id}::uuid FOR KEY SHARE`);
    if (rows.length === 0) throw invalid(field, SETUP[table]);
  }
}
