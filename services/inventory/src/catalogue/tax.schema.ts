import { choice, Id, input, list, Name, QtyOut, record, version } from '@suite/chassis';
import { z } from 'zod';
import { Rate } from '../fields.schema.ts';

const kind = choice('percent', 'fixed');

/** A tax as documents begin with it. */
export const Tax = record({
  name: z.string(),
  rate: QtyOut.describe('Per cent, or an amount per unit when the kind is `fixed`.'),
  kind,
  inclusive: z.boolean().describe('Whether prices contain it.'),
  compound: z.boolean().describe('Whether it is computed on the net amount and the taxes before it.'),
  active: z.boolean(),
}).meta({ id: 'Tax' });

/** A tax as products show it. */
export const ProductTax = z
  .object({ id: Id, name: z.string(), rate: QtyOut, kind, inclusive: z.boolean(), compound: z.boolean() })
  .meta({ id: 'ProductTax' });

export const TaxFilter = list(Tax, {
  filter: ['name', 'kind', 'inclusive', 'compound', 'active', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

export const TaxInput = input({
  name: Name,
  rate: Rate,
  kind: kind.default('percent'),
  inclusive: z.boolean().default(false),
  compound: z.boolean().default(false),
  active: z.boolean().default(true),
});

export const TaxChanges = input({
  name: Name.optional(),
  rate: Rate.optional(),
  kind: kind.optional(),
  inclusive: z.boolean().optional(),
  compound: z.boolean().optional(),
  active: z.boolean().optional(),
  version,
});
