/**
 * Sales returns of customers. Approval fixes quantities and amounts. Completion receives the goods and issues a
 * credit note.
 */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { fetchWarehouse } from '../../invoices/documents/lines.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { invoicing } from '../../operations.ts';
import { InsufficientStock, StockPending } from '../../ledger/stock/saga.ts';
import { completeReturn, moveForReturn } from './return-completion.ts';
import { approveReturn, cancelReturn, createReturn, LaterReturn, OverReturned, removeReturn } from './return.ts';
import { CompletedSalesReturn, ReturnInputs, SalesReturn, SalesReturnFilter } from './return.schema.ts';
import { readSalesReturn, returnEffects, returnView } from './return.view.ts';
import { SIDES } from '../../invoices/documents/side.ts';

const { query, command } = invoicing;
const refusals = [OverReturned, PeriodLocked, InsufficientStock, StockPending, OverAllocated, CurrencyMismatch];

export const list = query('GET /api/sales-invoice-return', {
  summary: 'List sales returns',
  description: 'Returns sales returns with totals and allowed actions. Expand `lines` and `customer`.',
  access: can('sales_return.view'),
  query: SalesReturnFilter,
  reply: page(SalesReturn),
  handle: ({ db, query, caller }) => paginate(db, query, returnView(db, 'sales', caller)),
});

export const show = query('GET /api/sales-invoice-return/show/{return_id}', {
  summary: 'Get a sales return',
  description: 'Returns a sales return with lines, totals, credit note and allowed actions.',
  access: can('sales_return.view'),
  params: { return_id: idOf('sales_returns') },
  reply: ok(SalesReturn),
  handle: ({ db, caller, params }) => readSalesReturn(db, caller, params.return_id),
});

export const create = command('POST /api/sales-invoice-return/create', {
  summary: 'Create a draft sales return',
  description:
    'Creates a draft for lines of a posted invoice. Amounts are fixed on approval. Returns `over_returned` if a quantity exceeds the returnable quantity.',
  access: can('sales_return.create'),
  body: ReturnInputs.sales,
  reply: created(SalesReturn),
  faults: [OverReturned],
  prepare: ({ rpc, body }) => (body.warehouse_id ? fetchWarehouse(rpc, body.warehouse_id) : Promise.resolve(null)),
  handle: async ({ body, ...context }) => {
    const id = await createReturn(context, 'sales', body);
    return await readSalesReturn(context.db, context.caller, id);
  },
});

export const remove = command('DELETE /api/sales-invoice-return/delete/{return_id}', {
  summary: 'Delete a draft sales return',
  description:
    'Deletes a draft return. Returns `stock_pending` while it is being completed. Cancel approved returns instead.',
  access: SIDES.sales.return_states.can('delete'),
  params: { return_id: idOf('sales_returns') },
  reply: removed,
  faults: [StockPending],
  handle: ({ params, ...context }) => removeReturn(context, 'sales', params.return_id),
});

export const approve = command('POST /api/sales-invoice-return/approve/{return_id}', {
  summary: 'Approve a sales return',
  description:
    'Reserves the quantities of the invoice for this return. Also completes the return if the accounting setting `return_effects_on` is `approve`. Returns `over_returned` if a quantity exceeds the returnable quantity.',
  access: SIDES.sales.return_states.can('approve'),
  params: { return_id: idOf('sales_returns') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(CompletedSalesReturn), { record: 'return_date' }),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'sales', params.return_id, 'approve'),
  handle: async ({ params, prepared: moved, ...context }) => {
    await approveReturn(context, 'sales', params.return_id);
    if (moved) await completeReturn(context, 'sales', params.return_id, moved);
    const back = await readSalesReturn(context.db, context.caller, params.return_id);
    return { ...back, effects: await returnEffects(context.db, 'sales', params.return_id) };
  },
});

export const complete = command('POST /api/sales-invoice-return/complete/{return_id}', {
  summary: 'Complete a sales return',
  description:
    'Receives the goods into stock, issues a credit note and applies it to the invoice. Reverses commissions in proportion.',
  access: SIDES.sales.return_states.can('complete'),
  params: { return_id: idOf('sales_returns') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(CompletedSalesReturn), { record: 'return_date' }),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'sales', params.return_id, 'complete'),
  handle: async ({ params, prepared: moved, ...context }) => {
    await completeReturn(context, 'sales', params.return_id, moved);
    const back = await readSalesReturn(context.db, context.caller, params.return_id);
    return { ...back, effects: await returnEffects(context.db, 'sales', params.return_id) };
  },
});

export const cancel = command('POST /api/sales-invoice-return/cancel/{return_id}', {
  summary: 'Cancel an approved sales return',
  description:
    'Cancels an approved return before its goods have moved. Its quantities can be returned again. Returns `later_return` if a later return has been approved.',
  addition: 'A mistaken posting or approval is reversed, never changed or deleted.',
  access: SIDES.sales.return_states.can('cancel'),
  params: { return_id: idOf('sales_returns') },
  reply: ok(SalesReturn),
  faults: [LaterReturn, StockPending],
  handle: async ({ params, ...context }) => {
    await cancelReturn(context, 'sales', params.return_id);
    return await readSalesReturn(context.db, context.caller, params.return_id);
  },
});
