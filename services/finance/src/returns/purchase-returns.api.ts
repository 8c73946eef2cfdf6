/** Purchase returns: what we give back to vendors. Approval takes it from the invoice; completion moves goods and debits it. */
import { can, created, DryRun, idOf, ok, page, paginate, readOne, removed } from '@suite/chassis';
import { askForWarehouse } from '../documents/lines.ts';
import { PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { CurrencyMismatch, OverAllocated } from '../ledger/claims.rules.ts';
import { purchasing } from '../operations.ts';
import { InsufficientStock, StockPending } from '../stock/saga.ts';
import { completeReturn, moveForReturn } from './completion.ts';
import { approveReturn, cancelReturn, createReturn, LaterReturn, OverReturned, removeReturn } from './return.ts';
import { CompletedPurchaseReturn, ReturnInputs, PurchaseReturn, PurchaseReturnFilter } from './return.schema.ts';
import { returnEffects, returnView } from './return.view.ts';
import { SIDES } from '../documents/kind.ts';

const { query, command } = purchasing;
const refusals = [
  OverReturned,
  PeriodLocked,
  InsufficientStock,
  StockPending,
  AmountTooSmall,
  OverAllocated,
  CurrencyMismatch,
];

export const list = query('GET /api/purchase-return', {
  summary: 'List purchase returns',
  access: can('purchase_return.view'),
  query: PurchaseReturnFilter,
  reply: page(PurchaseReturn),
  handle: ({ db, query, caller }) => paginate(db, query, returnView(db, 'purchase', caller)),
});

export const show = query('GET /api/purchase-return/show/{return_id}', {
  summary: 'Get a purchase return',
  access: can('purchase_return.view'),
  params: { return_id: idOf('purchase_returns') },
  reply: ok(PurchaseReturn),
  handle: ({ db, caller, params }) => readOne(db, PurchaseReturn, params.return_id, returnView(db, 'purchase', caller)),
});

export const create = command('POST /api/purchase-return/create', {
  summary: 'Create a draft purchase return',
  description: 'Of lines of a posted invoice. Its figures are fixed when it is approved.',
  access: can('purchase_return.create'),
  body: ReturnInputs.purchase,
  reply: created(PurchaseReturn),
  faults: [OverReturned],
  prepare: ({ rpc, body }) => (body.warehouse_id ? askForWarehouse(rpc, body.warehouse_id) : Promise.resolve(null)),
  handle: async ({ db, emit, caller, body }) => {
    const id = await createReturn({ db, emit, caller }, 'purchase', body);
    return await readOne(db, PurchaseReturn, id, returnView(db, 'purchase', caller));
  },
});

export const remove = command('DELETE /api/purchase-return/delete/{return_id}', {
  summary: 'Delete a draft purchase return',
  access: SIDES.purchase.return_states.can('delete'),
  params: { return_id: idOf('purchase_returns') },
  reply: removed,
  faults: [StockPending],
  handle: ({ db, caller, params }) => removeReturn({ db, caller }, 'purchase', params.return_id),
});

export const approve = command('POST /api/purchase-return/approve/{return_id}', {
  summary: 'Approve a purchase return',
  description: 'Takes its quantities from the invoice. Where the books want it, completes the return as well.',
  access: SIDES.purchase.return_states.can('approve'),
  params: { return_id: idOf('purchase_returns') },
  query: { dry_run: DryRun },
  reply: ok(CompletedPurchaseReturn),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.return_id, 'approve'),
  handle: async ({ db, emit, caller, params, prepared: moved }) => {
    await approveReturn({ db, emit, caller }, 'purchase', params.return_id);
    if (moved) await completeReturn({ db, emit, caller }, 'purchase', params.return_id, moved);
    const back = await readOne(db, PurchaseReturn, params.return_id, returnView(db, 'purchase', caller));
    return { ...back, effects: await returnEffects(db, 'purchase', params.return_id) };
  },
});

export const complete = command('POST /api/purchase-return/complete/{return_id}', {
  summary: 'Complete a purchase return',
  description: 'The goods are gone: they leave the stock, a debit note is issued and set against the invoice.',
  access: SIDES.purchase.return_states.can('complete'),
  params: { return_id: idOf('purchase_returns') },
  query: { dry_run: DryRun },
  reply: ok(CompletedPurchaseReturn),
  faults: refusals,
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForReturn({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.return_id, 'complete'),
  handle: async ({ db, emit, caller, params, prepared: moved }) => {
    await completeReturn({ db, emit, caller }, 'purchase', params.return_id, moved);
    const back = await readOne(db, PurchaseReturn, params.return_id, returnView(db, 'purchase', caller));
    return { ...back, effects: await returnEffects(db, 'purchase', params.return_id) };
  },
});

export const cancel = command('POST /api/purchase-return/cancel/{return_id}', {
  summary: 'Cancel an approved purchase return',
  description: 'Before its goods have moved. Its quantities can be returned again.',
  access: SIDES.purchase.return_states.can('cancel'),
  params: { return_id: idOf('purchase_returns') },
  reply: ok(PurchaseReturn),
  faults: [LaterReturn, StockPending],
  handle: async ({ db, emit, caller, params }) => {
    await cancelReturn({ db, emit, caller }, 'purchase', params.return_id);
    return await readOne(db, PurchaseReturn, params.return_id, returnView(db, 'purchase', caller));
  },
});
