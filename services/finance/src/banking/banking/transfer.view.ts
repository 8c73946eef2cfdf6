/** Views of transfers. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import { columnNamed, type Db } from '../../operations.ts';
import { BankTransfer } from './bank.schema.ts';
import { transferStates } from './transfer.rules.ts';

const currencyOf = (account: 'from_account_id' | 'to_account_id') =>
  sql`SELECT account.currency FROM bank_accounts AS account WHERE account.id = bank_transfers.${columnNamed(account)}`;

export const transferView = (caller: Caller) => ({
  table: 'bank_transfers',
  compute: {
    currency: currencyOf('from_account_id'),
    received_currency: currencyOf('to_account_id'),
    allowed_actions: transferStates.shownTo(caller, 'bank_transfers'),
  },
});

export const readTransfer = (db: Db, caller: Caller, id: string) => readOne(db, BankTransfer, id, transferView(caller));
