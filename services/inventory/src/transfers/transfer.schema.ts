import {
  BusinessDay,
  choice,
  Day,
  Id,
  input,
  BaseMoneyOut,
  MoneyOut,
  LongText,
  Qty,
  QtyOut,
  record,
  refTo,
  Timestamp,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { costField } from '@suite/document-lines';
import { z } from 'zod';
import { ProductSummary, UnitCostOut, WarehouseSummary } from '../stock/stock.schema.ts';
import { transferStates } from './transfer.rules.ts';

const TransferLine = z
  .object({
    id: Id,
    product_id: Id,
    product: ProductSummary,
    qty: QtyOut,
    unit_cost: costField(UnitCostOut),
    value: costField(MoneyOut),
  })
  .meta({ id: 'TransferLine' });

/** Transfer of goods between warehouses. */
export const Transfer = record({
  number: z.string(),
  from_warehouse_id: Id,
  to_warehouse_id: Id,
  date: Day,
  note: z.string().nullable(),
  status: choice('draft', 'in_transit', 'completed', 'cancelled', 'reversed'),
  reversed_at: Timestamp.nullable(),
  line_count: z.int(),
  value: costField(BaseMoneyOut.describe('Cost of the goods in base currency.')),
  allowed_actions: Actions(transferStates),
  from_warehouse: WarehouseSummary.optional(),
  to_warehouse: WarehouseSummary.optional(),
  lines: z.array(TransferLine).optional(),
}).meta({ id: 'Transfer' });

/** Transfer with all its details. */
export const TransferDetails = Transfer.required({ from_warehouse: true, to_warehouse: true, lines: true }).meta({
  id: 'TransferDetails',
});

export const TransferFilter = list(Transfer, {
  filter: ['number', 'from_warehouse_id', 'to_warehouse_id', 'date', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'date', 'number'],
  search: {
    texts: ['number', 'note'],
    through: {
      from_warehouse_id: { table: 'warehouses', texts: ['name', 'code'] },
      to_warehouse_id: { table: 'warehouses', texts: ['name', 'code'] },
    },
  },
  expand: ['from_warehouse', 'to_warehouse', 'lines'],
});

export const TransferInput = input({
  from_warehouse_id: refTo('warehouses'),
  to_warehouse_id: refTo('warehouses'),
  date: BusinessDay.optional().describe('Defaults to today.'),
  note: LongText.min(1).nullable().default(null),
  lines: z
    .array(input({ product_id: refTo('products'), qty: Qty }))
    .min(1, 'Add at least one product.')
    .max(200),
});

export const FormRequest = input({
  from_warehouse_id: Id.optional().describe('Limits the result to stock of this warehouse.'),
});

/** Options for a transfer form. */
export const TransferForm = z
  .object({
    today: Day,
    warehouses: z.array(WarehouseSummary.extend({ is_default: z.boolean() })),
    products: z
      .array(
        ProductSummary.extend({
          unit: z.string().nullable(),
          stock: z.array(z.object({ warehouse_id: refTo('warehouses'), available: QtyOut })),
        }),
      )
      .describe('Products with available stock by name, at most 500.'),
  })
  .meta({ id: 'TransferForm' });
