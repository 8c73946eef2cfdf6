/** Creates, updates and deletes designations. */
import { change, remove } from '@suite/chassis/database';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { headCount } from '../setup/head-count.ts';
import { assertThere } from '../setup/references.ts';
import { Designation, type DesignationChanges, type DesignationInput } from './designation.schema.ts';

const view = { table: 'designations', compute: { employee_count: headCount('designation_id', 'designations') } };

export const listDesignations = (db: Db, request: ListRequest) => paginate(db, request, view);

/** Creates a designation. @throws a 422 fault if its department is invalid */
export async function createDesignation(db: Db, data: DesignationInput) {
  await assertThere(db, 'departments', { department_id: data.department_id });
  const { id } = await db.designation.create({ data });
  return await readOne(db, Designation, id, view);
}

/**
 * Updates a designation. The department cannot change, because the employees with the designation work there. @throws
 * Stale
 */
export async function changeDesignation(
  db: Db,
  id: string,
  { version: _, ...patch }: DesignationChanges,
  expect: number | undefined,
) {
  await change(db.designation, id, patch, expect);
  return await readOne(db, Designation, id, view);
}

/** Deletes a designation. @throws InUse if an employee has or had it */
export const removeDesignation = (db: Db, id: string) => remove(db.designation, id);
