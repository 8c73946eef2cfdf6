/** Spending notes: what is left of one is set against other invoices of the same party, or goes back as money. */
import { randomUUIDv7 } from 'node:crypto';
import { fault, invalid, midnight, NotFound, sql, today } from '@suite/chassis';
import { isZero, toBase } from '@suite/money';
import { type Books, booksOf } from '../books/books.ts';
import { usableBank } from '../banking/bank-account.ts';
import { assertAmount } from '../ledger/amount.rules.ts';
import { openOf, OverAllocated } from '../ledger/claims.rules.ts';
import { claimsOf, type InvoicePart } from '../payments/payment.ts';
import { partyOf, type Side, SIDES } from '../documents/kind.ts';
import { lockItems, openItem } from '../ledger/claims.ts';
import { postEntry } from '../ledger/journal.ts';
import { toBaseCurrency, credit, debit, type Party } from '../ledger/journal.rules.ts';
import { applyCredit } from '../settlement/settlement.ts';
import { takeNumber } from '../numbers/number.ts';
import type { Db, CommandContext } from '../operations.ts';
import type { RefundInput } from './note.schema.ts';

interface Note {
  number: string;
  party_id: string;
  open_item_id: string;
  date: string;
  currency: string;
  rate: string;
}

export const NoteIsDraft = fault(409, 'note_is_draft', 'This note is a draft until its return is completed.');

/** A note of this side of the books. @throws NotFound, NoteIsDraft */
async function noteOf(db: Db, trade: Side, id: string): Promise<Note> {
  const [note] = await db.rows<Note>(sql`
    SELECT number, coalesce(customer_id, vendor_id) AS party_id, open_item_id, date, currency, rate FROM notes
    WHERE id = ${id}::uuid AND kind = ${trade === 'sales' ? 'credit' : 'debit'}`);
  if (!note) throw NotFound();
  if (!note.open_item_id) throw NoteIsDraft();
  return note;
}

/** The day on which a note is spent. @throws a 422 for one before the note */
function dayFor(note: Note, date: string | undefined, { timezone }: Books): string {
  const day = date ?? today(timezone);
  if (day < note.date) throw invalid('date', 'This is before the note.');
  return day;
}

/** Sets what is left of a note against invoices. @throws OverAllocated, CurrencyMismatch, PeriodLocked */
export async function applyNote(
  work: CommandContext,
  trade: Side,
  id: string,
  { allocations, date }: { allocations: readonly InvoicePart[]; date?: string | undefined },
): Promise<void> {
  const { db } = work;
  const note = await noteOf(db, trade, id);
  const asked = await claimsOf(db, partyOf(trade, note.party_id), allocations, 'allocations');
  await applyCredit(work, { credit_id: note.open_item_id, allocations: asked, date });
}

/** How much goes back: all that is left, unless less is said. The note's item is locked. @throws a 422, OverAllocated */
async function amountOf(db: Db, note: Note, asked: string | undefined): Promise<string> {
  const item = (await lockItems(db, [note.open_item_id])).get(note.open_item_id)!;
  const left = openOf(item);
  if (isZero(left)) throw OverAllocated({ left });
  if (asked === undefined) return left;
  assertAmount(asked, note.currency, 'amount');
  if (isZero(asked)) throw invalid('amount', 'Say how much goes back.');
  return asked;
}

interface Money {
  party: Party;
  bank: { gl_account_id: string };
  amount: string;
  open_item_id: string;
}

/** Books the refund: money to a customer leaves the bank, money from a vendor comes in. */
function sidesOf(trade: Side, { party, bank, amount, open_item_id }: Money) {
  const account = { id: bank.gl_account_id };
  const control = { party, open_item_id };
  return trade === 'sales'
    ? [debit('receivable', amount, control), credit(account, amount)]
    : [debit(account, amount), credit('payable', amount, control)];
}

/**
 * Pays what is left of a note back. Chosen: a refund is a claim of its own on the party, which the note settles, so that
 * open items, statements and ageing need to know nothing of refunds. It is booked at the rate of the note.
 * @throws OverAllocated, PeriodLocked, a 422 that names the field
 */
export async function refundNote(work: CommandContext, trade: Side, id: string, input: RefundInput): Promise<void> {
  const { db, caller } = work;
  const books = await booksOf(db, caller);
  const note = await noteOf(db, trade, id);
  const { currency, rate, party_id } = note;
  const date = dayFor(note, input.date, books);
  const bank = await usableBank(db, input.bank_account_id, currency);
  const amount = await amountOf(db, note, input.amount);
  const party = partyOf(trade, party_id);
  const refund_id = randomUUIDv7();
  const { number } = await takeNumber(db, 'refund', date);
  const { id: open_item_id } = await openItem(db, {
    kind: 'claim',
    party,
    document_type: 'refund',
    document_id: refund_id,
    number,
    date,
    due_date: date,
    role: SIDES[trade].claim_role,
    currency,
    rate,
    amount,
    base_amount: toBase(amount, rate, books.base_currency),
  });
  const entry = await postEntry(db, {
    date,
    scope: SIDES[trade].scope,
    source_type: 'refund',
    source_id: refund_id,
    purpose: 'post',
    narration: `${number}: refund of ${note.number}`,
    reference: input.reference ?? null,
    lines: toBaseCurrency(sidesOf(trade, { party, bank, amount, open_item_id }), {
      currency,
      rate,
      base_currency: books.base_currency,
    }),
  });
  const { method = 'bank', reference = null } = input;
  await db.refund.create({
    data: {
      id: refund_id,
      number,
      note_id: id,
      date: midnight(date),
      bank_account_id: bank.id,
      method,
      amount,
      currency,
      rate,
      reference,
      journal_id: entry.id,
      open_item_id,
    },
  });
  await applyCredit(work, { credit_id: note.open_item_id, allocations: [{ open_item_id, amount }], date });
}
