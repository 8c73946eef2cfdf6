/** The transfer of agreed lines to a draft invoice, with one schema for the sending and the receiving service. */
import { Discount, Id, Money, Qty } from '@suite/chassis/fields';
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import { z } from 'zod';
import { type DraftLine, productNames } from './draft-line.ts';
import { TaxSnapshot, TAXES_MAX } from './line.schema.ts';

type Agreed = Pick<
  DraftLine,
  'product_id' | 'product_name' | 'unit_name' | 'description' | 'qty' | 'unit_price' | 'discount' | 'taxes'
>;

/**
 * Returns agreed lines as finance accepts them: with the prices and taxes of their document.
 * @param type `sales_order` or `proposal`, for lines with the ID that the invoice refers to
 */
export const toDraftInvoice = (
  lines: readonly (Agreed & { id?: string })[],
  type?: 'sales_order' | 'proposal',
): CreateDraftInvoiceRequest['lines'] =>
  lines.map((line) => ({
    product_id: line.product_id ?? '',
    description: line.description ?? line.product_name ?? '',
    // The product determines its unit.
    unit_name: line.product_id ? '' : (line.unit_name ?? ''),
    qty: line.qty,
    unit_price: line.unit_price,
    discount: line.discount ?? undefined,
    source: type && line.id ? { type, id: line.id } : undefined,
    taxes: line.taxes.map(({ id: tax_id, name, rate, kind, inclusive, compound }) => {
      return { tax_id, name, rate, kind, inclusive, compound };
    }),
  }));

const { id: tax_id, ...tax } = TaxSnapshot.shape;

/** A line of a request for a draft invoice. */
export const DraftInvoiceLine = z.object({
  product_id: Id.or(z.literal('')),
  description: z.string().max(10_000),
  // Absent unless a name is sent. Keys of requests from before this field therefore keep their fingerprint.
  unit_name: z
    .string()
    .max(50)
    .transform((name) => name || undefined)
    .optional(),
  qty: Qty,
  unit_price: Money,
  discount: Discount.optional(),
  taxes: z.array(z.object({ tax_id, ...tax })).max(TAXES_MAX),
  source: z.object({ type: z.enum(['time', 'sales_order', 'proposal']), id: Id }).optional(),
});

/** Returns a line as sent, without the names of its product. */
export const fromDraftInvoice = ({
  product_id,
  description,
  unit_name,
  discount,
  taxes,
  source: _,
  ...line
}: z.output<typeof DraftInvoiceLine>): DraftLine => ({
  ...productNames(undefined),
  ...line,
  product_id: product_id || null,
  description: description || null,
  unit_name: unit_name ?? null,
  discount: discount ?? null,
  taxes: taxes.map(({ tax_id: id, ...one }) => ({ id, ...one })),
});
