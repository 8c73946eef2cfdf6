/**
 * Invoicing of the open quantities of an order. Finance compares the order with its invoices and drafts, and creates a
 * draft for the remainder.
 */
import { assertVersion, find, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import { exchangeRateOf, toDraftInvoice } from '@suite/document-lines';
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import type { z } from 'zod';
import type { Db, Read, Rpc, Write } from '../../operations.ts';
import { orderStates } from './sales-order.rules.ts';
import { readOrder } from './sales-order.view.ts';
import { SalesOrderDetails } from './sales-order.schema.ts';

/** Faults of finance when an order is invoiced. */
export const OtherDraft = fault(
  409,
  'other_draft',
  'A draft invoice with another exchange rate already exists. Change its rate, or delete it first.',
);
export const NothingToInvoice = fault(
  409,
  'nothing_to_invoice',
  'This order is completely invoiced. Cancel an invoice to invoice it again.',
);

export const InvoicingPending = fault(
  409,
  'invoicing_pending',
  'An invoice of this order is being created or posted. Try again in a moment.',
  { retryable: true },
);

/** Returns the next sequence number of an order's requests to finance. The order must be locked. */
export async function nextSequence(db: Db, id: string): Promise<number> {
  const [order] = await db.rows<{ invoicing_sequence: number }>(sql`
    UPDATE sales_orders SET invoicing_sequence = invoicing_sequence + 1 WHERE id = ${id}::uuid RETURNING invoicing_sequence`);
  return order!.invoicing_sequence;
}

const STOPPING_MS = 15_000;

/**
 * Reserves a locked order for one change of state that deletes its drafts, until that has committed or 15 seconds have
 * passed. Requests for the same state share the reservation.
 * @returns the sequence number of the request to finance
 * @throws InvoicingPending while the order is moved to another state
 */
export async function claimStop(db: Db, id: string, status: string): Promise<number> {
  const { stopping_status, stopping_until, invoicing_sequence } = await find(db.salesOrder, id);
  const isClaimed = stopping_until !== null && stopping_until > clock.now();
  if (isClaimed && stopping_status === status) return invoicing_sequence;
  if (isClaimed) throw InvoicingPending();
  const until = new Date(clock.now().getTime() + STOPPING_MS);
  await db.rows(sql`
    UPDATE sales_orders SET stopping_status = ${status}, stopping_until = ${until} WHERE id = ${id}::uuid`);
  return await nextSequence(db, id);
}

/** Releases the reservation of a request to finance. */
export const releaseStop = (db: Db, id: string, sequence: number): Promise<unknown> =>
  db.rows(sql`
    UPDATE sales_orders SET stopping_status = NULL, stopping_until = NULL
    WHERE id = ${id}::uuid AND invoicing_sequence = ${sequence} AND stopping_until IS NOT NULL`);

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  read: Read;
  write: Write;
  expect: number | undefined;
}

type InvoiceableOrder = z.output<typeof SalesOrderDetails>;

/** Builds the finance request that invoices an order. */
const requestOf = (
  order: InvoiceableOrder,
  caller: Caller,
  more: Pick<CreateDraftInvoiceRequest, 'sequence' | 'rate' | 'dry_run'>,
): CreateDraftInvoiceRequest => ({
  idempotency_key: `${order.id}:${more.sequence}`,
  invoice_date: today(caller.timezone),
  reference: order.reference ?? order.number ?? '',
  notes: '',
  customer_id: order.customer_id,
  currency: order.currency,
  warehouse_id: order.warehouse_id,
  proposal_id: '',
  sales_order_id: order.id,
  lines: toDraftInvoice(order.lines, 'sales_order'),
  discount: order.discount ?? undefined,
  ...more,
});

/**
 * Assigns the sequence number of a request. A request with a lower number than a cancellation creates no draft.
 * @throws InvoicingPending while drafts of the order are being deleted
 */
const assignSequence = ({ caller, write }: PrepareContext, id: string) =>
  write(async (db) => {
    await db.rows(sql`SELECT id FROM sales_orders WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
    orderStates.assertFits('invoice', await readOrder(db, caller, id), caller);
    const { stopping_until } = await find(db.salesOrder, id);
    if (stopping_until && stopping_until > clock.now()) throw InvoicingPending();
    return await nextSequence(db, id);
  });

/**
 * Requests a draft for the remainder of a confirmed order from finance, before the transaction. Finance receives the
 * whole order and subtracts its invoices and drafts. If nothing remains, the response is the latest draft, so a
 * repeated request finds it.
 * @returns the draft. Without its ID in a dry run
 * @throws InvalidTransition, Stale, NothingToInvoice, OtherDraft; a 422 for a missing `rate`
 */
export async function prepareOrderInvoice(
  context: PrepareContext,
  id: string,
  { dry_run, rate = '' }: { dry_run: boolean; rate?: string | undefined },
) {
  const { caller, rpc, read, expect } = context;
  const order = SalesOrderDetails.parse(await read((db) => readOrder(db, caller, id)));
  assertVersion(order, expect);
  orderStates.assertFits('invoice', order, caller);
  const sequence = dry_run ? 0 : await assignSequence(context, id);
  const draft = await rpc.finance.createDraftInvoice(requestOf(order, caller, { sequence, rate, dry_run }));
  return { invoice_id: dry_run ? null : draft.sales_invoice_id, exchange_rate: exchangeRateOf(draft, caller) };
}
