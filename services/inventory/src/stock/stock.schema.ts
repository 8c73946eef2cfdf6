import {
  BaseMoneyOut,
  BusinessDay,
  choice,
  Day,
  Id,
  input,
  Money,
  MoneyOut,
  LongText,
  QtyOut,
  record,
  refTo,
  Timestamp,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { costField } from '@suite/document-lines';
import { z } from 'zod';

/** Message for a value that is not a quantity. */
export const QUANTITY = 'Enter a quantity as a decimal string such as "2.5", with at most six decimals.';
const isZero = (text: string) => /^-?[0.]+$/.test(text);

/** Change of a quantity in a request body. Not zero. */
const SignedQuantity = z
  .string(QUANTITY)
  .regex(/^-?\d{1,12}(\.\d{1,6})?$/, QUANTITY)
  .refine((text) => !isZero(text), 'Enter a quantity other than 0.')
  .meta({ example: '-3' });

/** Unit cost in the base currency. An average can have more decimals than the currency. */
export const UnitCostOut = BaseMoneyOut.meta({ example: '5.96875' });

/** Short form of a product, as in stock records. */
export const ProductSummary = z.object({ id: Id, name: z.string(), sku: z.string() }).meta({ id: 'ProductSummary' });

/** Short form of a warehouse, as in other records. */
export const WarehouseSummary = z
  .object({ id: Id, name: z.string(), code: z.string() })
  .meta({ id: 'WarehouseSummary' });

/** Stock of a product in a warehouse. */
export const StockLevel = z
  .object({
    id: Id,
    product_id: Id,
    warehouse_id: Id,
    on_hand: QtyOut,
    reserved: QtyOut.describe('Quantity reserved for documents.'),
    incoming: QtyOut.describe('Incoming quantity: transfers from other warehouses, and approved customer returns.'),
    available: QtyOut.describe('Quantity on hand and not reserved.'),
    value: costField(MoneyOut.describe('Amount in the workspace currency.')),
    average_cost: costField(UnitCostOut),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: z.int(),
    product: ProductSummary.optional(),
    warehouse: WarehouseSummary.optional(),
  })
  .meta({ id: 'StockLevel' });

export const StockFilter = list(StockLevel, {
  filter: ['product_id', 'warehouse_id', 'value', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'value'],
  search: {
    through: {
      product_id: { table: 'products', texts: ['name', 'sku'] },
      warehouse_id: { table: 'warehouses', texts: ['name', 'code'] },
    },
  },
  expand: ['product', 'warehouse'],
});

const reason = choice('adjustment', 'opening', 'scrap');

/** Manual stock correction. */
export const StockAdjustment = record({
  product_id: Id,
  warehouse_id: Id,
  qty: QtyOut,
  unit_cost: costField(UnitCostOut),
  value: costField(MoneyOut.describe('Change of the stock value. Negative for a decrease.')),
  reason,
  note: z.string().nullable(),
  business_date: Day,
  stock: StockLevel.describe('Current stock.'),
}).meta({ id: 'StockAdjustment' });

export const AdjustmentInput = input({
  product_id: refTo('products'),
  warehouse_id: refTo('warehouses').optional().describe('Defaults to the default warehouse.'),
  qty: SignedQuantity.describe('Quantity to add. Negative to remove stock.'),
  unit_cost: Money.optional().describe('Cost per unit of added goods. Defaults to the average cost.'),
  reason: reason
    .default('adjustment')
    .describe('Reason for the adjustment. `opening` requires a positive quantity, `scrap` a negative one.'),
  note: LongText.min(1).nullable().default(null),
  business_date: BusinessDay.optional().describe('Defaults to today.'),
});
