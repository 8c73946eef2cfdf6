/** Refunds of the remainder of a note or a payment, and their reversal. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { assertExact } from '@suite/document-lines';
import { isZero, toBase } from '@suite/money';
import { lockUsableBank } from '../../banking/banking/bank-account.ts';
import { assertUnreconciled } from '../../banking/banking/reconciliation.ts';
import { booksOf } from '../../ledger/books/books.ts';
import { partyOf, type Side, SIDES } from '../../invoices/documents/side.ts';
import { assertNotBefore, openOf, OverAllocated } from '../../ledger/ledger/open-items.rules.ts';
import { lockItems, openItem, undoSettlements } from '../../ledger/ledger/open-items.ts';
import { postEntry, reverseEntry } from '../../ledger/ledger/journal.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { applyCredit } from '../settlement/settlement.ts';
import { refundLines, refundStates } from './refund.rules.ts';
import { Refund, type RefundInput } from './refund.schema.ts';

/** Note or payment whose remainder can be refunded. */
export interface RefundableCredit {
  number: string;
  party_id: string;
  open_item_id: string;
  date: string;
  currency: string;
  rate: string;
}

/**
 * Returns the amount to refund, by default the whole open amount. Locks the item of the credit. @throws a 422,
 * OverAllocated
 */
async function amountOf(
  db: Db,
  { open_item_id, currency }: RefundableCredit,
  requested: string | undefined,
): Promise<string> {
  const item = (await lockItems(db, [open_item_id])).get(open_item_id)!;
  const openAmount = openOf(item);
  if (isZero(openAmount)) throw OverAllocated({ left: openAmount });
  if (requested === undefined) return openAmount;
  assertExact(requested, currency, 'amount');
  if (isZero(requested)) throw invalid('amount', 'Enter an amount greater than zero.');
  return requested;
}

/**
 * Refunds the remainder of a credit, or a part. Chosen: a refund is a separate claim on the party, which the credit
 * settles. So open items, statements and ageing need no rule for refunds. The refund has the rate of the credit.
 * @param owner the column of the note or payment, and its ID
 * @throws OverAllocated, BeforeDocument, PeriodLocked, a 422 that names the field
 */
export async function refundCredit(
  context: CommandContext,
  side: Side,
  { source, owner }: { source: RefundableCredit; owner: { note_id: string } | { payment_id: string } },
  input: RefundInput,
): Promise<void> {
  const { db, caller } = context;
  const { base_currency, timezone } = await booksOf(db, caller);
  const { currency, rate, party_id, open_item_id: credit_id } = source;
  const { date = today(timezone), method = 'bank', reference = null } = input;
  assertNotBefore(date, [source]);
  const bank = await lockUsableBank(db, input.bank_account_id, currency);
  const amount = await amountOf(db, source, input.amount);
  const party = partyOf(side, party_id);
  const id = randomUUIDv7();
  const { number } = await issueNumber(db, 'refund', date);
  const { id: open_item_id } = await openItem(db, {
    kind: 'claim',
    party,
    document_type: 'refund',
    document_id: id,
    number,
    date,
    due_date: date,
    role: SIDES[side].claim_role,
    currency,
    rate,
    amount,
    base_amount: toBase(amount, rate, base_currency),
  });
  const entry = await postEntry(db, {
    date,
    scope: SIDES[side].scope,
    source_type: 'refund',
    source_id: id,
    purpose: 'post',
    narration: `${number}: refund of ${source.number}`,
    reference,
    lines: toBaseCurrency(refundLines(side, { party, bank, amount, open_item_id }), { currency, rate, base_currency }),
  });
  const columns = { id, number, ...owner, bank_account_id: bank.id, method, amount, currency, rate, reference };
  await db.refund.create({ data: { ...columns, date: midnight(date), journal_id: entry.id, open_item_id } });
  await applyCredit(context, { credit_id, allocations: [{ open_item_id, amount }], date });
}

interface PostedRefund {
  number: string;
  date: string;
  journal_id: string;
  open_item_id: string;
}

/** Returns a refund of this side. @throws NotFound */
async function refundOf(db: Db, side: Side, id: string): Promise<PostedRefund> {
  const [refund] = await db.rows<PostedRefund>(sql`
    SELECT refund.number, refund.date, refund.journal_id, refund.open_item_id FROM refunds AS refund
    JOIN open_items AS item ON item.id = refund.open_item_id
    WHERE refund.id = ${id}::uuid AND (item.customer_id IS NOT NULL) = ${side === 'sales'}`);
  if (!refund) throw NotFound();
  return refund;
}

/**
 * Reverses a refund: the money returns to the bank account, and the note or advance is open again. Repeating has no effect.
 * @param date of both reversals. By default each entry is reversed on its own day
 * @throws Reconciled, BeforeDocument, PeriodLocked
 */
export async function reverseRefund(
  { db, caller }: CommandContext,
  side: Side,
  id: string,
  date?: string,
): Promise<void> {
  const { number, date: day, journal_id, open_item_id } = await refundOf(db, side, id);
  if (!(await refundStates[side].move(db.refund, id, 'reverse', {}, caller))) return;
  if (date) assertNotBefore(date, [{ date: day, number }]);
  else await assertUnreconciled(db, journal_id);
  const parts = await db.rows<{ id: string; credit_id: string }>(sql`
    SELECT id, credit_id FROM allocations WHERE claim_id = ${open_item_id}::uuid`);
  await lockItems(db, [open_item_id, ...parts.map(({ credit_id }) => credit_id)]);
  const undone = await undoSettlements(
    db,
    parts.map((part) => part.id),
  );
  await db.rows(sql`UPDATE open_items SET voided = TRUE WHERE id = ${open_item_id}::uuid`);
  for (const entry_id of new Set([...undone.map((part) => part.journal_id), journal_id]))
    await reverseEntry(db, entry_id, { ...(date && { date }), narration: `${number} reversed` });
}

/** Reads a refund for a caller. */
export const readRefund = (db: Db, caller: Caller, side: Side, id: string) =>
  readOne(db, Refund, id, {
    table: 'refunds',
    compute: { allowed_actions: refundStates[side].shownTo(caller, 'refunds') },
  });
