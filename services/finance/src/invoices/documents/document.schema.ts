/** Fields shared by invoices, returns and notes: lines and totals. */
import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Discount,
  Id,
  idCheckedBy,
  foreignId,
  inner,
  ShortText,
  BaseMoneyOut,
  MoneyOut,
  LongText,
  QtyOut,
  Timestamp,
} from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import {
  priceFields,
  costField,
  documentDiscount,
  lineInput,
  LINES_MAX,
  linesInput,
  productFields,
  totalFields,
  TaxSnapshot,
} from '@suite/document-lines';
import { LINES_TOO_LONG, linesFit } from '@suite/pdf';
import { z } from 'zod';
import { Rate } from '../../ledger/ledger/rate.schema.ts';
import { SIDES } from './side.ts';

/** Tax as inventory returned it when the line was written, with its amount. */
export const LineTax = TaxSnapshot.extend({ base: MoneyOut, amount: MoneyOut }).meta({ id: 'InvoiceLineTax' });

/** Amounts of a line. */
export const figures = { net: MoneyOut, tax: MoneyOut, total: MoneyOut, taxes: z.array(LineTax) };

/** Source of an invoice line. */
const SourceLine = z
  .object({
    type: choice('sales_order', 'proposal', 'time').describe('Type of the source.'),
    id: Id.describe('ID of the order or proposal line, or of the billing run.'),
  })
  .meta({ id: 'InvoiceSourceLine' });

/** Line of an invoice. Shows the product and its taxes as of the time of writing. */
export const InvoiceLine = z
  .object({
    ...productFields,
    ...priceFields,
    ...figures,
    cost: costField(BaseMoneyOut.nullable().describe('Cost of the goods in base currency. `null` until they move.')),
    returned_qty: QtyOut.describe('Quantity of approved returns.'),
    source_line: inner(
      SourceLine.nullable().describe('Order line, proposal line or billing run that this line bills. `null` for none.'),
    ),
  })
  .meta({ id: 'InvoiceLine' });

const SourceInput = z.strictObject({
  type: choice('sales_order', 'proposal').describe('Type of the source.'),
  id: idCheckedBy('agreed-links.rules.ts: a line of the agreement').describe('ID of the order or proposal line.'),
});

/** Lines in a request body. An update replaces all lines. */
export const Lines = linesInput(lineInput('InvoiceLineInput', 'price')).refine(linesFit, LINES_TOO_LONG);

/** Lines that replace the lines of a draft. Each can name the line that it replaces, or the line that it bills. */
export const LineChanges = z
  .array(
    lineInput('InvoiceLineInput', 'price')
      .extend({
        id: idCheckedBy('agreed-links.rules.ts: a line of this draft')
          .optional()
          .describe('ID of an existing line of this draft. The line keeps its ID and its source line.'),
        source_line: SourceInput.nullable()
          .optional()
          .describe(
            'Line of the order or proposal that this line bills. Defaults to the source of `id`, or of the line with the same product or text. `null` for a line outside the order.',
          ),
      })
      .meta({ id: 'InvoiceLineChange' }),
  )
  .min(1)
  .max(LINES_MAX)
  .refine(linesFit, LINES_TOO_LONG);

/** Totals of a document. Every total is exactly the sum of its lines. */
export const totals = {
  currency: Currency,
  rate: z.string().describe('Exchange rate to the base currency, fixed at posting.'),
  ...totalFields,
  base_total: BaseMoneyOut.describe('Total in base currency.'),
};

/** Unfinished requests to other services. */
export const pending_effects = inner(
  z
    .array(choice('issue_stock', 'receive_stock', 'reverse_stock'))
    .describe('Requests to inventory that are not confirmed yet.'),
);

export const Summary = z.object({ id: Id, code: z.string(), name: z.string() });

/** Fields shared by sales and purchase invoices. */
export const invoiceShown = {
  number: z.string().nullable().describe('`null` before posting.'),
  status: choice('draft', 'posted', 'partially_paid', 'paid', 'credited', 'cancelled'),
  invoice_date: Day,
  due_date: Day.describe('Invoice date plus the payment days of the customer or vendor.'),
  warehouse_id: inner(Id.nullable().describe('ID of the warehouse of the goods. `null` without goods.')),
  reference: z.string().nullable(),
  notes: z.string().nullable(),
  discount: documentDiscount,
  ...totals,
  paid: MoneyOut,
  credited: MoneyOut,
  balance_due: MoneyOut,
  payment_status: choice('unpaid', 'partial', 'paid', 'credited'),
  is_overdue: z.boolean(),
  days_overdue: z.int(),
  journal_id: inner(Id.nullable()),
  posted_by: inner(Id.nullable()),
  posted_at: Timestamp.nullable(),
  pending_effects,
  allowed_actions: Actions(SIDES.sales.states),
  lines: z.array(InvoiceLine).optional(),
};

/** Request fields shared by sales and purchase invoices. */
export const invoiceFacts = {
  invoice_date: BusinessDay,
  currency: Currency.describe('Defaults to the currency of the customer or vendor.'),
  rate: Rate.describe('Exchange rate: base currency per unit. Required for foreign currencies.'),
  warehouse_id: foreignId('inventory.warehouse').nullable().describe('Defaults to the default warehouse.'),
  reference: ShortText().min(1).nullable(),
  notes: LongText.nullable(),
  discount: Discount.nullable(),
  lines: Lines,
};

/** Stock movement of a command, including in a dry run. */
export const StockMove = z.object({
  line_id: Id,
  product_id: Id,
  warehouse_id: Id,
  direction: choice('issue', 'receipt'),
  qty: QtyOut,
  cost: costField(BaseMoneyOut),
});
