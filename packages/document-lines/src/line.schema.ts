/** Line fields in requests and responses, shared by all documents. */
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
} from '@suite/chassis/fields';
import { z } from 'zod';

/** Marks costs, stock values and margins. Staff see these fields only with the permission `product.cost`. */
export const costField = <S extends z.ZodType>(schema: S) => inner(schema, 'product.cost');

/** A copy of a tax from when the line was created. */
export const TaxSnapshot = z.object({
  id: Id,
  name: z.string(),
  rate: z.string(),
  kind: choice('percent', 'fixed'),
  inclusive: z.boolean(),
  compound: z.boolean(),
});
export type TaxSnapshot = z.output<typeof TaxSnapshot>;

/** Position of a line in its document, and its product at the time of writing. */
export const productFields = {
  id: Id,
  position: z.int().describe('Zero-based position.'),
  product_id: Id.nullable().describe('ID of the product. `null` for free text.'),
  product_name: z.string().nullable(),
  sku: z.string().nullable(),
};

/** Agreed quantity and price of a line. */
export const priceFields = {
  unit_name: z.string().nullable(),
  description: z.string().nullable(),
  qty: QtyOut,
  unit_price: MoneyOut,
  discount: Discount.nullable(),
};

/** Amounts of a document, without its currency. Every amount is exactly the sum over its lines. */
export const totalFields = {
  subtotal: MoneyOut.describe('Sum of quantity times price of all lines, before any discount.'),
  discount_total: MoneyOut,
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut.describe('Total amount including tax.'),
};

/** The discount of a document in responses. */
export const documentDiscount = Discount.nullable().describe(
  'Discount on the whole document, distributed over its lines before tax.',
);

/** Maximum number of lines in a document. */
export const LINES_MAX = 200;
/** Maximum number of taxes on a line. */
export const TAXES_MAX = 10;

/**
 * Returns the schema of a line in a body.
 * @param id the name of the schema in the API docs
 * @param price the default price of a line: `sale price`
 */
export const lineInput = (id: string, price: string) =>
  z
    .strictObject({
      product_id: foreignId('inventory.product')
        .nullable()
        .optional()
        .describe('ID of a product or service. Omit it for a line of free text.'),
      description: LongText.min(1)
        .max(2_000)
        .nullable()
        .optional()
        .describe('Description of the line. Required without a product.'),
      unit_name: ShortText(20)
        .min(1)
        .nullable()
        .optional()
        .describe('Unit of the quantity of a line without a product, such as `h`. Products have their own unit.')
        .meta({ example: 'h' }),
      qty: Qty,
      unit_price: Money.optional().describe(
        `Price per unit. Defaults to the ${price} of the product. Required without a product.`,
      ),
      discount: Discount.nullable().optional(),
      tax_ids: z
        .array(foreignId('inventory.tax'))
        .max(TAXES_MAX)
        .optional()
        .describe('Defaults to the taxes of the product.'),
    })
    .meta({ id });
export type LineInput = z.output<ReturnType<typeof lineInput>>;

/** Returns the schema of a document's lines in a body. */
export const linesInput = <Line extends ReturnType<typeof lineInput>>(line: Line) =>
  z.array(line).min(1).max(LINES_MAX);
