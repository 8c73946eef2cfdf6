/** Creation, update and deletion of sales orders, with their rules. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid, NotFound } from '@suite/chassis/faults';
import { type Discount, midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { Customer } from '@suite/proto/finance/v1/finance';
import type { Warehouse } from '@suite/proto/inventory/v1/inventory';
import type { Db, Read, Rpc, CommandContext } from '../../operations.ts';
import {
  fetchAgreedCustomer,
  fetchCustomer,
  fetchCustomerChange,
  type CustomerChange,
  customerColumns,
} from '../references/customer.ts';
import {
  fetchChangedLines,
  fetchLines,
  type DraftLine,
  linesOf,
  repriceLines,
  writeLines,
} from '../documents/lines.ts';
import { lockQuote, reopenQuote } from '../quotes/quote.ts';
import { quoteStates } from '../quotes/quote.rules.ts';
import { orderStates } from './sales-order.rules.ts';
import { updateProgress } from './sales-order-progress.ts';
import { reserveGoods } from './reservation.ts';
import { readOrder } from './sales-order.view.ts';
import type { SalesOrderChanges, SalesOrderInput, SalesOrderRow } from './sales-order.schema.ts';
import { fetchWarehouse, warehouseFor } from '../references/warehouses.ts';

export const OrderIsConfirmed = fault(
  409,
  'order_is_confirmed',
  'This order is confirmed. You can only change its delivery date, reference, addresses and notes.',
);

/** Records of other services in a request body. */
interface SalesOrderReferences {
  customer: Customer | undefined;
  warehouse: Warehouse | undefined;
  lines: DraftLine[] | undefined;
}

/** Checks that the order exists and the caller can see it. @throws NotFound */
export async function assertOrderExists(db: Db, id: string): Promise<void> {
  await find(db.salesOrder, id);
}

