/** Sales invoices: what customers owe us. Drafts are written freely; posting moves the goods and books all of it. */
import { can, created, DryRun, idOf, ok, page, paginate, readOne, removed } from '@suite/chassis';
import { printFaults } from '@suite/pdf';
import { assertAgent } from '../agents/agent.ts';
import { cancelInvoice, HasReturns } from '../invoices/invoice-cancelling.ts';
import { askForChanges, askForInvoice } from '../documents/lines.ts';
import { OverInvoiced } from '../agreements/over-invoicing.ts';
import { BilledTime } from '../invoices/billed-lines.ts';
import { DerivedDraft } from '../invoices/derived-draft.ts';
import { changeInvoice } from '../invoices/invoice.ts';
import { invoiceView, readPosted, readWritten } from '../invoices/invoice.view.ts';
import { CreditLimitExceeded, moveForInvoice, postInvoice } from '../invoices/invoice-posting.ts';
import { PeriodLocked } from '../ledger/journal.ts';
import { printInvoice } from './invoice-letter.ts';
import { AmountTooSmall } from '../ledger/journal.rules.ts';
import { BeforeDocument } from '../ledger/claims.rules.ts';
import { ReversalInput } from '../ledger/reversal.schema.ts';
import { invoicing } from '../operations.ts';
import { InsufficientStock, StockPending } from '../stock/saga.ts';
import { createSalesInvoice, removeSalesInvoice } from './sales-invoice.ts';
import {
  PostedSalesInvoice,
  SalesInvoice,
  SalesInvoiceChanges,
  SalesInvoiceFilter,
  SalesInvoiceInput,
  SalesInvoicePosting,
} from './sales-invoice.schema.ts';
import { SIDES } from '../documents/kind.ts';

const { query, command } = invoicing;

export const list = query('GET /api/sales-invoice', {
  summary: 'List sales invoices',
  access: can('sales_invoice.view'),
  query: SalesInvoiceFilter,
  reply: page(SalesInvoice),
  handle: ({ db, query, caller }) => paginate(db, query, invoiceView(db, 'sales', caller)),
});

export const show = query('GET /api/sales-invoice/show/{invoice_id}', {
  summary: 'Get a sales invoice',
  description: 'As a PDF for `Accept: application/pdf`.',
  access: can('sales_invoice.view'),
  params: { invoice_id: idOf('sales_invoices') },
  reply: ok(SalesInvoice),
  faults: printFaults,
  handle: ({ db, caller, params }) => readOne(db, SalesInvoice, params.invoice_id, invoiceView(db, 'sales', caller)),
  formats: { pdf: printInvoice },
});

export const create = command('POST /api/sales-invoice/create', {
  summary: 'Create a draft sales invoice',
  description:
    'Names, accounts and taxes of its products are kept as they are now. Nothing is booked, and no number given.',
  access: can('sales_invoice.create'),
  body: SalesInvoiceInput,
  reply: created(SalesInvoice),
  prepare: ({ rpc, body }) => askForInvoice(rpc, 'sales', body),
  handle: async ({ db, emit, caller, body, prepared }) => {
    const { customer_id: party_id, reference, notes, external_id, agent_id, ...rest } = body;
    await assertAgent(db, agent_id);
    const plain = { reference, notes, external_id, agent_id };
    return await createSalesInvoice({ db, emit, caller }, { ...rest, ...prepared, party_id, plain }, (draft) =>
      readWritten({ db, caller }, SalesInvoice, 'sales', draft),
    );
  },
});

export const update = command('POST /api/sales-invoice/update/{invoice_id}', {
  summary: 'Update a draft sales invoice',
  description:
    'Lines in the body replace all lines. A line that bills an order or proposal keeps its source: name it by `id` or `source_line`, or repeat its product or text. Prices, discounts and taxes that the body omits are the agreed ones, in proportion to the quantity. The customer and currency of a draft that was made from another document cannot change (`derived_draft`).',
  access: SIDES.sales.states.can('update'),
  params: { invoice_id: idOf('sales_invoices') },
  body: SalesInvoiceChanges,
  reply: ok(SalesInvoice),
  faults: [StockPending, BilledTime, DerivedDraft],
  prepare: ({ rpc, body }) => askForChanges(rpc, 'sales', body),
  handle: async ({ db, emit, caller, params, body, expect, prepared }) => {
    const { customer_id: party_id, reference, notes, external_id, agent_id, version: _, ...rest } = body;
    const { allow_over_invoicing, ...facts } = rest;
    await assertAgent(db, agent_id);
    const plain = { reference, notes, external_id, agent_id, allow_over_invoicing };
    const given = { ...facts, ...prepared, party_id, intents: body.lines, plain };
    await changeInvoice({ db, emit, caller }, 'sales', params.invoice_id, given, expect);
    return await readOne(db, SalesInvoice, params.invoice_id, invoiceView(db, 'sales', caller));
  },
});

export const remove = command('DELETE /api/sales-invoice/delete/{invoice_id}', {
  summary: 'Delete a draft sales invoice',
  access: SIDES.sales.states.can('delete'),
  params: { invoice_id: idOf('sales_invoices') },
  reply: removed,
  faults: [StockPending],
  handle: ({ db, emit, caller, params }) => removeSalesInvoice({ db, emit, caller }, params.invoice_id),
});

export const post = command('POST /api/sales-invoice/post/{invoice_id}', {
  summary: 'Post a sales invoice',
  description:
    'Takes the goods out of stock, gives the number and books revenue, tax, what the customer owes and what the goods cost. `?dry_run=true` returns all of that and leaves no trace. Returns 409 `over_invoiced` if the invoice bills more than was ordered, unless `allow_over_invoicing` is set; then `effects.warnings` reports it.',
  access: SIDES.sales.states.can('post'),
  params: { invoice_id: idOf('sales_invoices') },
  query: { dry_run: DryRun },
  body: SalesInvoicePosting,
  reply: ok(PostedSalesInvoice),
  faults: [PeriodLocked, InsufficientStock, StockPending, CreditLimitExceeded, AmountTooSmall, OverInvoiced],
  prepare: ({ caller, rpc, write, params, query, body }) =>
    moveForInvoice({ caller, rpc, write, dry_run: query.dry_run, ...body }, 'sales', params.invoice_id),
  handle: ({ db, emit, caller, params, body, prepared: moved }) =>
    postInvoice({ db, emit, caller }, 'sales', { id: params.invoice_id, moved, ...body }, (posted) =>
      readPosted({ db, caller }, SalesInvoice, 'sales', posted),
    ),
});

export const cancel = command('POST /api/sales-invoice/cancel/{invoice_id}', {
  summary: 'Cancel a posted sales invoice',
  description:
    'Cancels an invoice that is not paid, credited or returned. Posts the opposite entry, on the date of the invoice or on a later day, and puts its goods back into stock.',
  access: SIDES.sales.states.can('cancel'),
  params: { invoice_id: idOf('sales_invoices') },
  query: { dry_run: DryRun },
  body: ReversalInput,
  reply: ok(SalesInvoice),
  faults: [HasReturns, BeforeDocument, PeriodLocked],
  handle: async ({ db, emit, caller, params, body }) => {
    await cancelInvoice({ db, emit, caller }, 'sales', params.invoice_id, { date: body.date });
    return await readOne(db, SalesInvoice, params.invoice_id, invoiceView(db, 'sales', caller));
  },
});
