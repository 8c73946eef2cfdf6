/** The rows of setup that terms name: they are there, take new people, and fit each other. */
import { fault, invalid, raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { Terms } from './terms.ts';

export const WrongDesignation = fault(
  422,
  'designation_of_other_department',
  'This designation belongs to another department.',
);

const PLACES = {
  branch_id: ['branches', 'branch'],
  department_id: ['departments', 'department'],
  designation_id: ['designations', 'designation'],
  shift_id: ['shifts', 'shift'],
  calendar_id: ['holiday_calendars', 'calendar of holidays'],
} as const;

/**
 * Makes sure that what new terms name is there and active, and keeps it until the transaction ends.
 * @param named how the body calls a term: with this before its name
 * @throws a 422 that names the field
 */
export async function assertTakesPeople(db: Db, changed: Partial<Terms>, named = ''): Promise<void> {
  for (const [field, [table, noun]] of Object.entries(PLACES)) {
    const id = changed[field as keyof typeof PLACES];
    if (!id) continue;
    const [row] = await db.rows<{ active: boolean }>(sql`
      SELECT active FROM ${raw(table)} WHERE id = ${id}::uuid FOR KEY SHARE`);
    if (!row) throw invalid(`${named}${field}`, `This ${noun} does not exist. Choose another one.`);
    if (!row.active) throw invalid(`${named}${field}`, `This ${noun} is inactive. Choose an active one.`);
  }
}

/**
 * Makes sure that new terms can be worked on, and that they fit each other.
 * @param changed the terms that are new
 * @param terms all terms as they will be: a designation is one of the department
 * @param named how the body calls a term: with this before its name
 * @throws WrongDesignation, a 422 that names the field
 */
export async function assertWorkplace(
  db: Db,
  changed: Partial<Terms>,
  terms: Partial<Terms>,
  named = '',
): Promise<void> {
  await assertTakesPeople(db, changed, named);
  if (!changed.designation_id && !changed.department_id) return;
  const [fits] = await db.rows(sql`
    SELECT id FROM designations WHERE id = ${terms.designation_id}::uuid AND department_id = ${terms.department_id}::uuid`);
  if (!fits)
    throw WrongDesignation({ field: `${named}${changed.designation_id ? 'designation_id' : 'department_id'}` });
}
