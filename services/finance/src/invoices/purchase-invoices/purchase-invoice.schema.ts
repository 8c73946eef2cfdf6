import { BusinessDay, Day, Id, inner, input, ShortText, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { lineInput, linesInput } from '@suite/document-lines';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { InvoiceLine, invoiceFacts, invoiceShown, Summary } from '../documents/document.schema.ts';
import { SIDES } from '../documents/side.ts';
import { effects } from '../invoices/invoice.view.ts';

/** Purchase invoice line, with the account that it is posted to. */
const PurchaseInvoiceLine = InvoiceLine.extend({
  account_id: inner(
    Id.nullable().describe(
      'ID of the account that the line is posted to. `null` for stock items, which are posted to stock.',
    ),
  ),
}).meta({ id: 'PurchaseInvoiceLine' });

/** Purchase invoice line in a request body. */
const PurchaseInvoiceLineInput = lineInput('InvoiceLineInput', 'price')
  .extend({
    account_id: refTo('gl_accounts')
      .nullable()
      .optional()
      .describe(
        'ID of the expense or asset account that the line is posted to, such as freight or equipment. Defaults to the expense account of the product. A line without a product defaults to the account of the vendor, and then to "Purchased services". Not allowed for stock items.',
      ),
  })
  .meta({ id: 'PurchaseInvoiceLineInput' });

/** Purchase invoice: an amount payable to a vendor. */
export const PurchaseInvoice = record({
  ...invoiceShown,
  allowed_actions: Actions(SIDES.purchase.states),
  reference: inner(invoiceShown.reference.describe('Your own reference. Vendors do not see it.')),
  notes: inner(invoiceShown.notes.describe('Internal notes. Vendors do not see them.')),
  lines: z.array(PurchaseInvoiceLine).optional(),
  vendor_id: Id,
  vendor_reference: z.string().nullable().describe('Bill number of the vendor. Unique per vendor.'),
  received_date: Day.nullable().describe('Date on which the goods arrived.'),
  vendor: Summary.nullable().optional(),
}).meta({ id: 'PurchaseInvoice' });

export const PostedPurchaseInvoice = PurchaseInvoice.extend({
  effects: effects.describe('Effects of posting. In a dry run, the expected effects.'),
}).meta({ id: 'PostedPurchaseInvoice' });

export const PurchaseInvoiceFilter = list(PurchaseInvoice, {
  filter: [
    ...(['number', 'status', 'vendor_id', 'invoice_date', 'due_date', 'currency', 'total', 'warehouse_id'] as const),
    ...(['reference', 'vendor_reference', 'received_date', 'posted_at'] as const),
    ...(['payment_status', 'balance_due', 'created_by', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'invoice_date', 'due_date', 'number', 'total'],
  search: { texts: ['number', 'reference', 'vendor_reference'], through: searchedParty.vendor },
  expand: ['lines', 'vendor'],
});

const { invoice_date, lines: _, ...details } = invoiceFacts;
const lines = linesInput(PurchaseInvoiceLineInput);
const own = { vendor_reference: ShortText(100).min(1).nullable(), received_date: BusinessDay.nullable() };
const optional = z.object({ ...details, ...own }).partial().shape;

export const PurchaseInvoiceInput = input({ vendor_id: refTo('vendors'), invoice_date, lines, ...optional });
export const PurchaseInvoiceChanges = input({
  vendor_id: refTo('vendors').optional(),
  invoice_date: invoice_date.optional(),
  lines: lines.optional(),
  ...optional,
  version,
});
