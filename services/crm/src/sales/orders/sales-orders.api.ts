/** Sales orders of customers. Inventory reserves the goods of a confirmed order until they are invoiced. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { ConversionInput } from '@suite/document-lines';
import { printFaults } from '@suite/pdf';
import { printOrder } from './order-pdf.ts';
import { InvoicingPending, NothingToInvoice, OtherDraft, prepareOrderInvoice } from './sales-order-invoicing.ts';
import { sales } from '../../operations.ts';
import { changeState, OrderHasProgress, prepareState } from './sales-order-status.ts';
import { InsufficientStock, ReservationPending } from './reservation.ts';
import { orderStates } from './sales-order.rules.ts';
import {
  fetchChangeReferences,
  fetchOrderReferences,
  createOrder,
  OrderIsConfirmed,
  removeOrder,
  updateOrder,
} from './sales-order.ts';
import {
  SalesOrder,
  SalesOrderChanges,
  SalesOrderDetails,
  SalesOrderFilter,
  SalesOrderInput,
  SalesOrderInvoicing,
} from './sales-order.schema.ts';
import { listOrders, readOrder } from './sales-order.view.ts';
import { assertOrderExists } from './sales-order.ts';

export const list = sales.query('GET /api/sales/sales-orders', {
  summary: 'List sales orders',
  description: 'Returns the orders that you may see, with totals, fulfilment and invoice status.',
  access: can('sales_order.view'),
  query: SalesOrderFilter,
  reply: page(SalesOrder),
  handle: ({ db, caller, query }) => listOrders(db, caller, query),
});

export const show = sales.query('GET /api/sales/sales-orders/{id}', {
  summary: 'Get a sales order',
  description:
    'Returns an order with lines, posted invoices, pending effects and allowed actions. `Accept: application/pdf` returns the order confirmation for the customer, with a watermark for drafts.',
  access: can('sales_order.view'),
  params: { id: idOf('sales_orders') },
  reply: ok(SalesOrderDetails),
  faults: printFaults,
  handle: ({ db, caller, params }) => readOrder(db, caller, params.id),
  formats: { pdf: printOrder },
});

export const create = sales.command('POST /api/sales/sales-order/store', {
  summary: 'Create a sales order',
  description:
    'Creates a draft order. `quote_id` of an accepted quote copies customer, lines, currency and discount, and marks the quote as ordered.',
  access: can('sales_order.create'),
  body: SalesOrderInput,
  reply: created(SalesOrderDetails),
  prepare: ({ body, ...context }) => fetchOrderReferences(context, body),
  handle: ({ body, prepared, ...context }) => createOrder(context, body, prepared),
});

export const update = sales.command('POST /api/sales/sales-order/update/{id}', {
  summary: 'Update a sales order',
  description:
    'Updates a draft, or changes the `status` without other fields. Confirming reserves the goods. Cancelling requires an order without deliveries and invoices. Closing releases the remaining reservation. Putting on hold, cancelling and closing delete the draft invoices.',
  access: orderStates.can('update', 'confirm', 'hold', 'resume', 'cancel', 'close'),
  params: { id: idOf('sales_orders') },
  body: SalesOrderChanges,
  reply: withDateWarnings(ok(SalesOrderDetails), { record: 'order_date' }),
  faults: [OrderIsConfirmed, OrderHasProgress, InsufficientStock, ReservationPending, InvoicingPending],
  async prepare({ params, body, ...context }) {
    await context.read((db) => assertOrderExists(db, params.id));
    if (body.status) return { status: body.status, state: await prepareState(context, params.id, body) };
    return { known: await fetchChangeReferences(context, params.id, body) };
  },
  handle({ params, body, prepared, expect, ...context }) {
    const { status, state, known } = prepared;
    if (status) return changeState(context, params.id, status, { ...state, expect });
    return updateOrder(context, params.id, body, { ...known, expect });
  },
});

export const invoice = sales.command('POST /api/sales/sales-order/convert-to-invoice/{id}', {
  summary: 'Invoice a sales order',
  description:
    'Creates a draft invoice for everything not yet invoiced, with the agreed prices, discounts and taxes. Each line refers to its order line (`source_line`). Returns the latest draft if nothing remains. A foreign currency defaults to its last exchange rate, shown in `exchange_rate`, or requires `rate`. Posting the invoice issues the reserved goods.',
  addition: 'An order can be invoiced directly, as a proposal can.',
  access: orderStates.can('invoice'),
  params: { id: idOf('sales_orders') },
  query: { dry_run: DryRun },
  body: ConversionInput,
  reply: ok(SalesOrderInvoicing),
  faults: [NothingToInvoice, OtherDraft, InvoicingPending],
  prepare: ({ params, query, body, ...context }) =>
    prepareOrderInvoice(context, params.id, { dry_run: query.dry_run, rate: body.rate }),
  async handle({ db, caller, params, prepared }) {
    return { ...(await readOrder(db, caller, params.id)), ...prepared };
  },
});

export const remove = sales.command('DELETE /api/sales/sales-order/delete/{id}', {
  summary: 'Delete a sales order',
  description:
    'Deletes a draft, or an order cancelled before it had a number. Its quote can be ordered again. Returns `reservation_pending` while stock is being reserved.',
  access: orderStates.can('delete'),
  params: { id: idOf('sales_orders') },
  reply: removed,
  faults: [ReservationPending],
  handle: ({ db, caller, params }) => removeOrder(db, caller, params.id),
});
