/** Payments of customers and to vendors, with the claims that they settled. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { PaymentRecorded } from '@suite/proto/finance/v1/events';
import { compare, roundTo, subtract, sum, toBase } from '@suite/money';
import type { Books } from '../../ledger/books/books.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import {
  type RequestedSettlement,
  OverAllocated,
  type SettlementPart,
  planSettlements,
  type Settlement,
} from '../../ledger/ledger/open-items.rules.ts';
import { lockItems, openItem, openSince, settleOpenItem } from '../../ledger/ledger/open-items.ts';
import { toBaseCurrency, type Party } from '../../ledger/ledger/journal.rules.ts';
import { applyCredit, updateSettledDocuments, latestDate } from '../settlement/settlement.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { paymentLines } from './payment.rules.ts';

/** Amount of an invoice or bill to settle. */
export interface InvoicePart extends SettlementPart {
  invoice_id: string;
}

/** Invoice to settle, with its currency, number and outstanding amount. */
interface RequestedClaim extends RequestedSettlement {
  currency: string;
  number: string;
  open: string;
}

/** Returns the open items of the given invoices. @throws a 422 if one is not an invoice of this party */
export async function claimsOf(
  db: Db,
  party: Party,
  parts: readonly InvoicePart[],
  field: string,
): Promise<RequestedClaim[]> {
  const rows = await db.rows<{ id: string; document_id: string; currency: string; number: string; open: string }>(sql`
    SELECT id, document_id, currency, number, CASE WHEN voided THEN 0 ELSE amount - settled END AS open FROM open_items
    WHERE document_id = ANY(${parts.map(({ invoice_id }) => invoice_id)}::uuid[]) AND kind = 'claim'
      AND coalesce(customer_id, vendor_id) = ${party.id}::uuid`);
  const items = new Map(rows.map((item) => [item.document_id, item]));
  return parts.map(({ invoice_id, amount, rate }, at) => {
    const item = items.get(invoice_id);
    if (!item) throw invalid(`${field}.${at}.invoice_id`, 'Invoice of this customer or vendor not found.');
    const { id: open_item_id, currency, number, open } = item;
    return { open_item_id, currency, number, open: roundTo(open, currency), amount, rate };
  });
}

/**
 * Checks that a draft could be posted now: each invoice occurs once, with at most its outstanding amount.
 * @throws OverAllocated with the invoice; a 422 that names the field
 */
export function assertAllocatable(
  claims: readonly RequestedClaim[],
  parts: readonly InvoicePart[],
  field: string,
): void {
  claims.forEach(({ open_item_id, amount, open, number }, at) => {
    if (claims.findIndex((other) => other.open_item_id === open_item_id) !== at) {
      throw invalid(`${field}.${at}.invoice_id`, 'Enter each invoice only once.');
    }
    const { invoice_id } = parts[at]!;
    if (compare(amount, open) > 0) throw OverAllocated({ field: `${field}.${at}.amount`, invoice_id, number, open });
  });
}

/** Payment to post for a document. */
export interface NewPayment {
  party: Party;
  date: string;
  bank: { id: string; gl_account_id: string };
  method: string;
  amount: string;
  currency: string;
  rate: string;
  reference: string | null;
  source: 'revenue' | 'expense' | 'manual';
  source_id: string;
  /** Text of the entry. The document number is already assigned. */
  narration: string;
  allocations: readonly InvoicePart[];
  field: string;
}

