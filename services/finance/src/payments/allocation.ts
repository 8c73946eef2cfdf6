/** Allocating the rest of a payment to later invoices. */
import { invalid, NotFound, sql } from '@suite/chassis';
import type { PartyKind } from '../parties/party-kind.ts';
import { applyCredit } from '../settlement/settlement.ts';
import type { CommandContext } from '../operations.ts';
import { claimsOf, type InvoicePart } from './payment.ts';

/** @throws OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked; NotFound for a payment of the other kind */
export async function allocatePayment(
  work: CommandContext,
  kind: PartyKind,
  id: string,
  { allocations, date }: { allocations: readonly InvoicePart[]; date?: string | undefined },
): Promise<void> {
  const { db } = work;
  const [payment] = await db.rows<{
    open_item_id: string | null;
    party_id: string | null;
  }>(sql`
    SELECT open_item_id, coalesce(customer_id, vendor_id) AS party_id
    FROM payments WHERE id = ${id}::uuid AND kind = ${kind} FOR UPDATE`);
  if (!payment) throw NotFound();
  const { open_item_id: credit_id, party_id } = payment;
  if (!credit_id || !party_id) throw invalid('allocations', 'A till sale was paid at once: nothing of it is left.');
  const asked = await claimsOf(db, { kind, id: party_id }, allocations, 'allocations');
  await applyCredit(work, { credit_id, allocations: asked, date });
}
