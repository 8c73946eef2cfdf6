/** What quotes, orders and proposals have in common: lines, and what they come to. */
import {
  choice,
  Currency,
  Discount,
  Id,
  idCheckedBy,
  input,
  Money,
  MoneyOut,
  Paragraph,
  Qty,
  QtyOut,
  version,
} from '@suite/chassis';
import { z } from 'zod';

const Amount = MoneyOut.meta({ example: '100.00' });

/** A tax as inventory had it when the line was written, and what it comes to. */
export const LineTax = z
  .object({
    id: Id,
    name: z.string(),
    rate: z.string(),
    kind: choice('percent', 'fixed'),
    inclusive: z.boolean(),
    compound: z.boolean(),
    base: Amount,
    amount: MoneyOut,
  })
  .meta({ id: 'SalesLineTax' });

const line = {
  id: Id,
  position: z.int().describe('From 0.'),
  product_id: Id.nullable().describe('Null for free text.'),
  product_name: z.string().nullable(),
  sku: z.string().nullable(),
  unit_id: Id.nullable(),
  unit_name: z.string().nullable(),
  description: z.string().nullable(),
  qty: QtyOut,
  unit_price: MoneyOut,
  discount: Discount.nullable(),
  tax_ids: z.array(Id),
  taxes: z.array(LineTax),
  net: Amount,
  tax: Amount,
  total: MoneyOut,
};

/** A line of a quote or a proposal. The product and its taxes are shown as they were when the line was written. */
export const SalesLine = z.object(line).meta({ id: 'SalesLine' });

/** A line of an order, with how far it has come. */
export const OrderLine = z
  .object({ ...line, qty_delivered: QtyOut, qty_invoiced: QtyOut, reserved_qty: QtyOut })
  .meta({ id: 'SalesOrderLine' });

const LineInput = z
  .strictObject({
    product_id: idCheckedBy('inventory')
      .nullable()
      .optional()
      .describe('A product or service of inventory; free text without.'),
    description: Paragraph.min(1).max(2_000).nullable().optional().describe('Needed without a product.'),
    qty: Qty,
    unit_price: Money.optional().describe('The sale price of the product otherwise; needed without a product.'),
    discount: Discount.nullable().optional(),
    tax_ids: z.array(idCheckedBy('inventory')).max(10).optional().describe('The taxes of the product otherwise.'),
  })
  .meta({ id: 'SalesLineInput' });

const LINES_MAX = 200;

/** What is sold, as bodies name it. An update replaces all lines. */
export const Lines = z.array(LineInput).min(1).max(LINES_MAX);
export type LineInput = z.output<typeof LineInput>;

/** What a document comes to. Every figure is exactly the sum of its lines. */
export const totals = {
  discount: Discount.nullable().describe('On the whole document, spread over its lines before tax.'),
  subtotal: MoneyOut.describe('Quantity times price of all lines, before any discount.'),
  discount_total: MoneyOut.describe('What the lines and the document are discounted by.'),
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut.describe('Net and tax.'),
};

/** What may be said of the money in a document. */
export const pricing = {
  currency: Currency.optional().describe("The customer's currency otherwise."),
  discount: Discount.nullable().optional(),
};

/** What this caller may do with a record in its present state. */

/** What is said of a document on which something is done: which version of it the caller has seen. */
export const Seen = input({ version });
