/** Voiding of payments: by reversing entries, never by a change. The settled amounts become outstanding again. */
import { find, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { PaymentVoided } from '@suite/proto/finance/v1/events';
import { assertNotBefore } from '../../ledger/ledger/open-items.rules.ts';
import { reverseEntry } from '../../ledger/ledger/journal.ts';
import { lockItems, unsettle } from '../../ledger/ledger/open-items.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { undoEntriesOf } from '../settlement/deallocation.ts';
import { updateSettledDocuments, latestDate } from '../settlement/settlement.ts';
import type { PartyKind } from '../../parties/party-kind.ts';
import { paymentStates } from '../../banking/banking/reconciliation.rules.ts';

export const PaymentRefunded = fault(
  409,
  'payment_refunded',
  'Part of this payment has been refunded. Reverse the refund first.',
);

/** Rejects a payment with a refund that is not reversed. @throws PaymentRefunded with the refunds */
async function assertNotRefunded(db: Db, payment_id: string): Promise<void> {
  const refunds = await db.rows<{ id: string; number: string }>(sql`
    SELECT id, number FROM refunds WHERE payment_id = ${payment_id}::uuid AND status = 'posted' ORDER BY number`);
  if (refunds.length > 0) throw PaymentRefunded({ refunds });
}

/** Returns the last days on which an item changed: by any entry, and by entries other than these. */
async function lastChanges(db: Db, item_id: string, entries: readonly string[]) {
  const [last] = await db.rows<{ any: string; other: string | null }>(sql`
    SELECT max(date)::text AS any, max(date) FILTER (WHERE entry_id <> ALL(${entries}::uuid[]))::text AS other
    FROM journal_lines WHERE open_item_id = ${item_id}::uuid AND amount <> 0`);
  return last!;
}

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Voids a payment with its allocations. Its document must be locked.
 * @param date of all reversals. By default each entry is reversed on its own day, or all entries on the day when an
 * allocation or a refund of the payment was last undone
 * @throws PaymentRefunded, BeforeDocument
 */
export async function voidPayment(
  context: CommandContext,
  payment_id: string,
  { narration, date: requestedDate }: { narration: string; date?: string | undefined },
): Promise<void> {
  const { db, emit } = context;
  // Locked, so that the payment cannot be allocated concurrently.
  await db.rows(sql`SELECT id FROM payments WHERE id = ${payment_id}::uuid FOR UPDATE`);
  const payment = await find(db.payment, payment_id);
  const item_id = payment.open_item_id as string;
  await assertNotRefunded(db, payment_id);
  const parts = await db.rows<{ claim_id: string; journal_id: string; date: string; number: string }>(sql`
    SELECT part.claim_id, part.journal_id, part.date, 'The settlement of ' || claim.number AS number
    FROM allocations AS part JOIN open_items AS claim ON claim.id = part.claim_id
    WHERE part.credit_id = ${item_id}::uuid ORDER BY part.date`);
  await lockItems(db, [item_id, ...parts.map(({ claim_id }) => claim_id)]);
  const journals = new Set([...parts.map(({ journal_id }) => journal_id), payment.journal_id]);
  // A separately undone allocation is part of such an entry, so its reversal must be reversed, too.
  const entries = [...journals, ...(await undoEntriesOf(db, journals))];
  const last = await lastChanges(db, item_id, entries);
  const documents = [{ date: dayOf(payment.date), number: payment.number }, ...parts];
  if (requestedDate)
    assertNotBefore(requestedDate, [...documents, { date: last.any, number: `The last change of ${payment.number}` }]);
  const date = requestedDate ?? (last.other ? latestDate(last.other, documents) : undefined);
  const claims = await unsettle(db, item_id);
  await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${item_id}::uuid`);
  await paymentStates[payment.kind as PartyKind].move(db.payment, payment_id, 'void');
  for (const journal_id of entries) await reverseEntry(db, journal_id, { ...(date && { date }), narration });
  const latest = parts.at(-1);
  if (latest) await updateSettledDocuments(context, claims, date ?? latest.date);
  emit(PaymentVoided, { payment_id, number: payment.number });
}
