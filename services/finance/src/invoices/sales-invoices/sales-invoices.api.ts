/** Sales invoices to customers. Posting issues the goods and creates the ledger entries. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { printFaults } from '@suite/pdf';
import { assertAgent } from '../../commissions/agents/agent.ts';
import { cancelInvoice, HasReturns } from '../invoices/invoice-cancellation.ts';
import { fetchChangeReferences, fetchInvoiceReferences } from '../documents/lines.ts';
import { OverInvoiced } from '../agreements/over-invoicing.ts';
import { BilledTime } from '../invoices/billed-lines.ts';
import { DerivedDraft } from '../invoices/derived-draft.ts';
import { changeInvoice } from '../invoices/invoice.ts';
import { listInvoices, readInvoice, readPosted, readStored } from '../invoices/invoice.view.ts';
import { moveForInvoice } from '../invoices/invoice-goods.ts';
import { CreditLimitExceeded, postInvoice } from '../invoices/invoice-posting.ts';
import { PeriodLocked } from '../../ledger/ledger/journal.ts';
import { printInvoice } from './invoice-pdf.ts';
import { BeforeDocument } from '../../ledger/ledger/open-items.rules.ts';
import { ReversalInput } from '../../ledger/ledger/reversal.schema.ts';
import { invoicing } from '../../operations.ts';
import { InsufficientStock, StockPending } from '../../ledger/stock/saga.ts';
import { createSalesInvoice, removeSalesInvoice } from './sales-invoice.ts';
import {
  PostedSalesInvoice,
  SalesInvoice,
  SalesInvoiceChanges,
  SalesInvoiceFilter,
  SalesInvoiceInput,
  SalesInvoicePosting,
} from './sales-invoice.schema.ts';
import { SIDES } from '../documents/side.ts';

const { query, command } = invoicing;

export const list = query('GET /api/sales-invoice', {
  summary: 'List sales invoices',
  description: 'Returns invoices with totals, open amount and allowed actions. Expand `lines` and `customer`.',
  access: can('sales_invoice.view'),
  query: SalesInvoiceFilter,
  reply: page(SalesInvoice),
  handle: ({ db, query, caller }) => listInvoices(db, 'sales', caller, query),
});

export const show = query('GET /api/sales-invoice/show/{invoice_id}', {
  summary: 'Get a sales invoice',
  description:
    'Returns an invoice with lines, taxes, payments and allowed actions. Send `Accept: application/pdf` to get a PDF.',
  access: can('sales_invoice.view'),
  params: { invoice_id: idOf('sales_invoices') },
  reply: ok(SalesInvoice),
  faults: printFaults,
  handle: ({ params, ...context }) => readInvoice(context, SalesInvoice, 'sales', params.invoice_id),
  formats: { pdf: printInvoice },
});

export const create = command('POST /api/sales-invoice/create', {
  summary: 'Create a draft sales invoice',
  description:
    'Creates a draft, without a number and without posting it. Copies names, accounts and taxes of the products. Later changes to the products do not affect the draft.',
  access: can('sales_invoice.create'),
  body: SalesInvoiceInput,
  reply: created(SalesInvoice),
  prepare: ({ rpc, body }) => fetchInvoiceReferences(rpc, 'sales', body),
  handle: async ({ body, prepared, ...context }) => {
    const { customer_id: party_id, reference, notes, external_id, agent_id, ...rest } = body;
    await assertAgent(context.db, agent_id);
    const columns = { reference, notes, external_id, agent_id };
    const draft = await createSalesInvoice(context, { ...rest, ...prepared, party_id, columns });
    return await readStored(context, SalesInvoice, 'sales', draft);
  },
});

export const update = command('POST /api/sales-invoice/update/{invoice_id}', {
  summary: 'Update a draft sales invoice',
  description:
    'Updates a draft. Lines in the body replace all lines. Lines of an order or proposal keep their source: send `id`, `source_line`, or the same product or text. Prices, discounts and taxes default to the values of the order or proposal, in proportion to the quantity. Returns `derived_draft` for another customer or currency if the draft was made from a document.',
  access: SIDES.sales.states.can('update'),
  params: { invoice_id: idOf('sales_invoices') },
  body: SalesInvoiceChanges,
  reply: ok(SalesInvoice),
  faults: [StockPending, BilledTime, DerivedDraft],
  prepare: ({ params, body, ...context }) => fetchChangeReferences(context, 'sales', params.invoice_id, body),
  handle: async ({ params, body, expect, prepared, ...context }) => {
    const { customer_id: party_id, reference, notes, external_id, agent_id, version: _, ...rest } = body;
    const { allow_over_invoicing, ...facts } = rest;
    await assertAgent(context.db, agent_id);
    const columns = { reference, notes, external_id, agent_id, allow_over_invoicing };
    const fields = { ...facts, ...prepared, party_id, intents: body.lines, columns };
    await changeInvoice(context, 'sales', params.invoice_id, fields, expect);
    return await readInvoice(context, SalesInvoice, 'sales', params.invoice_id);
  },
});

export const remove = command('DELETE /api/sales-invoice/delete/{invoice_id}', {
  summary: 'Delete a draft sales invoice',
  description:
    'Deletes a draft, so that its order, proposal or time entries can be invoiced again. Returns `stock_pending` while it is being posted. Cancel posted invoices instead.',
  access: SIDES.sales.states.can('delete'),
  params: { invoice_id: idOf('sales_invoices') },
  reply: removed,
  faults: [StockPending],
  handle: ({ params, ...context }) => removeSalesInvoice(context, params.invoice_id),
});

export const post = command('POST /api/sales-invoice/post/{invoice_id}', {
  summary: 'Post a sales invoice',
  description:
    'Issues the goods, assigns the number, and posts revenue, tax, receivable and cost of goods. `?dry_run=true` returns the effects and changes nothing. Returns 409 `over_invoiced` if the invoice exceeds the ordered quantity. `allow_over_invoicing` reports it in `effects.warnings` instead. The warning `above_order` reports invoices of an order or proposal that exceed its total.',
  access: SIDES.sales.states.can('post'),
  params: { invoice_id: idOf('sales_invoices') },
  query: { dry_run: DryRun },
  body: SalesInvoicePosting,
  reply: withDateWarnings(ok(PostedSalesInvoice), { record: 'invoice_date' }),
  faults: [PeriodLocked, InsufficientStock, StockPending, CreditLimitExceeded, OverInvoiced],
  prepare: ({ caller, rpc, write, params, query, body }) =>
    moveForInvoice({ caller, rpc, write, dry_run: query.dry_run, ...body }, 'sales', params.invoice_id),
  async handle({ params, body, prepared: moved, ...context }) {
    const posted = await postInvoice(context, 'sales', { id: params.invoice_id, moved, ...body });
    return await readPosted(context, SalesInvoice, 'sales', posted);
  },
});

export const cancel = command('POST /api/sales-invoice/cancel/{invoice_id}', {
  summary: 'Cancel a posted sales invoice',
  description:
    'Cancels an invoice without payments, credits or returns. Posts the opposite entry, on the invoice date or on a later day, and returns the goods to stock.',
  addition: 'A mistaken posting or approval is reversed, never changed or deleted.',
  access: SIDES.sales.states.can('cancel'),
  params: { invoice_id: idOf('sales_invoices') },
  query: { dry_run: DryRun },
  body: ReversalInput,
  reply: withDateWarnings(ok(SalesInvoice), { body: 'date', record: 'invoice_date' }),
  faults: [HasReturns, BeforeDocument, PeriodLocked],
  handle: async ({ params, body, ...context }) => {
    await cancelInvoice(context, 'sales', params.invoice_id, { date: body.date });
    return await readInvoice(context, SalesInvoice, 'sales', params.invoice_id);
  },
});
