import { input, ShortText, MoneyOut, Name, Phone, record, version, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { costField } from '@suite/document-lines';
import { z } from 'zod';
import { warehouseStates } from './warehouse.rules.ts';

/** Warehouse that stores goods. */
export const Warehouse = record({
  name: z.string(),
  code: z.string(),
  address: z.string().nullable(),
  city: z.string().nullable(),
  zip: z.string().nullable(),
  phone: z.string().nullable(),
  is_default: z.boolean(),
  active: z.boolean(),
  product_count: z.int().describe('Number of products in stock.'),
  stock_value: costField(MoneyOut.describe('Amount in the workspace currency.')),
  allowed_actions: Actions(warehouseStates),
}).meta({ id: 'Warehouse' });

export const WarehouseFilter = list(Warehouse, {
  filter: ['name', 'code', 'city', 'is_default', 'active', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name', 'code'],
  search: true,
});

const Code = ShortText(20)
  .regex(/^[\w.-]+$/, 'Use only alphanumeric characters, dots, hyphens and underscores.')
  .meta({ example: 'MAIN' });
const facts = {
  address: LongText.max(500).min(1).nullable().optional(),
  city: ShortText().min(1).nullable().optional(),
  zip: ShortText(20).min(1).nullable().optional(),
  phone: Phone.nullable().optional(),
};
const is_default = z
  .literal(true)
  .optional()
  .describe('Whether the warehouse is the default. Replaces the previous default.');

export const WarehouseInput = input({ name: Name, code: Code, ...facts, is_default });

export const WarehouseChanges = input({
  name: Name.optional(),
  code: Code.optional(),
  ...facts,
  is_default,
  active: z.boolean().optional(),
  version,
});
