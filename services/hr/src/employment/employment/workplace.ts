/** Checks that the setup records in new terms exist, are active and fit each other. */
import { raw, sql } from '@suite/chassis/database';
import { fault, invalid, unknownRecord } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import type { EmploymentTerms } from './employment-terms.ts';

export const WrongDesignation = fault(
  422,
  'designation_of_other_department',
  'This designation belongs to another department. Select another one.',
);

const PLACES = {
  branch_id: ['branches', 'branch'],
  department_id: ['departments', 'department'],
  designation_id: ['designations', 'designation'],
  shift_id: ['shifts', 'shift'],
  calendar_id: ['holiday_calendars', 'calendar of holidays'],
} as const;

/**
 * Checks that the records named in new terms exist and are active, and locks them until the transaction ends.
 * @param named prefix of the field names in the body
 * @throws a 422 fault that names the field
 */
export async function assertTakesPeople(db: Db, changed: Partial<EmploymentTerms>, named = ''): Promise<void> {
  for (const [field, [table, noun]] of Object.entries(PLACES)) {
    const id = changed[field as keyof typeof PLACES];
    if (!id) continue;
    const [row] = await db.rows<{ active: boolean }>(sql`
      SELECT active FROM ${raw(table)} WHERE id = ${id}::uuid FOR KEY SHARE`);
    if (!row) throw unknownRecord(`${named}${field}`, noun);
    if (!row.active) throw invalid(`${named}${field}`, `This ${noun} is inactive. Choose an active one.`);
  }
}

/**
 * Checks that the records named in new terms are active and fit each other.
 * @param changed the new terms
 * @param terms all terms after the change: a designation must belong to the department
 * @param named prefix of the field names in the body
 * @throws WrongDesignation, a 422 fault that names the field
 */
export async function assertWorkplace(
  db: Db,
  changed: Partial<EmploymentTerms>,
  terms: Partial<EmploymentTerms>,
  named = '',
): Promise<void> {
  await assertTakesPeople(db, changed, named);
  if (!changed.designation_id && !changed.department_id) return;
  const [fits] = await db.rows(sql`
    SELECT id FROM designations WHERE id = ${terms.designation_id}::uuid AND department_id = ${terms.department_id}::uuid`);
  if (!fits)
    throw WrongDesignation({ field: `${named}${changed.designation_id ? 'designation_id' : 'department_id'}` });
}
