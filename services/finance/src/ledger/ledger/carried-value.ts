/** Base values of bank accounts in foreign currencies: reads and clears them. */
import { sql } from '@suite/chassis/database';
import { isZero } from '@suite/money';
import type { Db } from '../../operations.ts';
import { valueAtCarriedRate, type CarriedValue } from './carried-value.rules.ts';
import type { BaseLine } from './journal.rules.ts';
import { signedAmount } from './open-items.ts';

interface BankBalance extends CarriedValue {
  id: string;
  currency: string;
}

/**
 * Returns the ledger balances of the given accounts that are bank accounts. Blocks other postings until the transaction
 * ends.
 */
async function lockBanks(db: Db, accounts: readonly string[]): Promise<BankBalance[]> {
  await db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);
  return await db.rows<BankBalance>(sql`
    SELECT account.id, account.currency,
      coalesce(sum(${signedAmount}), 0)::text AS amount,
      coalesce(sum(line.debit - line.credit), 0)::text AS base
    FROM gl_accounts AS account LEFT JOIN journal_lines AS line ON line.account_id = account.id
    WHERE account.id = ANY(${[...new Set(accounts)]}::uuid[]) AND account.system_role IN ('bank', 'cash')
      AND account.currency <> (SELECT base_currency FROM books)
    GROUP BY account.id ORDER BY account.id`);
}

const accountOf = ({ account }: BaseLine): string | undefined => (typeof account === 'string' ? undefined : account.id);

/** Values lines on bank accounts in foreign currencies. Other entries need no query. */
export async function valueBankLines(db: Db, lines: readonly BaseLine[]): Promise<readonly BaseLine[]> {
  const ids = lines.flatMap((line) => (line.currency === line.base_currency ? [] : (accountOf(line) ?? [])));
  if (ids.length === 0) return lines;
  const banks = await lockBanks(db, ids);
  if (banks.length === 0) return lines;
  const carried = new Map(banks.map((bank) => [bank.id, bank]));
  const isBank = (line: BaseLine) => {
    const id = accountOf(line);
    return id !== undefined && carried.has(id) ? id : undefined;
  };
  return valueAtCarriedRate(lines, new Map(carried), isBank);
}

/** Returns the empty bank accounts that still have a base value. */
export const findEmptyBanks = async (db: Db, accounts: readonly string[]): Promise<BankBalance[]> =>
  (await lockBanks(db, accounts)).filter(({ amount, base }) => isZero(amount) && !isZero(base));
