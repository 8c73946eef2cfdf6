/**
 * Settlement of open items with an existing credit, and its journal entry. The credit is an advance, a credit note or a
 * debit note.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { today } from '@suite/chassis/runtime';
import { SalesInvoicePaymentChanged } from '@suite/proto/finance/v1/events';
import { isZero, subtract, sum } from '@suite/money';
import { booksOf } from '../../ledger/books/books.ts';
import { adjustPaidCommissions } from '../../commissions/commissions/accrual.ts';
import { followOpenItems } from '../../invoices/invoices/invoice-status.ts';
import {
  applicationLines,
  type RequestedSettlement,
  assertNotBefore,
  type OpenItem,
  partyOfItem,
  planSettlements,
  type Settlement,
} from '../../ledger/ledger/open-items.rules.ts';
import type { CommandContext } from '../../operations.ts';
import { postEntry } from '../../ledger/ledger/journal.ts';
import { lockItems, openSince, settleOpenItem } from '../../ledger/ledger/open-items.ts';
import { toBaseCurrency } from '../../ledger/ledger/journal.rules.ts';

/** Returns a day, or the date of the latest of these documents if it is later. */
export const latestDate = (day: string, documents: Iterable<Pick<OpenItem, 'date'>>): string =>
  [...documents].reduce((last, { date }) => (date > last ? date : last), day);

/**
 * Allocates a credit to claims of the same party.
 * @param field the field of the allocations in the request, for messages
 * @param date of effect. By default today, or the first later day with sufficient open amounts on both sides
 * @throws OverAllocated, CurrencyMismatch, BeforeDocument, PeriodLocked
 */
export async function applyCredit(
  context: CommandContext,
  {
    credit_id,
    allocations,
    date: day,
    field = 'allocations',
  }: { credit_id: string; allocations: readonly RequestedSettlement[]; date?: string | undefined; field?: string },
): Promise<{ journal_id: string; settlements: Settlement[] }> {
  const { db, caller } = context;
  const { base_currency, timezone } = await booksOf(db, caller);
  const items = await lockItems(db, [credit_id, ...allocations.map(({ open_item_id }) => open_item_id)]);
  const spent = items.get(credit_id);
  if (!spent || spent.kind !== 'credit') throw NotFound();
  if (spent.voided) throw invalid('allocations', 'The remaining amount is zero.');
  const party = partyOfItem(spent);
  const usual = day ?? latestDate(today(timezone), items.values());
  const settlements = planSettlements({ ...spent, party }, items, allocations, { base_currency, field, date: usual });
  const taken = sum(
    settlements.map(({ credit_amount }) => credit_amount),
    spent.currency,
  );
  const parts = settlements.map(({ claim, amount }) => ({ id: claim.id, amount }));
  const open = [...(await openSince(db, [{ id: credit_id, amount: taken }, ...parts])).values()];
  const date = day ?? latestDate(usual, open);
  assertNotBefore(date, open);
  const { id: journal_id } = await postEntry(db, {
    date,
    scope: party.kind === 'customer' ? 'sales' : 'purchases',
    source_type: 'allocation',
    source_id: randomUUIDv7(),
    purpose: 'apply',
    narration: `${spent.number} allocated to ${settlements.map(({ claim }) => claim.number).join(', ')}`,
    lines: toBaseCurrency(applicationLines(spent, settlements), {
      currency: spent.currency,
      rate: spent.rate,
      base_currency,
    }),
  });
  await settleOpenItem(db, { credit_id, settlements, date, journal_id });
  await updateSettledDocuments(
    context,
    settlements.map(({ claim }) => claim.id),
    date,
  );
  return { journal_id, settlements };
}

interface ChangedItem {
  id: string;
  document_type: string;
  document_id: string;
  currency: string;
  amount: string;
  settled: string;
  /** True if credit notes settled the whole amount. */
  credited: boolean | null;
}

/** Returns the payment status of an open item. */
const paymentStatus = ({ amount, settled, credited, currency }: ChangedItem): string => {
  if (isZero(settled)) return 'unpaid';
  if (!isZero(subtract(amount, settled, currency))) return 'partial';
  return credited ? 'credited' : 'paid';
};

/** Runs after every settlement, with its date: updates the documents and the commissions of the claims. */
export async function updateSettledDocuments(
  context: CommandContext,
  claim_ids: readonly string[],
  date: string,
): Promise<void> {
  const { db, emit } = context;
  await followOpenItems(db, claim_ids);
  const changed = await db.rows<ChangedItem>(sql`
    SELECT id, document_type, document_id, currency, amount, settled,
      (SELECT bool_and(credit.document_type = 'credit_note') FROM allocations
        JOIN open_items AS credit ON credit.id = allocations.credit_id
        WHERE allocations.claim_id = item.id) AS credited
    FROM open_items AS item WHERE id = ANY(${claim_ids}::uuid[]) ORDER BY id`);
  const invoices = changed.filter(({ document_type }) => document_type === 'sales_invoice');
  for (const claim of invoices) {
    emit(SalesInvoicePaymentChanged, {
      sales_invoice_id: claim.document_id,
      payment_status: paymentStatus(claim),
      balance_due: subtract(claim.amount, claim.settled, claim.currency),
      currency: claim.currency,
    });
  }
  await adjustPaidCommissions(
    context,
    invoices.map(({ document_id }) => document_id),
    date,
  );
}
