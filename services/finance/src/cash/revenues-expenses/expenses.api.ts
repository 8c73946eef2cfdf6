/** Expenses: money paid, posted to a category or settling bills. A draft is approved and then posted. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { Reconciled } from '../../banking/banking/reconciliation.ts';
import { AlreadyReversed, PeriodLocked } from '../../ledger/ledger/journal.ts';
import { ReversalInput } from '../../ledger/ledger/reversal.schema.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { accounting } from '../../operations.ts';
import { approveIncomeOrExpense, ApproverIsAuthor, unapproveIncomeOrExpense } from './cash-approval.ts';
import { changeIncomeOrExpense, createIncomeOrExpense, removeIncomeOrExpense } from './cash.ts';
import { Expense, ExpenseChanges, ExpenseFilter, ExpenseInput } from './cash.schema.ts';
import { cashView, PostedExpense, readExpense, withJournal } from './cash.view.ts';
import { postIncomeOrExpense } from './cash-posting.ts';
import { PaymentRefunded } from '../../payments/payments/payment-voiding.ts';
import { reverseIncomeOrExpense } from './cash-reversal.ts';
import { fetchReferences } from './expense-references.ts';
import { CASH } from './cash-kind.ts';

const { query, command } = accounting;

export const list = query('GET /api/expenses', {
  summary: 'List expenses',
  description:
    'Returns expenses with their allowed actions. Expand `category`, `bank_account` and `vendor` for the names.',
  access: can('expense.view'),
  query: ExpenseFilter,
  reply: page(Expense),
  handle: ({ db, query, caller }) => paginate(db, query, cashView(db, 'expense', caller)),
});

export const create = command('POST /api/expenses/create', {
  summary: 'Create an expense',
  description:
    'Creates a draft expense. Nothing is posted. Copies name and rate of the tax. Returns `over_allocated` if the allocations exceed the amount or a bill.',
  access: can('expense.create'),
  body: ExpenseInput,
  reply: created(Expense),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => fetchReferences(rpc, body),
  handle: async ({ body, prepared: tax, ...context }) => {
    const { vendor_id: party_id, bill_allocations: allocations, tax_id: _, ...rest } = body;
    const id = await createIncomeOrExpense(context, 'expense', { ...rest, party_id, allocations, tax });
    return await readExpense(context.db, context.caller, id);
  },
});

export const update = command('POST /api/expenses/update/{id}', {
  summary: 'Update a draft expense',
  description:
    'Updates a draft. `bill_allocations` replaces all allocations. Returns 409 `invalid_transition` once it is approved or posted.',
  access: CASH.expense.states.can('update'),
  params: { id: idOf('expenses') },
  body: ExpenseChanges,
  reply: ok(Expense),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => fetchReferences(rpc, body),
  handle: async ({ params, body, expect, prepared: tax, ...context }) => {
    const { vendor_id: party_id, bill_allocations: allocations, tax_id: _, version: __, ...rest } = body;
    const fields = { ...rest, party_id, allocations, tax };
    await changeIncomeOrExpense(context, 'expense', params.id, fields, expect);
    return await readExpense(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/expenses/delete/{id}', {
  summary: 'Delete a draft expense',
  description:
    'Deletes a draft. Returns 409 `invalid_transition` once it is approved or posted. Undo the approval, or reverse it instead.',
  access: CASH.expense.states.can('delete'),
  params: { id: idOf('expenses') },
  reply: removed,
  handle: ({ params, ...context }) => removeIncomeOrExpense(context, 'expense', params.id),
});

export const approve = command('POST /api/expenses/approve/{id}', {
  summary: 'Approve an expense',
  description:
    'Approves a draft, so that it can be posted. Returns `four_eyes` for your own draft if the accounting settings require a second user. Repeating the request changes nothing.',
  access: CASH.expense.states.can('approve'),
  params: { id: idOf('expenses') },
  reply: ok(Expense),
  faults: [ApproverIsAuthor],
  handle: async ({ params, ...context }) => {
    await approveIncomeOrExpense(context, 'expense', params.id, clock.now());
    return await readExpense(context.db, context.caller, params.id);
  },
});

export const unapprove = command('POST /api/expenses/unapprove/{id}', {
  summary: 'Undo the approval of an expense',
  description:
    'Turns an approved expense into a draft that can change again. Returns 409 `invalid_transition` once it is posted.',
  addition: 'An approved expense can be returned to draft for changes.',
  access: CASH.expense.states.can('unapprove'),
  params: { id: idOf('expenses') },
  reply: ok(Expense),
  handle: async ({ params, ...context }) => {
    await unapproveIncomeOrExpense(context, 'expense', params.id);
    return await readExpense(context.db, context.caller, params.id);
  },
});

export const post = command('POST /api/expenses/post/{id}', {
  summary: 'Post an expense',
  description:
    'Assigns the number and posts the journal entry. Settles the allocated bills with a payment, recorded at the same time. Returns `period_locked` if the period is locked.',
  access: CASH.expense.states.can('post'),
  params: { id: idOf('expenses') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(PostedExpense), { record: 'date' }),
  faults: [PeriodLocked, OverAllocated, CurrencyMismatch, BeforeDocument],
  handle: async ({ params, ...context }) => {
    await postIncomeOrExpense(context, 'expense', params.id);
    return await withJournal(context.db, await readExpense(context.db, context.caller, params.id));
  },
});

export const reverse = command('POST /api/expenses/reverse/{id}', {
  summary: 'Reverse an expense',
  description:
    'Posts the opposite entry, on the date of the expense or on a later day. Reopens the bills that it settled. Returns `reconciled` without `date` if the bank transaction is reconciled.',
  addition: 'An entry posted by mistake is reversed by its opposite, never changed.',
  access: CASH.expense.states.can('reverse'),
  params: { id: idOf('expenses') },
  body: ReversalInput,
  reply: withDateWarnings(ok(Expense), { body: 'date', record: 'date' }),
  faults: [Reconciled, PaymentRefunded, BeforeDocument, PeriodLocked, AlreadyReversed],
  handle: async ({ params, body, ...context }) => {
    await reverseIncomeOrExpense(context, 'expense', params.id, body.date);
    return await readExpense(context.db, context.caller, params.id);
  },
});
