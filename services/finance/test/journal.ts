/** Journal entries that tests pass directly to the database functions. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { ServiceUnderTest } from '@suite/testing';
import type { Company } from './fixture.ts';

type LedgerFields = Record<string, unknown>;

/** Builds a line of 100 euros, in the format of `ledger_post`. */
export const journalLine = (account_id: string, side: 'debit' | 'credit', more: LedgerFields = {}): LedgerFields => {
  const line = { id: randomUUID(), account_id, debit: '0', credit: '0', currency: 'EUR', amount: '100', memo: '' };
  return { ...line, [side]: '100', ...more };
};

/** Builds a banking entry of these lines, dated 1 March 2026, in the format of `ledger_post`. */
export const journalEntry = (lines: LedgerFields[], more: LedgerFields = {}): LedgerFields => {
  const source = { source_type: 'test', source_id: randomUUID(), purpose: 'post' };
  return { id: randomUUID(), date: '2026-03-01', scope: 'banking', narration: 'A test', ...source, ...more, lines };
};

/** Result of `ledger_post`. */
export interface LedgerPostResult {
  id?: string;
  number?: string;
  sequence?: number;
  locked?: { scope: string; locked_through: string; reason: string };
}

/** Calls `ledger_post` with an entry, in a separate transaction. `then` runs in the same transaction. */
export const ledgerPost = ({ transact }: Company, entry: LedgerFields, then?: () => void): Promise<LedgerPostResult> =>
  transact(async ({ db }) => {
    const [row] = await db.rows<{ posted: LedgerPostResult }>(
      sql`SELECT ledger_post(${JSON.stringify(entry)}::jsonb) AS posted`,
    );
    then?.();
    return row!.posted;
  });

/** Returns the account of a role in the books of a company. */
export async function accountOf({ sql: ask }: ServiceUnderTest, { workspace }: Company, role: string): Promise<string> {
  const [account] = await ask`
    SELECT id FROM gl_accounts WHERE workspace_id = ${workspace} AND system_role = ${role} LIMIT 1`;
  return account!['id'] as string;
}
