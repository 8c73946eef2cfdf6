/** Remainder of a payment: allocation to later invoices, refunds, and deallocation. */
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { CommandContext, Db } from '../../operations.ts';
import type { PartyKind } from '../../parties/party-kind.ts';
import { refundCredit, type RefundableCredit } from '../refunds/refund.ts';
import type { RefundInput } from '../refunds/refund.schema.ts';
import { undoAllocations } from '../settlement/deallocation.ts';
import { applyCredit } from '../settlement/settlement.ts';
import { claimsOf, type InvoicePart } from './payment.ts';

/** Locks a payment with an open item. @throws NotFound for a payment of the other kind; a 422 for a payment of a POS order */
async function lockPayment(db: Db, kind: PartyKind, id: string, field: string): Promise<RefundableCredit> {
  const [payment] = await db.rows<RefundableCredit & { open_item_id: string | null; party_id: string | null }>(sql`
    SELECT number, open_item_id, coalesce(customer_id, vendor_id) AS party_id, date, currency, rate
    FROM payments WHERE id = ${id}::uuid AND kind = ${kind} FOR UPDATE`);
  if (!payment) throw NotFound();
  if (!payment.open_item_id || !payment.party_id) {
    throw invalid(field, 'This payment settled a POS order in full. Choose another payment.');
  }
  return payment;
}

/**
 * Allocates the remainder of a payment. @throws OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked; NotFound
 * for a payment of the other kind
 */
export async function allocatePayment(
  context: CommandContext,
  kind: PartyKind,
  id: string,
  { allocations, date }: { allocations: readonly InvoicePart[]; date?: string | undefined },
): Promise<void> {
  const { open_item_id: credit_id, party_id } = await lockPayment(context.db, kind, id, 'allocations');
  const claims = await claimsOf(context.db, { kind, id: party_id }, allocations, 'allocations');
  await applyCredit(context, { credit_id, allocations: claims, date });
}

/** Undoes allocations of a payment. @throws RefundAllocation, BeforeDocument, PeriodLocked, NotFound */
export async function deallocatePayment(
  context: CommandContext,
  kind: PartyKind,
  id: string,
  input: { allocation_ids: readonly string[]; date?: string | undefined },
): Promise<void> {
  const { open_item_id: credit_id } = await lockPayment(context.db, kind, id, 'allocation_ids');
  await undoAllocations(context, { credit_id, ...input });
}

/** Refunds the remainder of a payment, or a part. @throws OverAllocated, BeforeDocument, PeriodLocked, NotFound */
export async function refundPayment(
  context: CommandContext,
  kind: PartyKind,
  id: string,
  input: RefundInput,
): Promise<void> {
  const source = await lockPayment(context.db, kind, id, 'amount');
  const side = kind === 'customer' ? 'sales' : 'purchase';
  await refundCredit(context, side, { source, owner: { payment_id: id } }, input);
}
