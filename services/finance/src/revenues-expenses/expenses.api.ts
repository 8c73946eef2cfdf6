/** Expenses: money that went out, of its own or in settlement of bills. Written down, approved, then posted. */
import { can, clock, created, DryRun, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { Reconciled } from '../banking/reconciliation.ts';
import { AlreadyReversed, PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { ReversalInput } from '../ledger/reversal.schema.ts';
import { BeforeDocument, CurrencyMismatch, OverAllocated } from '../ledger/claims.rules.ts';
import { accounting } from '../operations.ts';
import { approveCash, changeCash, createCash, ApproverIsAuthor, removeCash, unapproveCash } from './cash.ts';
import { Expense, ExpenseChanges, ExpenseFilter, ExpenseInput } from './cash.schema.ts';
import { cashView, PostedExpense, readExpense, withJournal } from './cash.view.ts';
import { postCash } from './cash-posting.ts';
import { PaymentRefunded } from '../payments/payment-voiding.ts';
import { reverseCash } from './cash-reversal.ts';
import { askForReferences } from './expense-references.ts';
import { CASH } from './cash-kind.ts';

const { query, command } = accounting;

export const list = query('GET /api/expenses', {
  summary: 'List expenses',
  access: can('expense.view'),
  query: ExpenseFilter,
  reply: page(Expense),
  handle: ({ db, query, caller }) => paginate(db, query, cashView(db, 'expense', caller)),
});

export const create = command('POST /api/expenses/create', {
  summary: 'Create an expense',
  description: 'As a draft: nothing is booked yet.',
  access: can('expense.create'),
  body: ExpenseInput,
  reply: created(Expense),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => askForReferences(rpc, body),
  handle: async ({ db, emit, caller, body, prepared: tax }) => {
    const { vendor_id: party_id, bill_allocations: allocations, tax_id: _, ...rest } = body;
    const id = await createCash({ db, emit, caller }, 'expense', { ...rest, party_id, allocations, tax });
    return await readExpense(db, caller, id);
  },
});

export const update = command('POST /api/expenses/update/{id}', {
  summary: 'Update a draft expense',
  access: CASH.expense.states.can('update'),
  params: { id: idOf('expenses') },
  body: ExpenseChanges,
  reply: ok(Expense),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => askForReferences(rpc, body),
  handle: async ({ db, emit, caller, params, body, expect, prepared: tax }) => {
    const { vendor_id: party_id, bill_allocations: allocations, tax_id: _, version: __, ...rest } = body;
    await changeCash({ db, emit, caller }, 'expense', params.id, { ...rest, party_id, allocations, tax }, expect);
    return await readExpense(db, caller, params.id);
  },
});

export const remove = command('DELETE /api/expenses/delete/{id}', {
  summary: 'Delete a draft expense',
  access: CASH.expense.states.can('delete'),
  params: { id: idOf('expenses') },
  reply: removed,
  handle: ({ db, caller, params }) => removeCash({ db, caller }, 'expense', params.id),
});

export const approve = command('POST /api/expenses/approve/{id}', {
  summary: 'Approve an expense',
  description: 'Where the books require it, the approver must not be the author.',
  access: CASH.expense.states.can('approve'),
  params: { id: idOf('expenses') },
  reply: ok(Expense),
  faults: [ApproverIsAuthor],
  handle: async ({ db, emit, caller, params }) => {
    await approveCash({ db, emit, caller }, 'expense', params.id, clock.now());
    return await readExpense(db, caller, params.id);
  },
});

export const unapprove = command('POST /api/expenses/unapprove/{id}', {
  summary: 'Undo the approval of an expense',
  description: 'The expense is a draft again and can be changed.',
  access: CASH.expense.states.can('unapprove'),
  params: { id: idOf('expenses') },
  reply: ok(Expense),
  handle: async ({ db, caller, params }) => {
    await unapproveCash({ db, caller }, 'expense', params.id);
    return await readExpense(db, caller, params.id);
  },
});

export const post = command('POST /api/expenses/post/{id}', {
  summary: 'Post an expense',
  description: 'Books it under its number. The bills that it names are settled, by a payment that is recorded with it.',
  access: CASH.expense.states.can('post'),
  params: { id: idOf('expenses') },
  query: { dry_run: DryRun },
  reply: ok(PostedExpense),
  faults: [PeriodLocked, OverAllocated, CurrencyMismatch, BeforeDocument, AmountTooSmall],
  handle: async ({ db, emit, caller, params }) => {
    await postCash({ db, emit, caller }, 'expense', params.id);
    return await withJournal(db, await readExpense(db, caller, params.id));
  },
});

export const reverse = command('POST /api/expenses/reverse/{id}', {
  summary: 'Reverse an expense',
  description:
    'Posts the opposite entry, on the date of the revenue or on a later day. The invoices that it settled are open again.',
  access: CASH.expense.states.can('reverse'),
  params: { id: idOf('expenses') },
  body: ReversalInput,
  reply: ok(Expense),
  faults: [Reconciled, PaymentRefunded, BeforeDocument, PeriodLocked, AlreadyReversed],
  handle: async ({ db, emit, caller, params, body }) => {
    await reverseCash({ db, emit, caller }, 'expense', params.id, body.date);
    return await readExpense(db, caller, params.id);
  },
});
