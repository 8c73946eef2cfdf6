/** How transfers are shown. */
import { type Caller, readOne } from '@suite/chassis';
import { actionsOf } from '../actions.ts';
import type { Db } from '../operations.ts';
import { BankTransfer } from './bank.schema.ts';
import { transferStates } from './transfer.rules.ts';

const actions = actionsOf(transferStates, { reverse: 'bank_account.update' });

export const transferView = (caller: Caller) => ({
  table: 'bank_transfers',
  compute: { allowed_actions: actions.shown('bank_transfers', caller) },
});

export const readTransfer = (db: Db, caller: Caller, id: string) => readOne(db, BankTransfer, id, transferView(caller));
