/** Purchase invoices (bills) of vendors. Posting receives the goods and creates the ledger entries. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { cancelInvoice, HasReturns, reservePurchase } from '../invoices/invoice-cancellation.ts';
import { fetchChangeReferences, fetchInvoiceReferences, assertLineAccounts } from '../documents/lines.ts';
import { changeInvoice, createInvoice, removeInvoice } from '../invoices/invoice.ts';
import { listInvoices, readInvoice, readPosted, readStored } from '../invoices/invoice.view.ts';
import { moveForInvoice } from '../invoices/invoice-goods.ts';
import { postInvoice } from '../invoices/invoice-posting.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { BeforeDocument } from '../../ledger/ledger/open-items.rules.ts';
import { ReversalInput } from '../../ledger/ledger/reversal.schema.ts';
import { purchasing } from '../../operations.ts';
import { InsufficientStock, StockPending } from '../../ledger/stock/saga.ts';
import {
  PostedPurchaseInvoice,
  PurchaseInvoice,
  PurchaseInvoiceChanges,
  PurchaseInvoiceFilter,
  PurchaseInvoiceInput,
} from './purchase-invoice.schema.ts';
import { SIDES } from '../documents/side.ts';
import { vendorOf, withVendorAccount } from './vendor-account.ts';

const { query, command } = purchasing;

export const list = query('GET /api/purchase-invoice', {
  summary: 'List purchase invoices',
  description: 'Returns purchase invoices with totals, open amount and allowed actions. Expand `lines` and `vendor`.',
  access: can('purchase_invoice.view'),
  query: PurchaseInvoiceFilter,
  reply: page(PurchaseInvoice),
  handle: ({ db, query, caller }) => listInvoices(db, 'purchase', caller, query),
});

export const show = query('GET /api/purchase-invoice/show/{invoice_id}', {
  summary: 'Get a purchase invoice',
  description: 'Returns a purchase invoice with lines, taxes, payments and allowed actions.',
  access: can('purchase_invoice.view'),
  params: { invoice_id: idOf('purchase_invoices') },
  reply: ok(PurchaseInvoice),
  handle: ({ params, ...context }) => readInvoice(context, PurchaseInvoice, 'purchase', params.invoice_id),
});

export const create = command('POST /api/purchase-invoice/create', {
  summary: 'Create a draft purchase invoice',
  description:
    'Creates a draft, without a number and without posting it. Copies names, accounts and taxes of the products. Lines without a product or an account use the expense account of the vendor.',
  access: can('purchase_invoice.create'),
  body: PurchaseInvoiceInput,
  reply: created(PurchaseInvoice),
  prepare: ({ rpc, body }) => fetchInvoiceReferences(rpc, 'purchase', body),
  handle: async ({ body, prepared, ...context }) => {
    await assertLineAccounts(context.db, body.lines);
    const { vendor_id: party_id, reference, notes, vendor_reference, received_date, ...rest } = body;
    const columns = { reference, notes, vendor_reference, received_date };
    const lines = await withVendorAccount(context.db, party_id, prepared.lines);
    const facts = { ...rest, ...prepared, lines, party_id, columns };
    const draft = await createInvoice(context, 'purchase', facts);
    return await readStored(context, PurchaseInvoice, 'purchase', draft);
  },
});

export const update = command('POST /api/purchase-invoice/update/{invoice_id}', {
  summary: 'Update a draft purchase invoice',
  description:
    'Updates a draft. Lines in the body replace all lines. Returns `stock_pending` while it is being posted.',
  access: SIDES.purchase.states.can('update'),
  params: { invoice_id: idOf('purchase_invoices') },
  body: PurchaseInvoiceChanges,
  reply: ok(PurchaseInvoice),
  faults: [StockPending],
  prepare: ({ params, body, ...context }) => fetchChangeReferences(context, 'purchase', params.invoice_id, body),
  handle: async ({ params, body, expect, prepared, ...context }) => {
    await assertLineAccounts(context.db, body.lines);
    const { vendor_id: party_id, reference, notes, vendor_reference, received_date, version: _, ...rest } = body;
    const columns = { reference, notes, vendor_reference, received_date };
    const vendor_id = await vendorOf(context.db, params.invoice_id, party_id);
    const lines = prepared.lines && (await withVendorAccount(context.db, vendor_id, prepared.lines));
    const fields = { ...rest, ...prepared, lines, party_id, columns };
    await changeInvoice(context, 'purchase', params.invoice_id, fields, expect);
    return await readInvoice(context, PurchaseInvoice, 'purchase', params.invoice_id);
  },
});

export const remove = command('DELETE /api/purchase-invoice/delete/{invoice_id}', {
  summary: 'Delete a draft purchase invoice',
  description: 'Deletes a draft. Returns `stock_pending` while it is being posted. Cancel posted invoices instead.',
  access: SIDES.purchase.states.can('delete'),
  params: { invoice_id: idOf('purchase_invoices') },
  reply: removed,
  faults: [StockPending],
  handle: async ({ params, ...context }) => ({
    id: (await removeInvoice(context, 'purchase', params.invoice_id)).id,
  }),
});

export const post = command('POST /api/purchase-invoice/post/{invoice_id}', {
  summary: 'Post a purchase invoice',
  description:
    'Receives the goods at net cost, assigns the number, and posts stock, costs, tax and payable. `?dry_run=true` returns the effects and changes nothing.',
  access: SIDES.purchase.states.can('post'),
  params: { invoice_id: idOf('purchase_invoices') },
  query: { dry_run: DryRun },
  reply: withDateWarnings(ok(PostedPurchaseInvoice), { record: 'invoice_date' }),
  faults: [PeriodLocked, InsufficientStock, StockPending],
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForInvoice({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.invoice_id),
  async handle({ params, prepared: moved, ...context }) {
    const posted = await postInvoice(context, 'purchase', { id: params.invoice_id, moved });
    return await readPosted(context, PurchaseInvoice, 'purchase', posted);
  },
});

export const cancel = command('POST /api/purchase-invoice/cancel/{invoice_id}', {
  summary: 'Cancel a posted purchase invoice',
  description:
    'Cancels a bill without payments or returns. Posts the opposite entry, on the bill date or on a later day, and removes the goods from stock. Returns `insufficient_stock` with the missing goods if some have been used.',
  addition: 'A mistaken posting or approval is reversed, never changed or deleted.',
  access: SIDES.purchase.states.can('cancel'),
  params: { invoice_id: idOf('purchase_invoices') },
  query: { dry_run: DryRun },
  body: ReversalInput,
  reply: withDateWarnings(ok(PurchaseInvoice), { body: 'date', record: 'invoice_date' }),
  faults: [HasReturns, BeforeDocument, PeriodLocked, InsufficientStock, StockPending],
  prepare: ({ caller, rpc, write, params, query, body }) =>
    reservePurchase({ caller, rpc, write, dry_run: query.dry_run }, params.invoice_id, body.date),
  handle: async ({ params, body, prepared: aside, ...context }) => {
    await cancelInvoice(context, 'purchase', params.invoice_id, { aside, date: body.date });
    return await readInvoice(context, PurchaseInvoice, 'purchase', params.invoice_id);
  },
});
