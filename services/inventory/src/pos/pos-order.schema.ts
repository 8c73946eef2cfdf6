import {
  Discount,
  choice,
  Currency,
  Day,
  Id,
  input,
  Line,
  list,
  Money,
  MoneyOut,
  Paragraph,
  Qty,
  QtyOut,
  record,
  Timestamp,
} from '@suite/chassis';
import { z } from 'zod';
import { WarehouseMark } from '../warehouses/warehouse.schema.ts';

const method = choice('cash', 'bank', 'card', 'online', 'other');

const LevyOut = z
  .object({
    id: Id,
    name: z.string(),
    rate: QtyOut,
    kind: choice('percent', 'fixed'),
    inclusive: z.boolean(),
    compound: z.boolean(),
    base: MoneyOut,
    amount: MoneyOut,
  })
  .meta({ id: 'PosTax' });

const PosOrderLine = z
  .object({
    id: Id,
    product_id: Id,
    name: z.string(),
    sku: z.string(),
    qty: QtyOut,
    unit_price: MoneyOut,
    gross: MoneyOut,
    discount: MoneyOut,
    header_discount: MoneyOut.describe("Its share of the sale's discount."),
    net: MoneyOut,
    tax: MoneyOut,
    total: MoneyOut,
    cost: MoneyOut.describe('What the goods cost.').meta({ example: '640.00' }),
    taxes: z.array(LevyOut),
  })
  .meta({ id: 'PosOrderLine' });

/** A sale at the till. */
export const PosOrder = record({
  number: z.string(),
  warehouse_id: Id,
  customer_id: Id.nullable().describe('Nobody for a walk-in.'),
  customer_name: z.string().nullable(),
  cashier_id: Id,
  cashier_name: z.string(),
  business_date: Day,
  currency: Currency,
  subtotal: MoneyOut.describe('Before discounts, as priced.'),
  discount_total: MoneyOut,
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut,
  paid: MoneyOut.meta({ example: '1300.00' }),
  change: MoneyOut.describe('What was given back.').meta({ example: '50.00' }),
  cost: MoneyOut.describe('What the goods cost.').meta({ example: '640.00' }),
  note: z.string().nullable(),
  status: choice('paid', 'refunded'),
  refunded_at: Timestamp.nullable(),
  allowed_actions: z.array(z.string()).describe('What this caller may do with it in its present state.'),
  warehouse: WarehouseMark.optional(),
  lines: z.array(PosOrderLine).optional(),
  payments: z.array(z.object({ method, amount: MoneyOut })).optional(),
}).meta({ id: 'PosOrder' });

/** A sale at the till with everything about it. */
export const PosOrderDetails = PosOrder.required({ warehouse: true, lines: true, payments: true })
  .extend({ taxes: z.array(LevyOut).describe('What each tax comes to.') })
  .meta({ id: 'PosOrderDetails' });

export const PosOrderFilter = list(PosOrder, {
  filter: [
    ...(['number', 'warehouse_id', 'customer_id', 'cashier_id', 'business_date', 'total'] as const),
    ...(['status', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'business_date', 'number', 'total'],
  expand: ['warehouse', 'lines', 'payments'],
});

export const PosOrderInput = input({
  warehouse_id: Id.optional().describe('The default warehouse otherwise.'),
  customer_id: Id.nullable().default(null).describe('A customer of the accounts; nobody for a walk-in.'),
  customer_name: Line().min(1).nullable().default(null).describe('What the customer is called on the receipt.'),
  lines: z
    .array(
      input({
        product_id: Id,
        qty: Qty,
        unit_price: Money.optional().describe("The product's own otherwise."),
        discount: Discount.optional(),
        tax_ids: z.array(Id).max(10).optional().describe("The product's own otherwise."),
      }),
    )
    .min(1, 'Sell at least one product.')
    .max(200),
  discount: Discount.optional().describe('On the whole sale, before tax.'),
  payments: z.array(input({ method, amount: Money.meta({ example: '5000.00' }) })).max(10),
  note: Paragraph.min(1).nullable().default(null),
});

export type PosOrderInput = z.output<typeof PosOrderInput>;
