import { choice, Id, input, Name, QtyOut, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { taxActions } from './catalogue.rules.ts';

/** Rate: a percentage or an amount per unit. */
const Rate = z
  .string('Enter a rate as a decimal string such as "19".')
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'Enter a rate as a decimal string such as "19", with at most six decimals.')
  .meta({ example: '19' });

const kind = choice('percent', 'fixed');

/** Tax that new documents copy. */
export const Tax = record({
  name: z.string(),
  rate: QtyOut.describe('Rate in percent, or an amount per unit if `kind` is `fixed`.'),
  kind,
  inclusive: z.boolean().describe('Whether prices include the tax.'),
  compound: z.boolean().describe('Whether the tax applies to the net amount plus the previous taxes.'),
  active: z.boolean(),
  allowed_actions: Actions(taxActions),
}).meta({ id: 'Tax' });

/** Short form of a tax, as in products. */
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
