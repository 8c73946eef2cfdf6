/** Purchase invoices: what we owe vendors. Drafts are written freely; posting takes the goods in and books all of it. */
import { can, created, DryRun, idOf, ok, page, paginate, readOne, removed } from '@suite/chassis';
import { cancelInvoice, HasReturns, setAsidePurchase } from '../invoices/invoice-cancelling.ts';
import { askForChanges, askForInvoice, assertLineAccounts } from '../documents/lines.ts';
import { changeInvoice, createInvoice, removeInvoice } from '../invoices/invoice.ts';
import { invoiceView, readPosted, readWritten } from '../invoices/invoice.view.ts';
import { moveForInvoice, postInvoice } from '../invoices/invoice-posting.ts';
import { PeriodLocked } from '../ledger/journal.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { BeforeDocument } from '../ledger/claims.rules.ts';
import { ReversalInput } from '../ledger/reversal.schema.ts';
import { purchasing } from '../operations.ts';
import { InsufficientStock, StockPending } from '../stock/saga.ts';
import {
  PostedPurchaseInvoice,
  PurchaseInvoice,
  PurchaseInvoiceChanges,
  PurchaseInvoiceFilter,
  PurchaseInvoiceInput,
} from './purchase-invoice.schema.ts';
import { SIDES } from '../documents/kind.ts';
import { vendorOf, withVendorAccount } from './vendor-account.ts';

const { query, command } = purchasing;

export const list = query('GET /api/purchase-invoice', {
  summary: 'List purchase invoices',
  access: can('purchase_invoice.view'),
  query: PurchaseInvoiceFilter,
  reply: page(PurchaseInvoice),
  handle: ({ db, query, caller }) => paginate(db, query, invoiceView(db, 'purchase', caller)),
});

export const show = query('GET /api/purchase-invoice/show/{invoice_id}', {
  summary: 'Get a purchase invoice',
  access: can('purchase_invoice.view'),
  params: { invoice_id: idOf('purchase_invoices') },
  reply: ok(PurchaseInvoice),
  handle: ({ db, caller, params }) =>
    readOne(db, PurchaseInvoice, params.invoice_id, invoiceView(db, 'purchase', caller)),
});

export const create = command('POST /api/purchase-invoice/create', {
  summary: 'Create a draft purchase invoice',
  description:
    'Names, accounts and taxes of its products are kept as they are now. Nothing is booked, and no number given.',
  access: can('purchase_invoice.create'),
  body: PurchaseInvoiceInput,
  reply: created(PurchaseInvoice),
  prepare: ({ rpc, body }) => askForInvoice(rpc, 'purchase', body),
  handle: async ({ db, emit, caller, body, prepared }) => {
    await assertLineAccounts(db, body.lines);
    const { vendor_id: party_id, reference, notes, vendor_reference, received_date, ...rest } = body;
    const plain = { reference, notes, vendor_reference, received_date };
    const lines = await withVendorAccount(db, party_id, prepared.lines);
    const facts = { ...rest, ...prepared, lines, party_id, plain };
    return await createInvoice({ db, emit, caller }, 'purchase', facts, (draft) =>
      readWritten({ db, caller }, PurchaseInvoice, 'purchase', draft),
    );
  },
});

export const update = command('POST /api/purchase-invoice/update/{invoice_id}', {
  summary: 'Update a draft purchase invoice',
  description: 'Lines that are sent replace all lines.',
  access: SIDES.purchase.states.can('update'),
  params: { invoice_id: idOf('purchase_invoices') },
  body: PurchaseInvoiceChanges,
  reply: ok(PurchaseInvoice),
  faults: [StockPending],
  prepare: ({ rpc, body }) => askForChanges(rpc, 'purchase', body),
  handle: async ({ db, emit, caller, params, body, expect, prepared }) => {
    await assertLineAccounts(db, body.lines);
    const { vendor_id: party_id, reference, notes, vendor_reference, received_date, version: _, ...rest } = body;
    const plain = { reference, notes, vendor_reference, received_date };
    const vendor_id = await vendorOf(db, params.invoice_id, party_id);
    const lines = prepared.lines && (await withVendorAccount(db, vendor_id, prepared.lines));
    const given = { ...rest, ...prepared, lines, party_id, plain };
    await changeInvoice({ db, emit, caller }, 'purchase', params.invoice_id, given, expect);
    return await readOne(db, PurchaseInvoice, params.invoice_id, invoiceView(db, 'purchase', caller));
  },
});

export const remove = command('DELETE /api/purchase-invoice/delete/{invoice_id}', {
  summary: 'Delete a draft purchase invoice',
  access: SIDES.purchase.states.can('delete'),
  params: { invoice_id: idOf('purchase_invoices') },
  reply: removed,
  faults: [StockPending],
  handle: async ({ db, caller, params }) => ({
    id: (await removeInvoice({ db, caller }, 'purchase', params.invoice_id)).id,
  }),
});

export const post = command('POST /api/purchase-invoice/post/{invoice_id}', {
  summary: 'Post a purchase invoice',
  description:
    'Takes the goods into stock at their net cost, gives the number and books stock, costs, tax and what we owe. `?dry_run=true` tells all of that and leaves no trace.',
  access: SIDES.purchase.states.can('post'),
  params: { invoice_id: idOf('purchase_invoices') },
  query: { dry_run: DryRun },
  reply: ok(PostedPurchaseInvoice),
  faults: [PeriodLocked, InsufficientStock, StockPending, AmountTooSmall],
  prepare: ({ caller, rpc, write, params, query }) =>
    moveForInvoice({ caller, rpc, write, dry_run: query.dry_run }, 'purchase', params.invoice_id),
  handle: ({ db, emit, caller, params, prepared: moved }) =>
    postInvoice({ db, emit, caller }, 'purchase', { id: params.invoice_id, moved }, (posted) =>
      readPosted({ db, caller }, PurchaseInvoice, 'purchase', posted),
    ),
});

export const cancel = command('POST /api/purchase-invoice/cancel/{invoice_id}', {
  summary: 'Cancel a posted purchase invoice',
  description:
    'Cancels a bill that is not paid or returned. Posts the opposite entry, on the date of the bill or on a later day, and takes its goods out of stock. Refuses if some of them are no longer there, and lists them.',
  access: SIDES.purchase.states.can('cancel'),
  params: { invoice_id: idOf('purchase_invoices') },
  query: { dry_run: DryRun },
  body: ReversalInput,
  reply: ok(PurchaseInvoice),
  faults: [HasReturns, BeforeDocument, PeriodLocked, InsufficientStock, StockPending],
  prepare: ({ caller, rpc, write, params, query, body }) =>
    setAsidePurchase({ caller, rpc, write, dry_run: query.dry_run }, params.invoice_id, body.date),
  handle: async ({ db, emit, caller, params, body, prepared: aside }) => {
    await cancelInvoice({ db, emit, caller }, 'purchase', params.invoice_id, { aside, date: body.date });
    return await readOne(db, PurchaseInvoice, params.invoice_id, invoiceView(db, 'purchase', caller));
  },
});
