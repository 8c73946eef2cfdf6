/** Purchase returns to vendors. Approval fixes quantities and amounts. Completion issues the goods and a debit note. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { fetchWarehouse } from '../../invoices/documents/lines.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { CurrencyMismatch, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { purchasing } from '../../operations.ts';
import { InsufficientStock, StockPending } from '../../ledger/stock/saga.ts';
import { completeReturn, moveForReturn } from './return-completion.ts';
import { approveReturn, cancelReturn, createReturn, LaterReturn, OverReturned, removeReturn } from './return.ts';
import { CompletedPurchaseReturn, ReturnInputs, PurchaseReturn, PurchaseReturnFilter } from './return.schema.ts';
import { readPurchaseReturn, returnEffects, returnView } from './return.view.ts';
import { SIDES } from '../../invoices/documents/side.ts';

const { query, command } = purchasing;
const refusals = [OverReturned, PeriodLocked, InsufficientStock, StockPending, OverAllocated, CurrencyMismatch];

export const list = query('GET /api/purchase-return', {
  summary: 'List purchase returns',
  description: 'Returns purchase returns with totals and allowed actions. Expand `lines` and `vendor`.',
  access: can('purchase_return.view'),
  query: PurchaseReturnFilter,
  reply: page(PurchaseReturn),
  handle: ({ db, query, caller }) => paginate(db, query, returnView(db, 'purchase', caller)),
});

export const show = query('GET /api/purchase-return/show/{return_id}', {
  summary: 'Get a purchase return',
  description: 'Returns a purchase return with lines, totals, debit note and allowed actions.',
  access: can('purchase_return.view'),
  params: { return_id: idOf('purchase_returns') },
  reply: ok(PurchaseReturn),
  handle: ({ db, caller, params }) => readPurchaseReturn(db, caller, params.return_id),
});

export const create = command('POST /api/purchase-return/create', {
  summary: 'Create a draft purchase return',
  description:
    'Creates a draft for lines of a posted bill. Amounts are fixed on approval. Returns `over_returned` if a quantity exceeds the returnable quantity.',
  access: can('purchase_return.create'),
  body: ReturnInputs.purchase,
  reply: created(PurchaseReturn),
  faults: [OverReturned],
  prepare: ({ rpc, body }) => (body.warehouse_id ? fetchWarehouse(rpc, body.warehouse_id) : Promise.resolve(null)),
  handle: async ({ body, ...context }) => {
    const id = await createReturn(context, 'purchase', body);
    return await readPurchaseReturn(context.db, context.caller, id);
  },
});

export const remove = command('DELETE /api/purchase-return/delete/{return_id}', {
  summary: 'Delete a draft purchase return',
  description:
    'Deletes a draft return. Returns `stock_pending` while it is being completed. Cancel approved returns instead.',
  access: SIDES.purchase.return_states.can('delete'),
  params: { return_id: idOf('purchase_returns') },
  reply: removed,
  faults: [StockPending],
  handle: ({ params, ...context }) => removeReturn(context, 'purchase', params.return_id),
});

export const approve = command('POST /api/purchase-return/approve/{return_id}', {
  summary: 'Approve a purchase return',
  description:
    'Reserves the quantities of the bill for this return. Also completes the return if the accounting setting `return_effects_on` is `approve`. Returns `over_returned` if a quantity exceeds the returnable quantity.',
  access: SIDES.purchase.return_states.can('approve'),
  params: { return_id: idOf('purchase_returns') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(CompletedPurchaseReturn), { record: 'return_date' }),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.return_id, 'approve'),
  handle: async ({ params, prepared: moved, ...context }) => {
    await approveReturn(context, 'purchase', params.return_id);
    if (moved) await completeReturn(context, 'purchase', params.return_id, moved);
    const back = await readPurchaseReturn(context.db, context.caller, params.return_id);
    return { ...back, effects: await returnEffects(context.db, 'purchase', params.return_id) };
  },
});

export const complete = command('POST /api/purchase-return/complete/{return_id}', {
  summary: 'Complete a purchase return',
  description:
    'Issues the goods from stock, issues a debit note and applies it to the bill. Returns `insufficient_stock` if the goods are no longer available.',
  access: SIDES.purchase.return_states.can('complete'),
  params: { return_id: idOf('purchase_returns') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(CompletedPurchaseReturn), { record: 'return_date' }),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.return_id, 'complete'),
  handle: async ({ params, prepared: moved, ...context }) => {
    await completeReturn(context, 'purchase', params.return_id, moved);
    const back = await readPurchaseReturn(context.db, context.caller, params.return_id);
    return { ...back, effects: await returnEffects(context.db, 'purchase', params.return_id) };
  },
});

export const cancel = command('POST /api/purchase-return/cancel/{return_id}', {
  summary: 'Cancel an approved purchase return',
  description:
    'Cancels an approved return before its goods have moved. Its quantities can be returned again. Returns `later_return` if a later return has been approved.',
  addition: 'A mistaken posting or approval is reversed, never changed or deleted.',
  access: SIDES.purchase.return_states.can('cancel'),
  params: { return_id: idOf('purchase_returns') },
  reply: ok(PurchaseReturn),
  faults: [LaterReturn, StockPending],
  handle: async ({ params, ...context }) => {
    await cancelReturn(context, 'purchase', params.return_id);
    return await readPurchaseReturn(context.db, context.caller, params.return_id);
  },
});
