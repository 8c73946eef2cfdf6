/** How till sales are shown. */
import { type Caller, type Expansion, many, one, readOne, sql, type View } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { warehouseMarks } from '../stock/stock-view.ts';
import { PosOrder, PosOrderDetails } from './pos-order.schema.ts';

const expansions = (db: Db): Record<string, Expansion> => ({
  warehouse: one('warehouse_id', warehouseMarks(db)),
  lines: many('pos_order_id', (ids) =>
    db.rows(sql`SELECT * FROM pos_order_lines WHERE pos_order_id = ANY(${ids}::uuid[]) ORDER BY position`),
  ),
  payments: many('pos_order_id', (ids) =>
    db.rows(sql`
      SELECT pos_order_id, method, amount FROM pos_payments WHERE pos_order_id = ANY(${ids}::uuid[]) ORDER BY position`),
  ),
});

export const posView = (db: Db, caller: Caller): View => ({
  table: 'pos_orders',
  compute: {
    allowed_actions: caller.permissions.includes('pos_order.refund')
      ? sql`CASE status WHEN 'paid' THEN ARRAY['refund'] ELSE ARRAY[]::text[] END`
      : sql`ARRAY[]::text[]`,
  },
  expand: expansions(db),
});

const Shown = PosOrder.extend({ taxes: PosOrderDetails.shape.taxes });

/** A till sale with its lines and payments. @throws NotFound */
export const showPosOrder = (db: Db, caller: Caller, id: string) =>
  readOne(db, Shown, id, posView(db, caller)) as Promise<z.input<typeof PosOrderDetails>>;
