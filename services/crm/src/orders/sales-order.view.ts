/** How sales orders are shown, and what may happen to them. */
import { type Caller, lifecycle, type ListRequest, many, NotFound, paginate, raw, readOne, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { linesIn } from '../documents/lines.ts';
import { PENDING } from './reservation.ts';
import { SalesOrderDetails, type SalesOrderRow } from './sales-order.schema.ts';
import { assertExists, permitted } from '../records.ts';

export const orderStates = lifecycle('sales_order', {
  draft: { confirm: 'confirmed', cancel: 'cancelled' },
  confirmed: { hold: 'on_hold', complete: 'completed', cancel: 'cancelled', close: 'closed' },
  on_hold: { resume: 'confirmed' },
  completed: { reopen: 'confirmed' },
  cancelled: {},
  closed: {},
});

/** Orders that nobody has ever promised to deliver may go: one that was confirmed has a number. */
const DELETABLE = ['draft', 'cancelled'];
/** What is over takes no more changes. */
const OVER = ['completed', 'cancelled', 'closed'];

const PERMISSIONS: Record<string, string> = {
  ...{ confirm: 'sales_order.update', hold: 'sales_order.update', resume: 'sales_order.update' },
  ...{ cancel: 'sales_order.update', close: 'sales_order.update', update: 'sales_order.update' },
  invoice: 'sales_order.update',
  delete: 'sales_order.delete',
};

/** What the caller may do with an order in a state. */
export const orderActions = (caller: Caller, status: string, number: string | null): string[] =>
  permitted(
    caller,
    [
      ...orderStates.allowed(status),
      ...(status === 'confirmed' ? ['invoice'] : []),
      ...(OVER.includes(status) ? [] : ['update']),
      ...(DELETABLE.includes(status) && number === null ? ['delete'] : []),
    ],
    PERMISSIONS,
  );

const withActions = (caller: Caller, row: SalesOrderRow): SalesOrderRow => ({
  ...row,
  allowed_actions: orderActions(caller, row.status, row.number),
});

const view = {
  table: 'sales_orders',
  compute: { pending_effects: PENDING, allowed_actions: raw('NULL') },
};

/** One page of the orders that the caller may see. */
export async function listOrders(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, view);
  return { ...found, rows: (found.rows as SalesOrderRow[]).map((row) => withActions(caller, row)) };
}

/** An order with its lines and invoices. @throws NotFound also when the caller may not see it */
export async function readOrder(db: Db, caller: Caller, id: string): Promise<SalesOrderRow> {
  const invoices = many('sales_order_id', (ids) =>
    db.rows(sql`
      SELECT sales_order_id, sales_invoice_id, number, cancelled FROM order_invoices
      WHERE sales_order_id = ANY(${ids}::uuid[]) ORDER BY number, sales_invoice_id`),
  );
  const expand = { lines: linesIn(db, 'sales_order_id'), invoices };
  return withActions(caller, await readOne(db, SalesOrderDetails, id, { ...view, expand }));
}

/** @throws NotFound when there is no such order for this caller */
export const assertOrder = (db: Db, id: string): Promise<void> => assertExists(db, 'sales_orders', id);

/** Holds an order until the transaction ends. @throws NotFound also when the caller may not see it */
export async function holdOrder(db: Db, id: string): Promise<{ status: string; version: number }> {
  const [row] = await db.rows<{ status: string; version: number }>(sql`
    SELECT status, version FROM sales_orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!row) throw NotFound();
  return row;
}
