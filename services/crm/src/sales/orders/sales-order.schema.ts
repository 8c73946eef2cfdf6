import {
  choice,
  Currency,
  BusinessDay,
  PlannedDay,
  Day,
  Id,
  foreignId,
  inner,
  input,
  ShortText,
  LongText,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { conversionFields } from '@suite/document-lines';
import { orderStates } from './sales-order.rules.ts';
import { addresses, addressInputs, Lines, LineTax, OrderLine, pricing, totals } from '../documents/document.schema.ts';

/** Sales order, as returned in lists. */
export const SalesOrder = record({
  number: z.string().nullable().describe('Order number, assigned at confirmation.'),
  quote_id: Id.nullable(),
  customer_id: Id,
  customer_name: z.string(),
  order_date: Day,
  delivery_date: Day.nullable(),
  warehouse_id: Id,
  warehouse_name: z.string(),
  currency: Currency,
  ...addresses,
  reference: z.string().nullable(),
  notes: inner(z.string().nullable().describe('Internal notes.')),
  ...totals,
  status: choice('draft', 'confirmed', 'on_hold', 'completed', 'cancelled', 'closed'),
  fulfilment_status: choice('none', 'partial', 'full').describe('Share of the order that is delivered.'),
  invoice_status: choice('nothing', 'to_invoice', 'partial', 'full').describe('Share of the order that is invoiced.'),
  confirmed_at: Timestamp.nullable(),
  pending_effects: z
    .array(choice('reserve_stock', 'release_stock'))
    .describe('Requests to other services that are not confirmed yet.'),
  allowed_actions: Actions(orderStates),
}).meta({ id: 'SalesOrder' });

/** Sales order with its lines and posted invoices. */
export const SalesOrderDetails = SalesOrder.extend({
  taxes: z.array(LineTax),
  lines: z.array(OrderLine),
  invoices: z.array(z.object({ sales_invoice_id: Id, number: z.string(), cancelled: z.boolean() })),
}).meta({ id: 'SalesOrderDetails' });

/** Sales order, with the draft invoice for its remainder. */
export const SalesOrderInvoicing = SalesOrderDetails.extend(conversionFields).meta({ id: 'SalesOrderInvoicing' });

export const SalesOrderFilter = list(SalesOrder, {
  filter: [
    ...(['number', 'quote_id', 'customer_id', 'order_date', 'delivery_date', 'warehouse_id', 'currency'] as const),
    ...(['total', 'status', 'fulfilment_status', 'invoice_status', 'created_by', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'number', 'order_date', 'delivery_date', 'total', 'customer_name'],
  search: true,
});

const optional = {
  order_date: BusinessDay.optional().describe('Defaults to today.'),
  delivery_date: PlannedDay.nullable().optional(),
  warehouse_id: foreignId('inventory.warehouse')
    .optional()
    .describe('ID of the warehouse that issues the goods. Defaults to the default warehouse.'),
  ...pricing,
  ...addressInputs,
  reference: ShortText().min(1).nullable().optional().describe('Order number of the customer.'),
  notes: LongText.nullable().optional(),
};

export const SalesOrderInput = input({
  quote_id: refTo('quotes')
    .optional()
    .describe('ID of the accepted quote that determines the customer, lines, currency and discount.'),
  customer_id: foreignId('finance.customer').optional().describe('Required without a quote.'),
  lines: Lines.optional().describe('Required without a quote.'),
  ...optional,
});

export const SalesOrderChanges = input({
  customer_id: foreignId('finance.customer').optional(),
  lines: Lines.optional(),
  ...optional,
  status: stateRequest(
    orderStates,
    ['confirmed', 'on_hold', 'cancelled', 'closed'],
    ['confirm', 'hold', 'resume', 'cancel', 'close'],
  )
    .optional()
    .describe(
      'New status, or the action from `allowed_actions` that leads to it, sent without other fields. An order completes automatically once delivered and invoiced in full.',
    ),
  version,
});

export type SalesOrderRow = z.input<typeof SalesOrderDetails>;
export type SalesOrderInput = z.output<typeof SalesOrderInput>;
export type SalesOrderChanges = z.output<typeof SalesOrderChanges>;
