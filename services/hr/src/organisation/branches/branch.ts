/** Creates, updates and deletes branches. */
import { change, remove } from '@suite/chassis/database';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { headCount } from '../setup/head-count.ts';
import { Branch, type BranchChanges, type BranchInput } from './branch.schema.ts';

const view = { table: 'branches', compute: { employee_count: headCount('branch_id', 'branches') } };

export const listBranches = (db: Db, request: ListRequest) => paginate(db, request, view);

export async function createBranch(db: Db, data: BranchInput) {
  const { id } = await db.branch.create({ data });
  return await readOne(db, Branch, id, view);
}

/** Updates a branch. @throws Stale */
export async function changeBranch(
  db: Db,
  id: string,
  { version: _, ...patch }: BranchChanges,
  expect: number | undefined,
) {
  await change(db.branch, id, patch, expect);
  return await readOne(db, Branch, id, view);
}

/** Deletes a branch. @throws InUse if an employee or another record belongs to it */
export const removeBranch = (db: Db, id: string) => remove(db.branch, id);
