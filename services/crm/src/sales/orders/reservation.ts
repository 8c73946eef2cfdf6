/** Reservations of orders: inventory reserves the goods before the order is confirmed, until it is cancelled or closed. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { ReservedLine } from '@suite/proto/inventory/v1/inventory';
import { type Attempt, remoteSteps, stepTable } from '@suite/saga';
import type { OrderReservation } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

/** Fault of inventory if stock is insufficient. Its details contain the available quantity per line. */
export const InsufficientStock = fault(
  409,
  'insufficient_stock',
  'There is not enough stock. Enter a smaller quantity.',
);

export const ReservationPending = fault(
  409,
  'reservation_pending',
  'Stock is being reserved or released for this order. Try again in a moment.',
  { retryable: true },
);

type OrderRef = Pick<OrderReservation, 'sales_order_id'>;

/** Goods that inventory reserves for an order. */
export interface Reservation {
  attempt: Attempt<OrderRef>;
  lines: readonly ReservedLine[];
}

const sourceOf = (id: string) => ({ type: 'sales_order', id, number: '' });

/** Returns the lines of an order that reserve goods. The order of the lines is part of the request. */
export const linesToReserve = (db: Db, sales_order_id: string): Promise<ReservedLine[]> =>
  db.rows<ReservedLine>(sql`
    SELECT sales_lines.id AS line_id, product_id, warehouse_id, trim_scale(qty)::text AS qty FROM sales_lines JOIN sales_orders ON sales_orders.id = sales_order_id
    WHERE sales_order_id = ${sales_order_id}::uuid AND product_id IS NOT NULL ORDER BY position`);

/** Reserves the goods of an order. Compensated by a release when the order ends or the confirmation fails. */
export const reserveGoods = remoteSteps<Db, Pick<Rpc, 'inventory'>>()('crm.reserve-goods', {
  table: stepTable<OrderReservation, keyof OrderRef>('order_reservations', {
    record: 'sales_order_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'reserved', undoing: 'releasing', undone: 'released' },
  }),
  pending: ReservationPending,
  asks: { service: 'inventory', methods: { Reserve: {} } },
  key: (id, attempt) => `${id}:${attempt}`,
  lock: (db, { sales_order_id: id }) =>
    db.rows(sql`SELECT id FROM sales_orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`),
  async ask({ rpc, key }, { id, lines }: { id: string; lines: ReservedLine[] }) {
    const held = await rpc.inventory.reserve({ idempotency_key: key, source: sourceOf(id), lines });
    return held.lines;
  },
  undo: ({ rpc, key }, { sales_order_id: id }) => rpc.inventory.release({ idempotency_key: key, source: sourceOf(id) }),
  repeat: async (db, { sales_order_id: id }) => ({ id, lines: await linesToReserve(db, id) }),
});

/** Unfinished reservations of the queried orders, for their `pending_effects`. */
export const PENDING = reserveGoods.pendingEffects(sql`sales_orders.id`, {
  requested: sql`'reserve_stock'`,
  undoing: sql`'release_stock'`,
});
