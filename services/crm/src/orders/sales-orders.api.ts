/** Sales orders of customers. Inventory reserves the goods of a confirmed one until invoices take them. */
import { can, created, DryRun, idOf, ok, page, removed } from '@suite/chassis';
import { ConversionInput } from '@suite/document-lines';
import { InvoicingPending, NothingToInvoice, OtherDraft, prepareInvoice } from './sales-order-invoicing.ts';
import { command, query } from '../sales-operations.ts';
import { changeState, OrderHasProgress, prepareState } from './sales-order-status.ts';
import { InsufficientStock, ReservationPending } from './reservation.ts';
import { orderStates } from './sales-order.rules.ts';
import {
  askForChanges,
  askForNewOrder,
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
import { assertOrder } from './sales-order.ts';

export const list = query('GET /api/sales/sales-orders', {
  summary: 'List sales orders',
  access: can('sales_order.view'),
  query: SalesOrderFilter,
  reply: page(SalesOrder),
  handle: ({ db, caller, query }) => listOrders(db, caller, query),
});

export const show = query('GET /api/sales/sales-orders/{id}', {
  summary: 'Get a sales order',
  description: 'With its lines, its posted invoices, its pending effects and the allowed actions.',
  access: can('sales_order.view'),
  params: { id: idOf('sales_orders') },
  reply: ok(SalesOrderDetails),
  handle: ({ db, caller, params }) => readOrder(db, caller, params.id),
});

export const create = command('POST /api/sales/sales-order/store', {
  summary: 'Create a sales order',
  description:
    'A draft. With the `quote_id` of an accepted quote it takes over customer, lines, currency and discount, and the quote is ordered.',
  access: can('sales_order.create'),
  body: SalesOrderInput,
  reply: created(SalesOrderDetails),
  prepare: ({ body, ...means }) => askForNewOrder(means, body),
  handle: ({ body, prepared, ...work }) => createOrder(work, body, prepared),
});

export const update = command('POST /api/sales/sales-order/update/{id}', {
  summary: 'Update a sales order',
  description:
    'A `status` without other fields confirms the order, which reserves its goods; puts it on hold; cancels it, if nothing is delivered or invoiced; or closes it, which releases the remainder. Putting on hold, cancelling and closing delete the draft invoices of the order.',
  access: orderStates.can('update', 'confirm', 'hold', 'resume', 'cancel', 'close'),
  params: { id: idOf('sales_orders') },
  body: SalesOrderChanges,
  reply: ok(SalesOrderDetails),
  faults: [OrderIsConfirmed, OrderHasProgress, InsufficientStock, ReservationPending, InvoicingPending],
  async prepare({ params, body, ...means }) {
    await means.read((db) => assertOrder(db, params.id));
    if (body.status) return { status: body.status, state: await prepareState(means, params.id, body) };
    return { known: await askForChanges(means.rpc, body) };
  },
  handle({ params, body, prepared, expect, ...work }) {
    const { status, state, known } = prepared;
    if (status) return changeState(work, params.id, status, { ...state, expect });
    return updateOrder(work, params.id, body, { ...known, expect });
  },
});

export const invoice = command('POST /api/sales/sales-order/convert-to-invoice/{id}', {
  summary: 'Invoice a sales order',
  description:
    'Creates a draft invoice of what no invoice or draft bills yet, with the agreed prices, discounts and taxes. Each line refers to its order line (`source_line`), and all invoices add up to the order. If nothing remains, returns the latest draft. An order in a foreign currency needs a `rate` if the currency was never booked; otherwise the last rate is used, and `exchange_rate` reports its date and age. Posting the invoice delivers the reserved goods.',
  access: orderStates.can('invoice'),
  params: { id: idOf('sales_orders') },
  query: { dry_run: DryRun },
  body: ConversionInput,
  reply: ok(SalesOrderInvoicing),
  faults: [NothingToInvoice, OtherDraft, InvoicingPending],
  prepare: ({ params, query, body, ...means }) =>
    prepareInvoice(means, params.id, { dry_run: query.dry_run, rate: body.rate }),
  async handle({ db, caller, params, prepared }) {
    return { ...(await readOrder(db, caller, params.id)), ...prepared };
  },
});

export const remove = command('DELETE /api/sales/sales-order/delete/{id}', {
  summary: 'Delete a sales order',
  description: 'A draft, or one that was cancelled before it had a number.',
  access: orderStates.can('delete'),
  params: { id: idOf('sales_orders') },
  reply: removed,
  faults: [ReservationPending],
  handle: ({ db, caller, params }) => removeOrder(db, caller, params.id),
});
