/** What was sold, as finance takes it for a draft invoice: prices and taxes as they were agreed. */
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import type { z } from 'zod';
import type { SalesLine } from './document.schema.ts';

type Agreed = Pick<
  z.output<typeof SalesLine>,
  'product_id' | 'product_name' | 'description' | 'qty' | 'unit_price' | 'discount' | 'taxes'
>;

/** The lines of a document as finance takes them. */
export const drafted = (lines: readonly Agreed[]): CreateDraftInvoiceRequest['lines'] =>
  lines.map((line) => ({
    product_id: line.product_id ?? '',
    description: line.description ?? line.product_name ?? '',
    qty: line.qty,
    unit_price: line.unit_price,
    discount: line.discount ?? undefined,
    taxes: line.taxes.map(({ id, name, rate, kind, inclusive, compound }) => ({
      ...{ tax_id: id, name, rate, kind, inclusive, compound },
    })),
  }));
