/** Categories of revenues and expenses. Each has an account of the matching class. */
import { change, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { assertUnused, one } from '@suite/chassis/lists';
import type { z } from 'zod';
import { booksOf } from '../../ledger/books/books.ts';
import { type Db, tableNamed } from '../../operations.ts';
import type { CashKind } from '../revenues-expenses/cash-kind.ts';
import type { CategoryChanges, CategoryInput } from './category.schema.ts';

const modelOf = (db: Db, kind: CashKind) =>
  (kind === 'revenue' ? db.revenueCategory : db.expenseCategory) as Db['revenueCategory'];

/**
 * Checks the account of a category. Chosen: the account of a category must be a leaf of the matching class, and no
 * system account that must balance.
 */
async function assertAccount(db: Db, kind: CashKind, id: string): Promise<void> {
  const [account] = await db.rows<{ class: string; usable: boolean }>(sql`
    SELECT type.class, NOT account.is_group AND account.active AS usable FROM gl_accounts AS account
    JOIN account_types AS type ON type.id = account.type_id WHERE account.id = ${id}::uuid`);
  if (!account) throw invalid('gl_account_id', 'Record not found.');
  if (!account.usable || account.class !== kind) throw invalid('gl_account_id', `Choose an account for ${kind}s.`);
}

export async function createCategory(db: Db, kind: CashKind, data: z.output<typeof CategoryInput>, caller: Caller) {
  await booksOf(db, caller);
  await assertAccount(db, kind, data.gl_account_id);
  return await modelOf(db, kind).create({ data });
}

export async function changeCategory(
  db: Db,
  kind: CashKind,
  id: string,
  { version: _, ...patch }: z.output<typeof CategoryChanges>,
  expect: number | undefined,
) {
  if (patch.gl_account_id) await assertAccount(db, kind, patch.gl_account_id);
  return await change(modelOf(db, kind), id, patch, expect);
}

/** Deletes an unused category. Used categories can only be archived. @throws InUse */
export async function removeCategory(db: Db, kind: CashKind, id: string): Promise<{ id: string }> {
  const table = `${kind}s` as const;
  await assertUnused(async () => {
    const [references] = await db.rows<{ count: number }>(sql`
      SELECT count(*)::int AS count FROM ${tableNamed(table)} WHERE category_id = ${id}::uuid`);
    return { [table]: references!.count };
  });
  return await remove(modelOf(db, kind), id);
}

/** Returns the expansion with the account of a category. */
export const accountSummary = (db: Db) => ({
  gl_account: one('gl_account_id', (ids) =>
    db.rows(sql`SELECT id, code, name FROM gl_accounts WHERE id = ANY(${ids}::uuid[])`),
  ),
});
