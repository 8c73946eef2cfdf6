/** Status changes of an order: confirm, put on hold, cancel, close. */
import { assertVersion, find, sql } from '@suite/chassis/database';
import { Fault, fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { moveTo } from '@suite/chassis/operations';
import { SalesOrderCancelled, SalesOrderConfirmed } from '@suite/proto/crm/v1/events';
import type { Db, Rpc, CommandContext, Write } from '../../operations.ts';
import { assignNumber } from '../documents/document-numbers.ts';
import { claimStop, InvoicingPending, releaseStop } from './sales-order-invoicing.ts';
import { updateProgress } from './sales-order-progress.ts';
import { linesToReserve, type Reservation, ReservationPending, reserveGoods } from './reservation.ts';
import { reopenQuote } from '../quotes/quote.ts';
import { lockOrder } from './sales-order.ts';
import { orderStates } from './sales-order.rules.ts';
import { readOrder } from './sales-order.view.ts';
import type { SalesOrderChanges, SalesOrderRow } from './sales-order.schema.ts';

export const OrderHasProgress = fault(
  409,
  'order_has_progress',
  'Part of this order has been delivered or invoiced. Close the order instead.',
);

type SalesOrderStatus = NonNullable<SalesOrderChanges['status']>;

/** Context of `prepare` for a status change. */
interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  write: Write;
  /** Version that the caller has read. */
  expect: number | undefined;
}

/** Records that a reservation for a draft is about to be requested from inventory. */
async function beginReservation(db: Db, { caller, expect }: PrepareContext, id: string) {
  const order = await lockOrder(db, id);
  assertVersion(order, expect);
  if (order.status !== 'draft') return undefined;
  const lines = await linesToReserve(db, id);
  if (lines.length === 0) return undefined;
  return { attempt: await reserveGoods.begin(db, { caller }, { sales_order_id: id }), lines };
}

/**
 * Reserves the goods of a draft in inventory, before the transaction that confirms the order.
 * @returns undefined for an order that is no longer a draft, or has nothing to reserve
 * @throws InsufficientStock, ReservationPending
 */
async function reserveOrderGoods(context: PrepareContext, id: string): Promise<Reservation | undefined> {
  const reservationAttempt = await context.write((db) => beginReservation(db, context, id));
  if (!reservationAttempt) return undefined;
  const { attempt, lines } = reservationAttempt;
  return { attempt, lines: await reserveGoods.ask(context, attempt, { id, lines }) };
}

/** Actions that end the invoicing of an order, by their target status. */
const STOP_ACTIONS: Partial<Record<SalesOrderStatus, 'hold' | 'cancel' | 'close'>> = {
  on_hold: 'hold',
  cancelled: 'cancel',
  closed: 'close',
};

/** Rejects an order with delivered or invoiced lines. @throws OrderHasProgress */
function assertNoProgress(order: { fulfilment_status: string; invoice_status: string }): void {
  if (order.fulfilment_status !== 'none' || ['partial', 'full'].includes(order.invoice_status))
    throw OrderHasProgress();
}

/**
 * Records that the drafts of an order are about to be deleted. Returns the sequence number. None for an order without drafts.
 * @throws InvoicingPending, before anything is deleted, while another request moves the order to another state
 */
async function beginStopping(db: Db, { caller, expect }: PrepareContext, id: string, status: SalesOrderStatus) {
  await lockOrder(db, id);
  const order = await find(db.salesOrder, id);
  assertVersion(order, expect);
  if (order.status === status || order.status === 'draft') return undefined;
  orderStates.assertFits(STOP_ACTIONS[status]!, order, caller);
  if (status === 'cancelled') assertNoProgress(order);
  return await claimStop(db, id, status);
}

/**
 * Has finance delete the drafts of an order and create none in future, before the transaction that changes the order.
 * @returns the sequence number up to which finance makes no drafts
 * @throws OrderHasProgress when cancelling an order with a posted invoice, InvoicingPending while an invoice is being
 * posted
 */
async function stopInvoicing(
  context: PrepareContext,
  id: string,
  status: SalesOrderStatus,
): Promise<number | undefined> {
  const sequence = await context.write((db) => beginStopping(db, context, id, status));
  if (sequence === undefined) return undefined;
  const unless_invoiced = status === 'cancelled';
  const request = { idempotency_key: `stop:${id}:${sequence}`, sales_order_id: id, sequence, unless_invoiced };
  try {
    const { posted_invoice_ids } = await context.rpc.finance.stopInvoicing(request);
    if (unless_invoiced && posted_invoice_ids.length > 0)
      throw OrderHasProgress({ sales_invoice_ids: posted_invoice_ids });
  } catch (error) {
    await context.write((db) => releaseStop(db, id, sequence));
    throw error instanceof Fault && error.code === 'stock_pending' ? InvoicingPending() : error;
  }
  return sequence;
}