/** Locks an order until the transaction ends. @throws NotFound if it does not exist or the caller cannot see it */
export async function lockOrder(db: Db, id: string): Promise<{ status: string; version: number }> {
  const [row] = await db.rows<{ status: string; version: number }>(sql`
    SELECT status, version FROM sales_orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!row) throw NotFound();
  return row;
}

/** Fields determined by a quote. A request with a quote must not set them. */
const FROM_QUOTE = ['customer_id', 'lines', 'currency', 'discount'] as const;

/**
 * Requests the referenced records of a new order from other services, before the transaction. @throws a 422 that names
 * the field
 */
export async function fetchOrderReferences(
  { rpc, read }: { rpc: Rpc; read: Read },
  body: SalesOrderInput,
): Promise<SalesOrderReferences> {
  const { quote_id } = body;
  const twice = quote_id && FROM_QUOTE.find((field) => body[field] !== undefined);
  if (twice) throw invalid(twice, 'The quote determines this value. Omit this field.');
  if (!quote_id && !body.customer_id) throw invalid('customer_id', 'Enter a customer or a quote.');
  if (!quote_id && !body.lines) throw invalid('lines', 'Add lines or enter a quote.');
  const [quote] = await read((db) =>
    db.rows<{ customer_id: string }>(sql`
      SELECT customer_id FROM quotes WHERE id = ${quote_id ?? null}::uuid`),
  );
  if (quote_id && !quote) throw invalid('quote_id', 'Quote not found.');
  return {
    customer: quote ? await fetchAgreedCustomer(rpc, quote.customer_id) : await fetchCustomer(rpc, body.customer_id),
    warehouse: await warehouseFor(rpc, body.warehouse_id),
    lines: await fetchLines(rpc, body.lines),
  };
}

/** Requests the referenced records of an update from other services, before the transaction. */
export const fetchChangeReferences = async (
  { rpc, read }: { rpc: Rpc; read: Read },
  id: string,
  { customer_id, warehouse_id, lines }: SalesOrderChanges,
): Promise<SalesOrderReferences & CustomerChange> => ({
  ...(await fetchCustomerChange({ rpc, read }, customer_id, (db) => find(db.salesOrder, id))),
  warehouse: warehouse_id ? await fetchWarehouse(rpc, warehouse_id) : undefined,
  lines: await fetchChangedLines({ rpc, read }, { key: 'sales_order_id', id }, lines),
});

function assertDays(order_date: string, delivery_date: string | null | undefined): void {
  if (delivery_date && delivery_date < order_date) {
    throw invalid('delivery_date', 'The delivery date must not be before the order date.');
  }
}

/**
 * Marks an accepted quote as ordered, once, and returns its terms. @throws InvalidTransition if the quote was not
 * accepted
 */
async function markQuoteOrdered(db: Db, caller: Caller, quote_id: string) {
  await lockQuote(db, quote_id);
  const quote = await find(db.quote, quote_id);
  quoteStates.assertFits('order', quote, caller);
  await quoteStates.move(db.quote, quote_id, 'order');
  const { currency, billing_address, shipping_address } = quote;
  const lines = await linesOf(db, { key: 'quote_id', id: quote_id });
  return { currency, billing_address, shipping_address, lines, discount: quote.discount as Discount | null };
}

/** Creates a draft order, optionally from an accepted quote. */
export async function createOrder(
  { db, caller }: CommandContext,
  body: SalesOrderInput,
  known: SalesOrderReferences,
): Promise<SalesOrderRow> {
  const { lines: _, customer_id: __, currency: ___, discount: ____, quote_id, delivery_date, ...columns } = body;
  const { customer, warehouse } = known;
  const quote = quote_id ? await markQuoteOrdered(db, caller, quote_id) : undefined;
  const order_date = body.order_date ?? today(caller.timezone);
  assertDays(order_date, delivery_date);
  const currency = quote?.currency ?? body.currency ?? (customer?.currency || caller.currency);
  const { id } = await db.salesOrder.create({
    data: {
      billing_address: (quote?.billing_address ?? customer?.billing_address) || null,
      shipping_address: (quote?.shipping_address ?? customer?.shipping_address) || null,
      ...columns,
      quote_id: quote_id ?? null,
      currency,
      customer_id: customer!.customer_id,
      customer_name: customer!.name,
      warehouse_id: warehouse!.warehouse_id,
      warehouse_name: warehouse!.name,
      order_date: midnight(order_date),
      delivery_date: midnight(delivery_date ?? null),
    },
  });
  const discount = quote ? quote.discount : (body.discount ?? null);
  const lines = quote?.lines ?? known.lines ?? [];
  await change(db.salesOrder, id, await writeLines(db, { key: 'sales_order_id', id }, lines, { currency, discount }));
  return readOrder(db, caller, id);
}

/** Fields of a confirmed order that can still be changed. */
const CHANGEABLE = ['delivery_date', 'billing_address', 'shipping_address', 'reference', 'notes'];

/** Updates an order. @throws OrderIsConfirmed, InvalidTransition if it has ended, ReservationPending */
export async function updateOrder(
  { db, caller }: CommandContext,
  id: string,
  { version: _, status: __, lines: ___, ...input }: SalesOrderChanges,
  { expect, ...known }: SalesOrderReferences & CustomerChange & { expect: number | undefined },
): Promise<SalesOrderRow> {
  await lockOrder(db, id);
  const before = await find(db.salesOrder, id);
  assertVersion(before, expect);
  const fields = [...Object.keys(input), ...(known.lines ? ['lines'] : [])];
  orderStates.assertFits('update', before, caller);
  const isDraft = before.status === 'draft';
  if (!isDraft && fields.some((field) => !CHANGEABLE.includes(field))) throw OrderIsConfirmed();
  if (isDraft) await reserveGoods.assertNoneOpen(db, id);
  const { discount, order_date, delivery_date, ...columns } = input;
  const day = order_date ?? before.order_date.toISOString().slice(0, 10);
  const delivery = delivery_date === undefined ? before.delivery_date?.toISOString().slice(0, 10) : delivery_date;
  assertDays(day, delivery);
  const lineChanges = { lines: known.lines, currency: input.currency, discount };
  const repriced = await repriceLines(db, { key: 'sales_order_id', id }, before, lineChanges);
  await change(db.salesOrder, id, {
    ...customerColumns(before, input, known),
    ...columns,
    ...(known.warehouse && { warehouse_name: known.warehouse.name }),
    ...(order_date && { order_date: midnight(order_date) }),
    ...(delivery_date !== undefined && { delivery_date: midnight(delivery_date) }),
    ...repriced,
  });
  // Replaced lines lose the progress of the previous lines.
  if (repriced) await updateProgress(db, id);
  return readOrder(db, caller, id);
}

/** Deletes an order that was never confirmed. Its quote can then be ordered again. */
export async function removeOrder(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  await lockOrder(db, id);
  const before = await find(db.salesOrder, id);
  orderStates.assertFits('delete', before, caller);
  await reserveGoods.assertNoneOpen(db, id);
  const removed = await remove(db.salesOrder, id);
  // After the cancellation, the quote may have another order.
  if (before.status !== 'cancelled') await reopenQuote(db, before.quote_id);
  return removed;
}
