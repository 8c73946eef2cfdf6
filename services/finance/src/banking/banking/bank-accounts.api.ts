/** Bank accounts and cash boxes. Each has its own ledger account. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { accounting } from '../../operations.ts';
import { changeBankAccount, openBankAccount, removeBankAccount, SystemAccount } from './bank-account.ts';
import { bankView, readBank } from './bank-account.view.ts';
import { BankAccount, BankAccountChanges, BankAccountFilter, BankAccountInput } from './bank.schema.ts';
import { bankAccountActions } from './reconciliation.rules.ts';

const { query, command } = accounting;

export const list = query('GET /api/bank-accounts', {
  summary: 'List bank accounts',
  description:
    'Returns bank and cash accounts with their balances. Inactive accounts are included: filter by `active` to exclude them.',
  access: can('bank_account.view'),
  query: BankAccountFilter,
  reply: page(BankAccount),
  handle: ({ db, query }) => paginate(db, query, bankView),
});

export const create = command('POST /api/bank-accounts/create', {
  summary: 'Create a bank account',
  description: 'Creates a bank account with its own ledger account. Posts the opening balance.',
  access: can('bank_account.create'),
  body: BankAccountInput,
  reply: withDateWarnings(created(BankAccount), { body: 'opening_date' }),
  faults: [PeriodLocked],
  handle: async ({ body, ...context }) => readBank(context.db, await openBankAccount(context, body)),
});

export const update = command('POST /api/bank-accounts/update/{id}', {
  summary: 'Update a bank account',
  description:
    'Updates a bank account. `active: false` deactivates it and requires a balance of zero. Returns `system_account` for built-in accounts.',
  access: bankAccountActions.can('update'),
  params: { id: idOf('bank_accounts') },
  body: BankAccountChanges,
  reply: ok(BankAccount),
  faults: [SystemAccount],
  handle: async ({ params, body, expect, ...context }) => {
    await changeBankAccount(context, params.id, body, expect);
    return await readBank(context.db, params.id);
  },
});

export const remove = command('DELETE /api/bank-accounts/delete/{id}', {
  summary: 'Delete a bank account',
  description:
    'Deletes a bank account. Returns 409 `in_use` if it has entries or a payroll record refers to it. Returns `system_account` for built-in accounts.',
  access: bankAccountActions.can('delete'),
  params: { id: idOf('bank_accounts') },
  reply: removed,
  faults: [SystemAccount],
  deletes: 'finance.bank_account',
  handle: ({ db, params }) => removeBankAccount(db, params.id),
});
