/** Revenues: money received, posted to a category or settling invoices. A draft is approved and then posted. */
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
import { Revenue, RevenueChanges, RevenueFilter, RevenueInput } from './cash.schema.ts';
import { cashView, PostedRevenue, readRevenue, withJournal } from './cash.view.ts';
import { postIncomeOrExpense } from './cash-posting.ts';
import { PaymentRefunded } from '../../payments/payments/payment-voiding.ts';
import { reverseIncomeOrExpense } from './cash-reversal.ts';
import { snapshotTax } from './cash-tax.ts';
import { CASH } from './cash-kind.ts';

const { query, command } = accounting;

export const list = query('GET /api/revenues', {
  summary: 'List revenues',
  description:
    'Returns revenues with their allowed actions. Expand `category`, `bank_account` and `customer` for the names.',
  access: can('revenue.view'),
  query: RevenueFilter,
  reply: page(Revenue),
  handle: ({ db, query, caller }) => paginate(db, query, cashView(db, 'revenue', caller)),
});

export const create = command('POST /api/revenues/create', {
  summary: 'Create a revenue',
  description:
    'Creates a draft revenue. Nothing is posted. Copies name and rate of the tax. Returns `over_allocated` if the allocations exceed the amount or an invoice.',
  access: can('revenue.create'),
  body: RevenueInput,
  reply: created(Revenue),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => snapshotTax(rpc, body.tax_id),
  handle: async ({ body, prepared: tax, ...context }) => {
    const { customer_id: party_id, invoice_allocations: allocations, tax_id: _, ...rest } = body;
    const id = await createIncomeOrExpense(context, 'revenue', { ...rest, party_id, allocations, tax });
    return await readRevenue(context.db, context.caller, id);
  },
});

export const update = command('POST /api/revenues/update/{id}', {
  summary: 'Update a draft revenue',
  description:
    'Updates a draft. `invoice_allocations` replaces all allocations. Returns 409 `invalid_transition` once it is approved or posted.',
  access: CASH.revenue.states.can('update'),
  params: { id: idOf('revenues') },
  body: RevenueChanges,
  reply: ok(Revenue),
  faults: [CurrencyMismatch, OverAllocated],
  prepare: ({ rpc, body }) => snapshotTax(rpc, body.tax_id),
  handle: async ({ params, body, expect, prepared: tax, ...context }) => {
    const { customer_id: party_id, invoice_allocations: allocations, tax_id: _, version: __, ...rest } = body;
    const fields = { ...rest, party_id, allocations, tax };
    await changeIncomeOrExpense(context, 'revenue', params.id, fields, expect);
    return await readRevenue(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/revenues/delete/{id}', {
  summary: 'Delete a draft revenue',
  description:
    'Deletes a draft. Returns 409 `invalid_transition` once it is approved or posted. Undo the approval, or reverse it instead.',
  access: CASH.revenue.states.can('delete'),
  params: { id: idOf('revenues') },
  reply: removed,
  handle: ({ params, ...context }) => removeIncomeOrExpense(context, 'revenue', params.id),
});

export const approve = command('POST /api/revenues/approve/{id}', {
  summary: 'Approve a revenue',
  description:
    'Approves a draft, so that it can be posted. Returns `four_eyes` for your own draft if the accounting settings require a second user. Repeating the request changes nothing.',
  access: CASH.revenue.states.can('approve'),
  params: { id: idOf('revenues') },
  reply: ok(Revenue),
  faults: [ApproverIsAuthor],
  handle: async ({ params, ...context }) => {
    await approveIncomeOrExpense(context, 'revenue', params.id, clock.now());
    return await readRevenue(context.db, context.caller, params.id);
  },
});

export const unapprove = command('POST /api/revenues/unapprove/{id}', {
  summary: 'Undo the approval of a revenue',
  description:
    'Turns an approved revenue into a draft that can change again. Returns 409 `invalid_transition` once it is posted.',
  addition: 'An approved revenue can be returned to draft for changes.',
  access: CASH.revenue.states.can('unapprove'),
  params: { id: idOf('revenues') },
  reply: ok(Revenue),
  handle: async ({ params, ...context }) => {
    await unapproveIncomeOrExpense(context, 'revenue', params.id);
    return await readRevenue(context.db, context.caller, params.id);
  },
});

export const post = command('POST /api/revenues/post/{id}', {
  summary: 'Post a revenue',
  description:
    'Assigns the number and posts the journal entry. Settles the allocated invoices with a payment, recorded at the same time. Returns `period_locked` if the period is locked.',
  access: CASH.revenue.states.can('post'),
  params: { id: idOf('revenues') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(PostedRevenue), { record: 'date' }),
  faults: [PeriodLocked, OverAllocated, CurrencyMismatch, BeforeDocument],
  handle: async ({ params, ...context }) => {
    await postIncomeOrExpense(context, 'revenue', params.id);
    return await withJournal(context.db, await readRevenue(context.db, context.caller, params.id));
  },
});

export const reverse = command('POST /api/revenues/reverse/{id}', {
  summary: 'Reverse a revenue',
  description:
    'Posts the opposite entry, on the date of the revenue or on a later day. Reopens the invoices that it settled. Returns `reconciled` without `date` if the bank transaction is reconciled.',
  addition: 'An entry posted by mistake is reversed by its opposite, never changed.',
  access: CASH.revenue.states.can('reverse'),
  params: { id: idOf('revenues') },
  body: ReversalInput,
  reply: withDateWarnings(ok(Revenue), { body: 'date', record: 'date' }),
  faults: [Reconciled, PaymentRefunded, BeforeDocument, PeriodLocked, AlreadyReversed],
  handle: async ({ params, body, ...context }) => {
    await reverseIncomeOrExpense(context, 'revenue', params.id, body.date);
    return await readRevenue(context.db, context.caller, params.id);
  },
});
