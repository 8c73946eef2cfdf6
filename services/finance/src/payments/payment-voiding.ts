/** Voiding payments: by opposite entries, never by a change. What one had settled is open again. */
import { find, sql } from '@suite/chassis';
import { PaymentVoided } from '@suite/proto/finance/v1/events';
import { assertNotBefore } from '../ledger/claims.rules.ts';
import { reverseEntry } from '../ledger/journal.ts';
import { lockItems, unsettle } from '../ledger/claims.ts';
import type { CommandContext } from '../operations.ts';
import { undoEntriesOf } from '../settlement/deallocation.ts';
import { claimsChanged } from '../settlement/settlement.ts';
import type { PartyKind } from '../parties/party-kind.ts';
import { paymentStates } from '../banking/reconciliation.rules.ts';

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Voids a payment with its allocations. Its document must be locked.
 * @param date of all reversals; otherwise each entry is reversed on its own day
 * @throws BeforeDocument
 */
export async function voidPayment(
  work: CommandContext,
  payment_id: string,
  { narration, date }: { narration: string; date?: string | undefined },
): Promise<void> {
  const { db, emit } = work;
  // Held, so that nothing is allocated out of it in the meantime.
  await db.rows(sql`SELECT id FROM payments WHERE id = ${payment_id}::uuid FOR UPDATE`);
  const payment = await find(db.payment, payment_id);
  const item_id = payment.open_item_id as string;
  const parts = await db.rows<{ claim_id: string; journal_id: string; date: string; number: string }>(sql`
    SELECT part.claim_id, part.journal_id, part.date, 'The settlement of ' || claim.number AS number
    FROM allocations AS part JOIN open_items AS claim ON claim.id = part.claim_id
    WHERE part.credit_id = ${item_id}::uuid ORDER BY part.date`);
  await lockItems(db, [item_id, ...parts.map(({ claim_id }) => claim_id)]);
  if (date) assertNotBefore(date, [{ date: dayOf(payment.date), number: payment.number }, ...parts]);
  const journals = new Set([...parts.map(({ journal_id }) => journal_id), payment.journal_id]);
  const claims = await unsettle(db, item_id);
  await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${item_id}::uuid`);
  await paymentStates[payment.kind as PartyKind].move(db.payment, payment_id, 'void');
  // An allocation that was undone on its own is a part of such an entry, and its opposite entry is reversed with it.
  const undone = await undoEntriesOf(db, journals);
  for (const journal_id of [...journals, ...undone])
    await reverseEntry(db, journal_id, { ...(date && { date }), narration });
  const last = parts.at(-1);
  if (last) await claimsChanged(work, claims, date ?? last.date);
  emit(PaymentVoided, { payment_id, number: payment.number });
}
