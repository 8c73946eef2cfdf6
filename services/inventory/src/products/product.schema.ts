import {
  choice,
  Id,
  foreignId,
  inner,
  input,
  ShortText,
  Money,
  MoneyOut,
  Name,
  LongText,
  QtyOut,
  record,
  refTo,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { costField } from '@suite/document-lines';
import { z } from 'zod';
import { CategorySummary } from '../catalogue/category.schema.ts';
import { ProductTax } from '../catalogue/tax.schema.ts';
import { UnitSummary } from '../catalogue/unit.schema.ts';
import { QUANTITY, UnitCostOut, WarehouseSummary } from '../stock/stock.schema.ts';
import { productStates } from './product.rules.ts';

/** Quantity threshold, zero or more. */
const Threshold = z
  .string(QUANTITY)
  .regex(/^\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .meta({ example: '5' });

const type = choice('product', 'service');

/** Stock of a product in one warehouse. */
const StockShare = z
  .object({
    warehouse: WarehouseSummary,
    on_hand: QtyOut,
    reserved: QtyOut,
    available: QtyOut,
    value: costField(MoneyOut),
    average_cost: costField(UnitCostOut),
  })
  .meta({ id: 'ProductStock' });

/** Product or service that is bought and sold. */
export const Product = record({
  external_id: inner(z.string().nullable()),
  name: z.string(),
  sku: z.string(),
  type,
  category_id: Id.nullable(),
  unit_id: Id.nullable(),
  sale_price: MoneyOut.describe('Sales price per unit, in the workspace currency.'),
  purchase_price: costField(MoneyOut),
  tax_ids: z.array(Id).describe('IDs of the default taxes of the product in documents, in order of application.'),
  description: z.string().nullable(),
  barcode: z.string().nullable(),
  image_url: z
    .string()
    .nullable()
    .describe('Link to the image. No token required. Expires after one to three hours. `null` without an image.'),
  image_thumbnail_url: z.string().nullable(),
  track_stock: z.boolean(),
  allow_negative: z.boolean().describe('Whether stock can become negative.'),
  reorder_level: inner(QtyOut.nullable()),
  income_account_id: inner(Id.nullable()),
  expense_account_id: inner(Id.nullable()),
  stock_account_id: inner(Id.nullable()),
  active: z.boolean(),
  total_on_hand: inner(QtyOut),
  total_available: inner(QtyOut),
  stock_value: costField(MoneyOut),
  average_cost: costField(UnitCostOut),
  allowed_actions: Actions(productStates),
  category: CategorySummary.nullable().optional(),
  unit: UnitSummary.nullable().optional(),
  taxes: z.array(ProductTax).optional(),
  stock: inner(z.array(StockShare)),
}).meta({ id: 'Product' });

/** Product with all its details. */
export const ProductDetails = Product.required({ category: true, unit: true, taxes: true, stock: true }).meta({
  id: 'ProductDetails',
});

export const ProductFilter = list(Product, {
  filter: [
    ...(['external_id', 'name', 'sku', 'type', 'category_id', 'unit_id', 'sale_price', 'purchase_price'] as const),
    ...(['barcode', 'track_stock', 'active', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'name', 'sku', 'sale_price'],
  search: true,
  expand: ['category', 'unit', 'taxes', 'stock'],
});

/** Short form of a product, for pickers. */
export const ProductChoice = z
  .object({
    id: Id,
    name: z.string(),
    sku: z.string(),
    type,
    barcode: z.string().nullable(),
    unit: z.string().nullable().describe("Symbol of the product's unit."),
    category_id: Id.nullable(),
    sale_price: MoneyOut,
    purchase_price: costField(MoneyOut),
    tax_ids: z.array(Id),
    track_stock: z.boolean(),
    total_available: inner(QtyOut),
    created_at: Product.shape.created_at,
    updated_at: Product.shape.updated_at,
  })
  .meta({ id: 'ProductChoice' });

export const ChoiceFilter = list(ProductChoice, {
  filter: ['name', 'sku', 'type', 'barcode', 'category_id', 'track_stock', 'created_at', 'updated_at'],
  sort: ['name', 'sku', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

const Sku = ShortText(64).min(1).meta({ example: 'CHR-010' });
const facts = {
  category_id: refTo('categories').nullable(),
  unit_id: refTo('units').nullable(),
  sale_price: Money,
  purchase_price: Money,
  tax_ids: z.array(refTo('taxes')).max(10),
  description: LongText.min(1).nullable(),
  barcode: ShortText(64).min(1).nullable().meta({ example: '4006381333931' }),
  track_stock: z
    .boolean()
    .describe('Whether stock is tracked. Defaults to `true` for products and `false` for services.'),
  allow_negative: z.boolean(),
  reorder_level: Threshold.nullable(),
  income_account_id: foreignId('finance.gl_account')
    .nullable()
    .describe('ID of the finance account that replaces the default account.'),
  expense_account_id: foreignId('finance.gl_account').nullable(),
  stock_account_id: foreignId('finance.gl_account').nullable(),
};
const optional = z.object(facts).partial().shape;

export const ProductInput = input({
  name: Name,
  sku: Sku,
  type: type.default('product'),
  ...optional,
  external_id: ShortText().min(1).nullable().optional(),
});

export const ProductChanges = input({
  name: Name.optional(),
  sku: Sku.optional(),
  type: type.optional(),
  ...optional,
  active: z.boolean().optional(),
  version,
});

export type ProductInput = z.output<typeof ProductInput>;
export type ProductChanges = z.output<typeof ProductChanges>;
