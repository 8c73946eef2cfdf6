/** Taking back what was posted: by opposite entries, never by a change. What a payment had settled is open again. */
import { find, sql } from '@suite/chassis';
import { PaymentVoided } from '@suite/proto/finance/v1/events';
import { booksOf } from '../books/books.ts';
import { assertUnreconciled } from '../banking/reconciliation.ts';
import { lockItems, unsettle } from '../ledger/open-item.ts';
import { reverseEntry } from '../ledger/journal.ts';
import { claimsChanged } from '../settlement/settlement.ts';
import type { Db, Work } from '../operations.ts';
import { allowedTo, CASH, type CashKind } from './cash-kind.ts';

/** Takes a payment back with all that it was set against. Its document must be held. */
async function voidPayment(work: Work, payment_id: string, narration: string): Promise<void> {
  const { db, emit } = work;
  // Held, so that nothing is allocated out of it in the meantime.
  await db.rows(sql`SELECT id FROM payments WHERE id = ${payment_id}::uuid FOR UPDATE`);
  const payment = await find(db.payment, payment_id);
  const item_id = payment.open_item_id as string;
  const parts = await db.rows<{ claim_id: string; journal_id: string; date: string }>(sql`
    SELECT claim_id, journal_id, date FROM allocations WHERE credit_id = ${item_id}::uuid ORDER BY date`);
  await lockItems(db, [item_id, ...parts.map(({ claim_id }) => claim_id)]);
  const journals = new Set([...parts.map(({ journal_id }) => journal_id), payment.journal_id]);
  const claims = await unsettle(db, item_id);
  await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${item_id}::uuid`);
  await db.rows(sql`UPDATE payments SET status = 'voided' WHERE id = ${payment_id}::uuid`);
  for (const journal_id of journals) await reverseEntry(db, journal_id, { narration });
  const last = parts.at(-1);
  if (last) await claimsChanged(work, claims, last.date);
  emit(PaymentVoided, { payment_id, number: payment.number });
}

/** Takes a posted revenue or expense back, with the payment that it made. @throws InvalidTransition, Reconciled, PeriodLocked */
export async function reverseCash(work: Work, kind: CashKind, id: string): Promise<void> {
  const { db, caller } = work;
  await booksOf(db, caller);
  const { states } = CASH[kind];
  const model = (kind === 'revenue' ? db.revenue : db.expense) as Db['revenue'];
  if (!(await states.move(model, id, 'reverse', {}, allowedTo(kind, caller)))) return;
  const document = await find(model, id);
  const { number, journal_id, payment_id } = document as {
    number: string;
    journal_id: string;
    payment_id: string | null;
  };
  await assertUnreconciled(db, journal_id);
  const narration = `${number} reversed`;
  if (payment_id) await voidPayment(work, payment_id, narration);
  else await reverseEntry(db, journal_id, { narration });
}
