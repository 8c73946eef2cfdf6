/** Views of revenues and expenses. */
import { sql, type Sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { one, readOne } from '@suite/chassis/lists';
import type { z } from 'zod';
import { JournalEntry, readEntry } from '../../ledger/ledger/journal.view.ts';
import { type Db, type Table, tableNamed } from '../../operations.ts';
import { CASH, type CashKind } from './cash-kind.ts';
import { Expense, Revenue } from './cash.schema.ts';

const mark = (db: Db, table: Table, columns: Sql) => (ids: string[]) =>
  db.rows(sql`SELECT id, ${columns} FROM ${tableNamed(table)} WHERE id = ANY(${ids}::uuid[])`);

/** Returns the view of a kind of document for a caller. */
export function cashView(db: Db, kind: CashKind, caller: Caller) {
  const { table, states, party, party_column } = CASH[kind];
  return {
    table,
    compute: { allowed_actions: states.shownTo(caller, table) },
    expand: {
      category: one('category_id', mark(db, `${kind}_categories`, sql`name`)),
      bank_account: one('bank_account_id', mark(db, 'bank_accounts', sql`bank_name, account_name`)),
      [party]: one(party_column, mark(db, `${party}s`, sql`code, name`)),
    },
  };
}

export const readRevenue = (db: Db, caller: Caller, id: string) =>
  readOne(db, Revenue, id, cashView(db, 'revenue', caller));
export const readExpense = (db: Db, caller: Caller, id: string) =>
  readOne(db, Expense, id, cashView(db, 'expense', caller));

const posted = { journal: JournalEntry.describe('Journal entry. In a dry run, the entry that would be posted.') };
export const PostedRevenue = Revenue.extend(posted).meta({ id: 'PostedRevenue' });
export const PostedExpense = Expense.extend(posted).meta({ id: 'PostedExpense' });

/** Returns a posted document with its entry. */
export async function withJournal<T extends { journal_id: unknown }>(
  db: Db,
  document: T,
): Promise<T & { journal: z.input<typeof JournalEntry> }> {
  return { ...document, journal: await readEntry(db, document.journal_id as string) };
}
