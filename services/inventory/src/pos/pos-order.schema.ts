import {
  choice,
  Currency,
  Day,
  Discount,
  Id,
  foreignId,
  input,
  ShortText,
  Money,
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
import { costField, LINES_MAX, TaxSnapshot } from '@suite/document-lines';
import { z } from 'zod';
import { WarehouseSummary } from '../stock/stock.schema.ts';
import { posStates } from './pos-order.rules.ts';

const method = choice('cash', 'bank', 'card', 'online', 'other');

const LevyOut = TaxSnapshot.extend({ rate: QtyOut, base: MoneyOut, amount: MoneyOut }).meta({ id: 'PosTax' });

const PosOrderLine = z
  .object({
    id: Id,
    product_id: Id,
    name: z.string(),
    sku: z.string(),
    qty: QtyOut,
    refunded_qty: QtyOut.describe('Quantity refunded.').meta({ example: '0' }),
    unit_price: MoneyOut,
    gross: MoneyOut,
    discount: MoneyOut,
    header_discount: MoneyOut.describe('Share of the order discount.'),
    net: MoneyOut,
    tax: MoneyOut,
    total: MoneyOut,
    cost: costField(MoneyOut.describe('Cost of the goods.').meta({ example: '640.00' })),
    taxes: z.array(LevyOut),
  })
  .meta({ id: 'PosOrderLine' });

const Payments = z.array(z.object({ method, amount: MoneyOut }));

const PosRefundLine = z
  .object({
    line_id: Id,
    qty: QtyOut,
    restock: z.boolean().describe('Whether the goods are restocked. `false` for scrap.'),
    net: MoneyOut,
    tax: MoneyOut,
    total: MoneyOut,
    cost: costField(MoneyOut.describe('Cost of the goods when sold.').meta({ example: '640.00' })),
  })
  .meta({ id: 'PosRefundLine' });

/** Refund of a part of a POS order. */
const PosRefund = z
  .object({
    id: Id,
    number: z.string().meta({ example: 'POS-2026-00001-R1' }),
    business_date: Day,
    reason: z.string().nullable(),
    net_total: MoneyOut,
    tax_total: MoneyOut,
    total: MoneyOut,
    cost: costField(MoneyOut.describe('Cost of the goods when sold.').meta({ example: '640.00' })),
    restocked_cost: costField(
      MoneyOut.describe('Cost of the goods returned to stock. The remainder is scrap.').meta({ example: '640.00' }),
    ),
    taxes: z.array(LevyOut).describe('Amount of each tax.'),
    payments: Payments.describe('Payments of the refund, by method.'),
    lines: z.array(PosRefundLine),
    created_by: Id.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'PosRefund' });

/** POS order. */
export const PosOrder = record({
  number: z.string(),
  warehouse_id: Id,
  customer_id: Id.nullable().describe('`null` for a walk-in customer.'),
  customer_name: z.string().nullable(),
  cashier_id: Id,
  cashier_name: z.string(),
  business_date: Day,
  currency: Currency,
  subtotal: MoneyOut.describe('Total of the prices before discounts.'),
  discount_total: MoneyOut,
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut,
  paid: MoneyOut.meta({ example: '1300.00' }),
  change: MoneyOut.describe('Change returned to the customer.').meta({ example: '50.00' }),
  cost: costField(MoneyOut.describe('Cost of the goods.').meta({ example: '640.00' })),
  note: z.string().nullable(),
  status: choice('paid', 'partially_refunded', 'refunded'),
  refunded_total: MoneyOut.describe('Total amount refunded.').meta({ example: '0.00' }),
  refunded_at: Timestamp.nullable().describe('Time when the order was refunded in full.'),
  allowed_actions: Actions(posStates),
  warehouse: WarehouseSummary.optional(),
  lines: z.array(PosOrderLine).optional(),
  payments: Payments.optional(),
  refunds: z.array(PosRefund).optional(),
}).meta({ id: 'PosOrder' });

/** POS order with all of its details. */
export const PosOrderDetails = PosOrder.required({ warehouse: true, lines: true, payments: true, refunds: true })
  .extend({ taxes: z.array(LevyOut).describe('Amount of each tax.') })
  .meta({ id: 'PosOrderDetails' });

export const PosOrderFilter = list(PosOrder, {
  filter: [
    ...(['number', 'warehouse_id', 'customer_id', 'cashier_id', 'business_date', 'total'] as const),
    ...(['status', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'business_date', 'number', 'total'],
  search: true,
  expand: ['warehouse', 'lines', 'payments', 'refunds'],
});

export const PosOrderInput = input({
  warehouse_id: refTo('warehouses').optional().describe('Defaults to the default warehouse.'),
  customer_id: foreignId('finance.customer')
    .nullable()
    .default(null)
    .describe('ID of the customer. `null` for a walk-in customer.'),
  customer_name: ShortText().min(1).nullable().default(null).describe('Name of the customer on the receipt.'),
  lines: z
    .array(
      input({
        product_id: refTo('products'),
        qty: Qty,
        unit_price: Money.optional().describe('Price per unit. Defaults to the price of the product.'),
        discount: Discount.optional(),
        tax_ids: z
          .array(refTo('taxes'))
          .max(10)
          .optional()
          .describe('IDs of the taxes of the line. Defaults to the taxes of the product.'),
      }),
    )
    .min(1, 'Add at least one product.')
    .max(LINES_MAX),
  discount: Discount.optional().describe('Discount on the whole sale, before tax.'),
  payments: z.array(input({ method, amount: Money.meta({ example: '5000.00' }) })).max(10),
  note: LongText.min(1).nullable().default(null),
});

export type PosOrderInput = z.output<typeof PosOrderInput>;

export const PosRefundInput = input({
  lines: z
    .array(
      input({
        line_id: refTo('pos_order_lines'),
        qty: Qty,
        restock: z.boolean().default(true).describe('`false` for scrap: the goods do not come back into stock.'),
      }),
    )
    .min(1, 'Add at least one line.')
    .max(200)
    .optional()
    .describe('Lines to refund. `lines` defaults to everything that is not yet refunded.'),
  reason: LongText.min(1).nullable().default(null),
});

export type PosRefundInput = z.output<typeof PosRefundInput>;
