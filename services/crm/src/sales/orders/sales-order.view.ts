/** Views of sales orders. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, many, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { documentLines } from '../documents/lines.ts';
import { PENDING } from './reservation.ts';
import { SalesOrderDetails, type SalesOrderRow } from './sales-order.schema.ts';
import { orderStates } from './sales-order.rules.ts';

const withActions = (caller: Caller, row: SalesOrderRow): SalesOrderRow => ({
  ...row,
  allowed_actions: orderStates.allowedTo(caller, row),
});

const view = {
  table: 'sales_orders',
  compute: { pending_effects: PENDING, allowed_actions: sql`NULL` },
};

/** Returns a page of the orders visible to the caller. */
export async function listOrders(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, view);
  return { ...found, rows: (found.rows as SalesOrderRow[]).map((row) => withActions(caller, row)) };
}

/** Returns an order with its lines and invoices. @throws NotFound if it does not exist or the caller cannot see it */
export async function readOrder(db: Db, caller: Caller, id: string): Promise<SalesOrderRow> {
  const invoices = many('sales_order_id', (ids) =>
    db.rows(sql`
      SELECT sales_order_id, sales_invoice_id, number, cancelled FROM order_invoices
      WHERE sales_order_id = ANY(${ids}::uuid[]) ORDER BY number, sales_invoice_id`),
  );
  const expand = { lines: documentLines(db, 'sales_order_id'), invoices };
  return withActions(caller, await readOne(db, SalesOrderDetails, id, { ...view, expand }));
}
