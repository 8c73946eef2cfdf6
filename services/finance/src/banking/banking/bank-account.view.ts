/** View of bank accounts. Balances come from the ledger. */
import { sql } from '@suite/chassis/database';
import { readOne, type View } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { BankAccount } from './bank.schema.ts';
import { signedAmount } from '../../ledger/ledger/open-items.ts';

/** SQL for the balance of a bank account in its currency, from the ledger. */
export const balance = sql`
  SELECT coalesce(sum(${signedAmount}), 0)
  FROM journal_lines AS line WHERE line.account_id = bank_accounts.gl_account_id`;

const openingRate = sql`
  SELECT trim_scale(line.rate) FROM journal_entries AS entry
    JOIN journal_lines AS line ON line.entry_id = entry.id AND line.account_id = bank_accounts.gl_account_id
  WHERE entry.source_type = 'bank_account' AND entry.source_id = bank_accounts.id AND entry.purpose = 'opening' LIMIT 1`;

export const bankView = {
  table: 'bank_accounts',
  compute: {
    account_number: sql`'••••' || right(bank_accounts.account_number, 4)`,
    opening_rate: openingRate,
    current_balance: balance,
  },
} satisfies View;

export const readBank = (db: Db, id: string) => readOne(db, BankAccount, id, bankView);
