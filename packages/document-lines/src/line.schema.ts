/** Lines on the wire: the fields that bodies and answers of all documents share. */
import {
  choice,
  Discount,
  Id,
  foreignId,
  inner,
  Money,
  MoneyOut,
  LongText,
  Qty,
  QtyOut,
  ShortText,
} from '@suite/chassis';
import { z } from 'zod';

/** Marks what goods cost, what they are worth, and margins. Staff see these fields only with the permission `product.cost`. */
export const costField = <S extends z.ZodType>(schema: S) => inner(schema, 'product.cost');

/** A tax as inventory had it when the line was written. */
export const TaxSnapshot = z.object({
  id: Id,
  name: z.string(),
  rate: z.string(),
  kind: choice('percent', 'fixed'),
  inclusive: z.boolean(),
  compound: z.boolean(),
});
export type TaxSnapshot = z.output<typeof TaxSnapshot>;

/** The place of a line in its document, and its product as it was when the line was written. */
export const productFields = {
  id: Id,
  position: z.int().describe('Zero-based position.'),
  product_id: Id.nullable().describe('ID of the product. `null` for free text.'),
  product_name: z.string().nullable(),
  sku: z.string().nullable(),
};

/** The quantity and the price of a line, as they were agreed. */
export const agreedFields = {
  unit_name: z.string().nullable(),
  description: z.string().nullable(),
  qty: QtyOut,
  unit_price: MoneyOut,
  discount: Discount.nullable(),
};

/** The figures of a document but for its currency. Every one is exactly the sum of its lines'. */
export const sums = {
  subtotal: MoneyOut.describe('Quantity times price of all lines, before any discount.'),
  discount_total: MoneyOut,
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut.describe('Net and tax.'),
};

/** The discount of a document, as answers show it. */
export const documentDiscount = Discount.nullable().describe(
  'On the whole document, spread over its lines before tax.',
);

/** A document has at most so many lines. */
export const LINES_MAX = 200;
/** A line has at most so many taxes. */
export const TAXES_MAX = 10;

/**
 * A line as bodies name it.
 * @param id the name of the schema in the public documents
 * @param price the price that a line has without one of its own: `sale price`
 */
export const lineInput = (id: string, price: string) =>
  z
    .strictObject({
      product_id: foreignId('inventory.product')
        .nullable()
        .optional()
        .describe('ID of a product or service. Omit it for a line of free text.'),
      description: LongText.min(1).max(2_000).nullable().optional().describe('Needed without a product.'),
      unit_name: ShortText(20)
        .min(1)
        .nullable()
        .optional()
        .describe('Unit of the quantity of a line without a product, such as `h`. Products have a unit of their own.')
        .meta({ example: 'h' }),
      qty: Qty,
      unit_price: Money.optional().describe(`The ${price} of the product otherwise; needed without a product.`),
      discount: Discount.nullable().optional(),
      tax_ids: z
        .array(foreignId('inventory.tax'))
        .max(TAXES_MAX)
        .optional()
        .describe('Defaults to the taxes of the product.'),
    })
    .meta({ id });
export type LineInput = z.output<ReturnType<typeof lineInput>>;

/** The lines of a document, as bodies name them. */
export const linesInput = <Line extends ReturnType<typeof lineInput>>(line: Line) =>
  z.array(line).min(1).max(LINES_MAX);
