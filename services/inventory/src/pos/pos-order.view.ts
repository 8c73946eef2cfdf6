/** Views of POS orders. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many, one, readOne, type View } from '@suite/chassis/lists';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { warehouseSummaries } from '../stock/stock.view.ts';
import { PosOrder, PosOrderDetails } from './pos-order.schema.ts';
import { posStates } from './pos-order.rules.ts';

const expansions = (db: Db): Record<string, Expansion> => ({
  warehouse: one('warehouse_id', warehouseSummaries(db)),
  lines: many('pos_order_id', (ids) =>
    db.rows(sql`
      SELECT line.*, (
        SELECT coalesce(sum(part.qty), 0) FROM pos_refund_lines AS part WHERE part.pos_order_line_id = line.id) AS refunded_qty
      FROM pos_order_lines AS line WHERE line.pos_order_id = ANY(${ids}::uuid[]) ORDER BY line.position`),
  ),
  refunds: many('pos_order_id', (ids) =>
    db.rows(sql`
      SELECT refund.*, (
        SELECT jsonb_agg(jsonb_build_object('line_id', line.id, 'qty', part.qty::text, 'restock', part.restock,
          'net', part.net::text, 'tax', part.tax::text, 'total', part.total::text, 'cost', part.cost::text) ORDER BY line.position)
        FROM pos_refund_lines AS part JOIN pos_order_lines AS line ON line.id = part.pos_order_line_id
        WHERE part.pos_refund_id = refund.id) AS lines
      FROM pos_refunds AS refund WHERE refund.pos_order_id = ANY(${ids}::uuid[]) ORDER BY refund.position`),
  ),
  payments: many('pos_order_id', (ids) =>
    db.rows(sql`
      SELECT pos_order_id, method, amount FROM pos_payments WHERE pos_order_id = ANY(${ids}::uuid[]) ORDER BY position`),
  ),
});

export const posView = (db: Db, caller: Caller): View => ({
  table: 'pos_orders',
  compute: {
    allowed_actions: posStates.shownTo(caller, 'pos_orders'),
  },
  expand: expansions(db),
});

const Shown = PosOrder.extend({ taxes: PosOrderDetails.shape.taxes });

/** Returns a POS order with its lines, payments and refunds. @throws NotFound */
export const showPosOrder = (db: Db, caller: Caller, id: string) =>
  readOne(db, Shown, id, posView(db, caller)) as Promise<z.input<typeof PosOrderDetails>>;
