/** Bank transfers between your own accounts, also between currencies. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page } from '@suite/chassis/operations';
import { AlreadyReversed, PeriodLocked } from '../../ledger/ledger/journal.ts';
import { BeforeDocument } from '../../ledger/ledger/open-items.rules.ts';
import { ReversalInput } from '../../ledger/ledger/reversal.schema.ts';
import { accounting } from '../../operations.ts';
import { Reconciled } from './reconciliation.ts';
import { BankTransfer, BankTransferFilter, BankTransferInput } from './bank.schema.ts';
import { reverseTransfer, transfer } from './transfer.ts';
import { readTransfer, transferView } from './transfer.view.ts';
import { transferStates } from './transfer.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/bank-transfers', {
  summary: 'List bank transfers',
  description: 'Returns transfers between your accounts with amounts and status, including reversed ones.',
  access: can('bank_account.view'),
  query: BankTransferFilter,
  reply: page(BankTransfer),
  handle: ({ db, query, caller }) => paginate(db, query, transferView(caller)),
});

export const create = command('POST /api/bank-transfers/create', {
  summary: 'Create a bank transfer',
  description:
    'Transfers money between two of your accounts and posts the entry. `date` defaults to today. Posts a difference between the exchange rates as gain or loss, and `fee` as an expense.',
  addition: 'The specification only reads transfers, and without this route none would exist.',
  access: can('bank_account.update'),
  body: BankTransferInput,
  reply: withDateWarnings(created(BankTransfer), { record: 'date' }),
  faults: [PeriodLocked],
  handle: async ({ body, ...context }) => readTransfer(context.db, context.caller, await transfer(context, body)),
});

export const reverse = command('POST /api/bank-transfers/reverse/{id}', {
  summary: 'Reverse a bank transfer',
  description:
    'Posts the opposite entry, on the date of the transfer or on a later day. Returns `reconciled` without `date` if a bank transaction is reconciled.',
  addition: 'A mistaken transfer is reversed by its opposite.',
  access: transferStates.can('reverse'),
  params: { id: idOf('bank_transfers') },
  body: ReversalInput,
  reply: withDateWarnings(ok(BankTransfer), { body: 'date', record: 'date' }),
  faults: [Reconciled, BeforeDocument, PeriodLocked, AlreadyReversed],
  handle: async ({ params, body, ...context }) => {
    await reverseTransfer(context, params.id, body.date);
    return await readTransfer(context.db, context.caller, params.id);
  },
});
