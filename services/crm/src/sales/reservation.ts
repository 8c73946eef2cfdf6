/**
 * The saga of a confirmation. Inventory is asked to hold the goods before the order is confirmed, and an attempt is noted
 * down before inventory is asked: whatever breaks in between, `order_reservations` says what may still be held.
 *
 * requested → reserved: the order is confirmed, in one transaction with this.
 * requested → releasing: refused, cancelled, or nobody finished it in time.
 * reserved → releasing: the order was cancelled or closed.
 * releasing → released: inventory has given back what it held; settlement.ts sees to it.
 */
import { assertSeen, type Caller, clock, Fault, fault, sql } from '@suite/chassis';
import type { ReservedLine, StockSource } from '@suite/proto/inventory/v1/inventory';
import type { Db, Rpc, Write } from '../operations.ts';
import { holdOrder } from './sales-order-view.ts';

/** What inventory answers when there is not enough; its details name what is available per line. */
export const InsufficientStock = fault(409, 'insufficient_stock', 'There is not enough in stock.');

export const ReservationPending = fault(
  409,
  'reservation_pending',
  'Stock is being reserved or given back for this order. Try again in a moment.',
  { passes: true },
);

/** An attempt whose goods inventory holds. */
export interface Held {
  attempt: number;
  lines: readonly ReservedLine[];
}

interface Attempt {
  attempt: number;
  state: string;
}

export const sourceOf = (id: string): StockSource => ({ type: 'sales_order', id, number: '' });
/** Under which inventory is asked. Releasing spends it: a call that was believed lost reserves nothing later. */
const keyOf = (id: string, attempt: number): string => `${id}:${attempt}`;

/** The attempt that is not over, if there is one. There is one at most. */
export async function openAttempt(db: Db, id: string): Promise<Attempt | undefined> {
  const [row] = await db.rows<Attempt>(sql`
    SELECT attempt, state FROM order_reservations WHERE sales_order_id = ${id}::uuid AND state <> 'released'`);
  return row;
}

const lineOf = ({ id: line_id, ...line }: Record<'id' | 'product_id' | 'warehouse_id' | 'qty', string>) => ({
  line_id,
  ...line,
});

/** Notes down that inventory is about to be asked. Whoever asks at the same time shares the attempt, and so its key. */
async function noteAttempt(db: Db, caller: Caller, id: string, expect: number | undefined) {
  const order = await holdOrder(db, id);
  assertSeen(order, expect);
  if (order.status !== 'draft') return undefined;
  const lines = await db.rows<Parameters<typeof lineOf>[0]>(sql`
    SELECT sales_lines.id, product_id, warehouse_id, trim_scale(qty)::text AS qty FROM sales_lines JOIN sales_orders ON sales_orders.id = sales_order_id
    WHERE sales_order_id = ${id}::uuid AND product_id IS NOT NULL ORDER BY position`);
  if (lines.length === 0) return undefined;
  const open = await openAttempt(db, id);
  if (open && open.state !== 'requested') throw ReservationPending();
  const [noted] = await db.rows<{ attempt: number }>(
    open
      ? sql`UPDATE order_reservations SET since = ${clock.now()}
          WHERE sales_order_id = ${id}::uuid AND attempt = ${open.attempt} RETURNING attempt`
      : sql`INSERT INTO order_reservations (id, sales_order_id, attempt, asked_by, since)
          SELECT suite_uuid7(), ${id}::uuid, coalesce(max(attempt), 0) + 1, ${caller.user_id}::uuid, ${clock.now()}
          FROM order_reservations WHERE sales_order_id = ${id}::uuid RETURNING attempt`,
  );
  return { attempt: noted!.attempt, lines: lines.map(lineOf) };
}

/** Marks an attempt as one whose goods are to be given back. Returns whether it was in one of these states. */
export async function giveUp(db: Db, id: string, attempt: number, from: readonly string[]): Promise<boolean> {
  const rows = await db.rows(sql`
    UPDATE order_reservations SET state = 'releasing', since = ${clock.now()}
    WHERE sales_order_id = ${id}::uuid AND attempt = ${attempt} AND state = ANY(${from}) RETURNING id`);
  return rows.length > 0;
}

/** Gives up whatever an order has asked for, or holds. */
export async function giveUpAll(db: Db, id: string): Promise<void> {
  const open = await openAttempt(db, id);
  if (open) await giveUp(db, id, open.attempt, ['requested', 'reserved']);
}

/** Gives back at inventory what an attempt may hold, and notes that this is done. */
export async function release(rpc: Pick<Rpc, 'inventory'>, write: Write, id: string, attempt: number): Promise<void> {
  await rpc.inventory.release({ idempotency_key: keyOf(id, attempt), source: sourceOf(id) });
  await write((db) =>
    db.rows(sql`
      UPDATE order_reservations SET state = 'released', since = ${clock.now()}
      WHERE sales_order_id = ${id}::uuid AND attempt = ${attempt} AND state = 'releasing'`),
  );
}

/** What `gather` has of a confirmation. */
export interface Means {
  caller: Caller;
  rpc: Rpc;
  write: Write;
  /** The version that the caller has seen. */
  expect: number | undefined;
}

const isRefusal = (error: unknown): boolean => error instanceof Fault && error.status < 500 && error.status !== 429;

/**
 * Has inventory hold the goods of a draft; before the transaction that confirms it.
 * What was refused is given up at once; what got no answer is tried again under the same key, or settled by the schedule.
 * @returns nothing for an order that is no draft any more, or has nothing to hold
 * @throws InsufficientStock, ReservationPending
 */
export async function holdGoods({ caller, rpc, write, expect }: Means, id: string): Promise<Held | undefined> {
  const noted = await write((db) => noteAttempt(db, caller, id, expect));
  if (!noted) return undefined;
  const { attempt, lines } = noted;
  try {
    const key = keyOf(id, attempt);
    const reserved = await rpc.inventory.reserve({ idempotency_key: key, source: sourceOf(id), lines });
    return { attempt, lines: reserved.lines };
  } catch (error) {
    if (isRefusal(error) && (await write((db) => giveUp(db, id, attempt, ['requested'])))) {
      // What cannot be given back now, the schedule gives back.
      await release(rpc, write, id, attempt).catch(() => undefined);
    }
    // Somebody who shared the attempt was refused a moment ago, and has given it up.
    throw error instanceof Fault && error.code === 'key_reversed' ? ReservationPending() : error;
  }
}
