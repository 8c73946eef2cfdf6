/** Bank transactions: money received in or paid from a bank account. Each belongs to a journal line. */
import { idOf } from '@suite/chassis/fields';
import { readOne } from '@suite/chassis/lists';
import { can, ok, page } from '@suite/chassis/operations';
import { accounting } from '../../operations.ts';
import { listTransactions, transactionView } from './bank-transaction.view.ts';
import { BankTransaction, BankTransactionFilter } from './bank.schema.ts';
import { reconcile as mark } from './reconciliation.ts';
import { transactionStates } from './reconciliation.rules.ts';

const ADDITION = 'The specification gives transactions this state, but no operation that sets the state.';

const { query, command } = accounting;

const Transaction = BankTransaction.omit({ bank_account: true });

export const list = query('GET /api/bank-transactions', {
  summary: 'List bank transactions',
  description:
    'Returns the movements of bank accounts with source document and reconciliation status. Posting a document creates them.',
  access: can('bank_account.view'),
  query: BankTransactionFilter,
  reply: page(BankTransaction),
  handle: ({ db, query, caller }) => listTransactions(db, caller, query),
});

export const reconcile = command('POST /api/bank-transactions/reconcile/{id}', {
  summary: 'Reconcile a bank transaction',
  description: 'Marks a transaction as found on the bank statement. Reversing its document then requires a date.',
  addition: ADDITION,
  access: transactionStates.can('reconcile'),
  params: { id: idOf('bank_transactions') },
  reply: ok(Transaction),
  handle: async ({ db, caller, params }) => {
    await mark(db, params.id, 'reconcile');
    return await readOne(db, Transaction, params.id, transactionView(caller));
  },
});

export const unreconcile = command('POST /api/bank-transactions/unreconcile/{id}', {
  summary: 'Undo a bank reconciliation',
  description: 'Marks a transaction as open again, for example after a reconciliation by mistake. Posts nothing.',
  addition: ADDITION,
  access: transactionStates.can('unreconcile'),
  params: { id: idOf('bank_transactions') },
  reply: ok(Transaction),
  handle: async ({ db, caller, params }) => {
    await mark(db, params.id, 'unreconcile');
    return await readOne(db, Transaction, params.id, transactionView(caller));
  },
});
