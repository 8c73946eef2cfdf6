/** Fields that invoices, returns and notes share on the wire: lines and totals. */
import {
  Actions,
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
} from '@suite/chassis';
import {
  agreedFields,
  costField,
  documentDiscount,
  lineInput,
  LINES_MAX,
  linesInput,
  productFields,
  sums,
  TaxSnapshot,
} from '@suite/document-lines';
import { z } from 'zod';
import { Rate } from '../ledger/rate.schema.ts';
import { SIDES } from './kind.ts';

/** A tax as inventory had it when the line was written, with its amount. */
export const LineTax = TaxSnapshot.extend({ base: MoneyOut, amount: MoneyOut }).meta({ id: 'InvoiceLineTax' });

/** The figures of a line. */
export const figures = { net: MoneyOut, tax: MoneyOut, total: MoneyOut, taxes: z.array(LineTax) };

/** The source of an invoice line. */
const SourceLine = z
  .object({
    type: choice('sales_order', 'proposal', 'time').describe('Kind of the source.'),
    id: Id.describe('ID of the order or proposal line, or of the billing run.'),
  })
  .meta({ id: 'InvoiceSourceLine' });

/** A line of an invoice. The product and its taxes are shown as they were when it was written. */
export const InvoiceLine = z
  .object({
    ...productFields,
    ...agreedFields,
    ...figures,
    cost: costField(BaseMoneyOut.nullable().describe('Cost of the goods in base currency. `null` until they move.')),
    returned_qty: QtyOut.describe('Quantity of approved returns.'),
    source_line: inner(
      SourceLine.nullable().describe('The line or billing run that this line bills. `null` for none.'),
    ),
  })
  .meta({ id: 'InvoiceLine' });

const SourceInput = z.strictObject({
  type: choice('sales_order', 'proposal').describe('Kind of the source.'),
  id: idCheckedBy('agreed-links.rules.ts: a line of the agreement').describe('ID of the order or proposal line.'),
});

/** Lines, as bodies name them. An update replaces all of them. */
export const Lines = linesInput(lineInput('InvoiceLineInput', 'price'));

/** Lines that replace those of a draft: each can name the line that it replaces, or the line that it bills. */
export const LineChanges = z
  .array(
    lineInput('InvoiceLineInput', 'price')
      .extend({
        id: idCheckedBy('agreed-links.rules.ts: a line of this draft')
          .optional()
          .describe('ID of a line of this draft, which keeps its ID and its source line.'),
        source_line: SourceInput.nullable()
          .optional()
          .describe(
            'Line of the order or proposal that this line bills. Defaults to the source of `id`, or of the line with the same product or text. `null` bills nothing of the order.',
          ),
      })
      .meta({ id: 'InvoiceLineChange' }),
  )
  .min(1)
  .max(LINES_MAX);

/** The totals of a document. Every figure is exactly the sum of its lines'. */
export const totals = {
  currency: Currency,
  rate: z.string().describe('Exchange rate to the base currency, fixed at posting.'),
  ...sums,
  base_total: BaseMoneyOut.describe('The total in base currency.'),
};

/** Requests to other services that are not finished yet. */
export const pending_effects = inner(
  z
    .array(choice('issue_stock', 'receive_stock', 'reverse_stock'))
    .describe('Requests to inventory that are not confirmed yet.'),
);

export const Summary = z.object({ id: Id, code: z.string(), name: z.string() });

/** The fields that sales and purchase invoices share. */
export const invoiceShown = {
  number: z.string().nullable().describe('Given at posting.'),
  status: choice('draft', 'posted', 'partially_paid', 'paid', 'credited', 'cancelled'),
  invoice_date: Day,
  due_date: Day.describe('The invoice date and the days that the party has to pay.'),
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

/** The fields of a body that sales and purchase invoices share. */
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

/** The effects of a command, as a dry run shows them. */
export const StockMove = z.object({
  line_id: Id,
  product_id: Id,
  warehouse_id: Id,
  direction: choice('issue', 'receipt'),
  qty: QtyOut,
  cost: costField(BaseMoneyOut),
});
