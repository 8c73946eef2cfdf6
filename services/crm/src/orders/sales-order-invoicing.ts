/** Invoicing the open quantities of an order. Finance makes one draft per key, however often it is asked. */
import { assertSeen, type Caller, type Discount, Fault, fault, sql, today } from '@suite/chassis';
import { toDraftInvoice } from '@suite/document-lines';
import { orderStates } from './sales-order.rules.ts';
import { isZero, portion, type Progress, subtract, sum } from '@suite/money';
import type { CreateDraftInvoiceRequest } from '@suite/proto/finance/v1/finance';
import type { z } from 'zod';
import type { Db, Read, Rpc } from '../operations.ts';
import { readOrder } from './sales-order.view.ts';
import { SalesOrderDetails } from './sales-order.schema.ts';

/** An order as everybody sees it. */
type Ordered = z.output<typeof SalesOrderDetails>;

/** How far a line has come: `now` is what nobody has invoiced yet. */
interface LineProgress extends Progress {
  id: string;
  gross: string;
}

const progressOf = (db: Db, id: string) =>
  db.rows<LineProgress>(sql`
    SELECT id, gross, trim_scale(qty)::text AS whole, trim_scale(qty_invoiced)::text AS before,
      trim_scale(qty - qty_invoiced)::text AS now
    FROM sales_lines WHERE sales_order_id = ${id}::uuid AND qty_invoiced < qty`);

/** The open part of a discount: a percentage as it is, an amount in proportion. */
function discountLeft(discount: Discount | null, progress: Progress, currency: string): Discount | undefined {
  if (discount?.type !== 'amount') return discount ?? undefined;
  const value = portion(discount.value, progress, currency);
  return isZero(value) ? undefined : { type: 'amount', value };
}

/** The quantities that no invoice has yet. However an order is split, its invoices add up to it. */
function leftOf(
  { lines, discount, subtotal, currency }: Ordered,
  progress: readonly LineProgress[],
): Pick<CreateDraftInvoiceRequest, 'lines' | 'discount'> {
  const left = new Map(progress.map((line) => [line.id, line]));
  const now = sum(
    progress.map((line) => portion(line.gross, line, currency)),
    currency,
  );
  const header = { whole: subtotal, before: subtract(subtotal, now, currency), now };
  const open = lines.flatMap((line) => {
    const own = left.get(line.id);
    return own ? [{ ...line, qty: own.now, discount: discountLeft(line.discount, own, currency) ?? null }] : [];
  });
  return { lines: toDraftInvoice(open), discount: isZero(now) ? undefined : discountLeft(discount, header, currency) };
}

export const OtherDraft = fault(
  409,
  'other_draft',
  'There is a draft invoice of this order for other quantities already. Post it or delete it first.',
);

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  read: Read;
  expect: number | undefined;
}

/**
 * Has finance make a draft of what is left of a confirmed order; before the transaction. The key counts the invoices that
 * were posted for the order: until one more is, a repeat finds the same draft, and nothing is invoiced twice.
 * Chosen: an order is invoiced in parts by what the draft says when it is posted; what it leaves is in the next draft.
 * @returns the id of the draft; null in a dry run
 * @throws InvalidTransition, Stale, OtherDraft
 */
export async function prepareInvoice({ caller, rpc, read, expect }: PrepareContext, id: string, dry_run: boolean) {
  const { order, progress } = await read(async (db) => ({
    order: SalesOrderDetails.parse(await readOrder(db, caller, id)),
    progress: await progressOf(db, id),
  }));
  assertSeen(order, expect);
  const { invoices } = order;
  orderStates.assertFits('invoice', order, caller);
  // In a dry run, nobody is asked.
  if (dry_run) return null;
  const asked = rpc.finance.createDraftInvoice({
    idempotency_key: `${id}:${invoices.length}`,
    invoice_date: today(caller.timezone),
    reference: order.reference ?? order.number ?? '',
    notes: '',
    customer_id: order.customer_id,
    currency: order.currency,
    warehouse_id: order.warehouse_id,
    proposal_id: '',
    sales_order_id: id,
    ...leftOf(order, progress),
  });
  // The key is bound to what is left of the order, which is more again when a posted invoice was cancelled.
  const { sales_invoice_id } = await asked.catch((error: unknown) => {
    throw error instanceof Fault && error.code === 'key_reused' ? OtherDraft() : error;
  });
  return sales_invoice_id;
}