async function postPayment(
  db: Db,
  payment: NewPayment,
  prepared: { item_id: string; base_amount: string; settlements: Settlement[] },
  books: Books,
) {
  const { party, amount, currency, rate, date, source, source_id, bank, reference, narration } = payment;
  const { base_currency } = books;
  const { item_id: open_item_id, base_amount, settlements } = prepared;
  const allocated = sum(
    settlements.map((one) => one.credit_amount),
    currency,
  );
  const spent = sum(
    settlements.map((one) => one.credit_base),
    base_currency,
  );
  const sides = paymentLines({
    bank: { id: bank.gl_account_id },
    party,
    amount,
    base_amount,
    settlements,
    open_item_id,
    rest: subtract(amount, allocated, currency),
    rest_base: subtract(base_amount, spent, base_currency),
  });
  return await postEntry(db, {
    date,
    source_type: source,
    source_id,
    purpose: 'post',
    narration,
    reference,
    scope: party.kind === 'customer' ? 'sales' : 'purchases',
    lines: toBaseCurrency(sides, { currency, rate, base_currency }),
  });
}

async function insertPayment(
  db: Db,
  { party, date, method, amount, currency, rate, bank, reference, source, source_id }: NewPayment,
  known: { id: string; number: string; journal_id: string; open_item_id: string },
): Promise<void> {
  await db.payment.create({
    data: {
      ...known,
      kind: party.kind,
      date: midnight(date),
      method,
      amount,
      currency,
      rate,
      [party.kind === 'customer' ? 'customer_id' : 'vendor_id']: party.id,
      bank_account_id: bank.id,
      reference,
      source,
      source_id,
    },
  });
}

/**
 * Posts a payment and settles its invoices. The remainder is an advance that can be allocated to later invoices.
 * @throws OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked
 */
export async function recordPayment(
  context: CommandContext,
  payment: NewPayment,
  books: Books,
): Promise<{ id: string; journal_id: string }> {
  const { db, emit } = context;
  const { party, date, currency, rate, amount, allocations, field } = payment;
  const { base_currency } = books;
  const requestedClaims = await claimsOf(db, party, allocations, field);
  const claims = await lockItems(
    db,
    requestedClaims.map(({ open_item_id }) => open_item_id),
  );
  const base_amount = toBase(amount, rate, base_currency);
  const nothing = { settled: '0', base_settled: '0' };
  const spent = { amount, base_amount, ...nothing, currency, party, date, number: 'This payment' };
  const open = await openSince(
    db,
    requestedClaims.map(({ open_item_id: id, amount: part }) => ({ id, amount: part })),
  );
  const dayOf = ({ open_item_id }: RequestedSettlement) => open.get(open_item_id)!.date;
  const isLater = (part: RequestedSettlement) => dayOf(part) > date;
  // All settlements together must fit, including later ones.
  planSettlements(spent, claims, requestedClaims, { base_currency, field, date: latestDate(date, claims.values()) });
  const today = requestedClaims.filter((part) => !isLater(part));
  const settlements = planSettlements(spent, claims, today, { base_currency, field, date });
  const id = randomUUIDv7();
  const { number } = await issueNumber(db, `${party.kind as 'customer' | 'vendor'}_payment`, date);
  const { id: item_id } = await openItem(db, {
    kind: 'credit',
    party,
    document_type: `${party.kind}_payment`,
    document_id: id,
    number,
    date,
    due_date: date,
    currency,
    rate,
    amount,
    base_amount,
    role: party.kind === 'customer' ? 'customer_advances' : 'vendor_advances',
  });
  const entry = await postPayment(db, payment, { item_id, base_amount, settlements }, books);
  await insertPayment(db, payment, { id, number, journal_id: entry.id, open_item_id: item_id });
  await settleOpenItem(db, { credit_id: item_id, settlements, date, journal_id: entry.id });
  await updateSettledDocuments(
    context,
    settlements.map(({ claim }) => claim.id),
    date,
  );
  // Chosen: a payment before the date of its invoice is an advance until that date. The same applies while another
  // payment still settled the invoice and was reversed on a later day.
  const later = Map.groupBy(requestedClaims.filter(isLater), dayOf);
  for (const [day, allocations] of later)
    await applyCredit(context, { credit_id: item_id, allocations, date: day, field });
  emit(PaymentRecorded, { payment_id: id, number, kind: party.kind, party_id: party.id, amount, currency });
  return { id, journal_id: entry.id };
}
