import { Id, inner, input, ShortText, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { invoiceFacts, invoiceShown, LineChanges, Summary } from '../documents/document.schema.ts';
import { effects } from '../invoices/invoice.view.ts';

/** Sales invoice: an amount that a customer owes. */
export const SalesInvoice = record({
  ...invoiceShown,
  customer_id: Id,
  proposal_id: Id.nullable(),
  sales_order_id: Id.nullable(),
  external_id: inner(z.string().nullable()),
  agent_id: inner(Id.nullable().describe('ID of the agent who earns the commission.')),
  allow_over_invoicing: inner(z.boolean().describe('Whether the invoice can exceed the ordered quantities.')),
  customer: Summary.nullable().optional(),
}).meta({ id: 'SalesInvoice' });

export const PostedSalesInvoice = SalesInvoice.extend({
  effects: effects.describe('Effects of posting. In a dry run, the expected effects.'),
}).meta({ id: 'PostedSalesInvoice' });

export const SalesInvoiceFilter = list(SalesInvoice, {
  filter: [
    ...(['number', 'status', 'customer_id', 'invoice_date', 'due_date', 'currency', 'total', 'warehouse_id'] as const),
    ...(['reference', 'proposal_id', 'sales_order_id', 'external_id', 'agent_id', 'posted_at'] as const),
    ...(['payment_status', 'balance_due', 'created_by', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'invoice_date', 'due_date', 'number', 'total'],
  search: { texts: ['number', 'reference'], through: searchedParty.customer },
  expand: ['lines', 'customer'],
});

const AllowOverInvoicing = z
  .boolean()
  .optional()
  .describe('Whether to invoice more than was ordered. Defaults to the value of the draft, initially `false`.');

const { invoice_date, lines, ...details } = invoiceFacts;
const own = { external_id: ShortText().min(1).nullable(), agent_id: refTo('agents').nullable() };
const optional = z.object({ ...details, ...own }).partial().shape;

export const SalesInvoiceInput = input({ customer_id: refTo('customers'), invoice_date, lines, ...optional });
export const SalesInvoiceChanges = input({
  customer_id: refTo('customers').optional(),
  invoice_date: invoice_date.optional(),
  lines: LineChanges.optional(),
  ...optional,
  allow_over_invoicing: AllowOverInvoicing,
  version,
});

export const SalesInvoicePosting = input({ allow_over_invoicing: AllowOverInvoicing });
