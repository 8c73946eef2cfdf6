/** How transfers are shown. */
import { type Caller, readOne } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { BankTransfer } from './bank.schema.ts';
import { transferStates } from './transfer.rules.ts';

export const transferView = (caller: Caller) => ({
  table: 'bank_transfers',
  compute: { allowed_actions: transferStates.shownTo(caller, 'bank_transfers') },
});

export const readTransfer = (db: Db, caller: Caller, id: string) => readOne(db, BankTransfer, id, transferView(caller));