/** Effects of a status change in other services. */
export interface PreparedState {
  held: Reservation | undefined;
  stopped: number | undefined;
}

/**
 * Runs the requests to other services that a status change needs. @throws a 422 if the body also changes other fields
 */
export async function prepareState(
  context: PrepareContext,
  id: string,
  { status, version: _, ...rest }: SalesOrderChanges,
): Promise<PreparedState> {
  if (Object.keys(rest).length > 0) throw invalid('status', 'Send the status alone, after everything else is saved.');
  return {
    held: status === 'confirmed' ? await reserveOrderGoods(context, id) : undefined,
    stopped: status && STOP_ACTIONS[status] ? await stopInvoicing(context, id, status) : undefined,
  };
}

/**
 * Confirms an order together with its reservation.
 * @throws ReservationPending if the reservation was released concurrently, or the order got lines with goods
 */
async function confirm(context: CommandContext, id: string, reservation: Reservation | undefined): Promise<void> {
  const { db, emit } = context;
  const before = await find(db.salesOrder, id);
  if (before.status !== 'draft') {
    // Resumes an order that was on hold. A confirmed order remains unchanged.
    if (await moveOrder(context, id, 'confirmed')) await updateProgress(db, id);
    return;
  }
  if (reservation) {
    await reserveGoods.complete(db, reservation.attempt);
  } else if ((await db.salesLine.count({ where: { sales_order_id: id, product_id: { not: null } } })) > 0) {
    // Lines were added after the check found nothing to reserve.
    throw ReservationPending();
  }
  await orderStates.move(db.salesOrder, id, 'confirm', { confirmed_at: clock.now() });
  const reserved = JSON.stringify(reservation?.lines ?? []);
  await db.rows(sql`
    UPDATE sales_lines SET held_qty = reserved.qty::numeric, reserved_qty = least(sales_lines.qty, reserved.qty::numeric)
    FROM jsonb_to_recordset(${reserved}::jsonb) AS reserved (line_id uuid, qty text)
    WHERE sales_lines.id = reserved.line_id AND sales_order_id = ${id}::uuid`);
  await updateProgress(db, id);
  const order_date = before.order_date.toISOString().slice(0, 10);
  const { customer_id } = before;
  emit(SalesOrderConfirmed, {
    sales_order_id: id,
    number: await assignNumber(db, 'sales_order', id, order_date),
    customer_id,
  });
}

/** Locks an order and moves it to another status. @throws InvalidTransition */
const moveOrder = async ({ db, caller }: CommandContext, id: string, to: SalesOrderStatus) =>
  await moveTo(orderStates, db.salesOrder, await find(db.salesOrder, id), to, { caller });

/** Releases the remaining reservation of an order that ends. */
async function endReservation(db: Db, id: string): Promise<void> {
  await reserveGoods.undoLater(db, id);
  await db.rows(
    sql`UPDATE sales_lines SET held_qty = 0, reserved_qty = 0 WHERE sales_order_id = ${id}::uuid AND held_qty > 0`,
  );
  await updateProgress(db, id);
}

/** Cancels an order without delivered or invoiced lines. Its quote can then be ordered again. */
async function cancel(context: CommandContext, id: string): Promise<void> {
  const { db, emit } = context;
  const before = await find(db.salesOrder, id);
  assertNoProgress(before);
  if (!(await moveOrder(context, id, 'cancelled'))) return;
  await endReservation(db, id);
  await reopenQuote(db, before.quote_id);
  emit(SalesOrderCancelled, { sales_order_id: id, number: before.number ?? '' });
}

async function close(context: CommandContext, id: string): Promise<void> {
  if (await moveOrder(context, id, 'closed')) await endReservation(context.db, id);
}

/** Changes the status of an order to the one in the body. Repeating the request changes nothing. */
export async function changeState(
  context: CommandContext,
  id: string,
  status: SalesOrderStatus,
  { expect, held: reservation, stopped }: PreparedState & { expect: number | undefined },
): Promise<SalesOrderRow> {
  const { db, caller } = context;
  await lockOrder(db, id);
  const before = await find(db.salesOrder, id);
  // Stopping the invoices has changed the version, after the caller's version was checked.
  if (stopped === undefined) assertVersion(before, expect);
  // A draft that was requested after the deletion of the drafts would outlive the order.
  const isStopped = before.status === 'draft' || before.status === status || before.invoicing_sequence === stopped;
  if (STOP_ACTIONS[status] && !isStopped) throw InvoicingPending();
  if (status === 'confirmed') await confirm(context, id, reservation);
  if (status === 'on_hold') await moveOrder(context, id, 'on_hold');
  if (status === 'cancelled') await cancel(context, id);
  if (status === 'closed') await close(context, id);
  if (stopped !== undefined) await releaseStop(db, id, stopped);
  return readOrder(db, caller, id);
}
