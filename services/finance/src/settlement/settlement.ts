/** Settling: a credit that is there already (an advance, a credit or debit note) is set against claims, with its entry. */
import { randomUUIDv7 } from 'node:crypto';
import { invalid, join, NotFound, sql } from '@suite/chassis';
import { SalesInvoicePaymentChanged } from '@suite/proto/finance/v1/events';
import { isZero, subtract } from '@suite/money';
import { booksOf } from '../books/books.ts';
import { followPayments } from '../commissions/accrual.ts';
import { followClaims } from '../invoices/invoice-status.ts';
import type { Db, Work } from '../operations.ts';
import { postEntry } from '../ledger/journal.ts';
import { type Asked, lockItems, type OpenItem, planSettlements, settle, type Settlement } from '../ledger/open-item.ts';
import { booked, credit, debit, type Party, type Side } from '../ledger/journal.rules.ts';

/** Whose an item is. */
export const partyOf = ({ customer_id, vendor_id }: Pick<OpenItem, 'customer_id' | 'vendor_id'>): Party =>
  customer_id ? { kind: 'customer', id: customer_id } : { kind: 'vendor', id: vendor_id as string };

/**
 * The claims that are settled, on their accounts, each at the rate of its own day. One of another currency is reached through
 * the account of exchanges, so that each currency balances; in base currency that account keeps nothing.
 */
export const claimSides = (party: Party, settlements: readonly Settlement[]): Side[] =>
  settlements.flatMap(({ claim, amount, credit_amount, claim_base, exchange_base }) => {
    const [settles, opens] = party.kind === 'customer' ? [credit, debit] : [debit, credit];
    const { currency, number: memo } = claim;
    const settled = settles({ id: claim.account_id }, amount, {
      ...{ base: claim_base, currency, open_item_id: claim.id, party, memo },
    });
    if (exchange_base === null) return [settled];
    return [
      settles('currency_exchange', credit_amount, { base: exchange_base, memo }),
      opens('currency_exchange', amount, { base: exchange_base, currency, memo }),
      settled,
    ];
  });

/** A credit that is set against claims: it leaves the account on which it stood. */
export function applicationSides(spent: OpenItem, settlements: readonly Settlement[]): Side[] {
  const party = partyOf(spent);
  const leave = party.kind === 'customer' ? debit : credit;
  const more = { open_item_id: spent.id, party, memo: spent.number };
  const from = settlements.map(({ credit_amount, credit_base }) =>
    leave({ id: spent.account_id }, credit_amount, { base: credit_base, ...more }),
  );
  return [...from, ...claimSides(party, settlements)];
}

/** Sets a credit against claims of the same party. @throws OverAllocated, CurrencyMismatch, PeriodLocked */
export async function applyCredit(
  work: Work,
  { credit_id, allocations, date }: { credit_id: string; allocations: readonly Asked[]; date: string },
): Promise<{ journal_id: string; settlements: Settlement[] }> {
  const { db, caller } = work;
  const { base_currency } = await booksOf(db, caller);
  const items = await lockItems(db, [credit_id, ...allocations.map(({ open_item_id }) => open_item_id)]);
  const spent = items.get(credit_id);
  if (!spent || spent.kind !== 'credit') throw NotFound();
  if (spent.voided) throw invalid('allocations', 'There is nothing left of this.');
  const party = partyOf(spent);
  const settlements = planSettlements({ ...spent, party }, items, allocations, { base_currency, field: 'allocations' });
  const { id: journal_id } = await postEntry(db, {
    date,
    scope: party.kind === 'customer' ? 'sales' : 'purchases',
    source_type: 'allocation',
    source_id: randomUUIDv7(),
    purpose: 'apply',
    narration: `${spent.number} set against ${settlements.map(({ claim }) => claim.number).join(', ')}`,
    lines: booked(applicationSides(spent, settlements), { currency: spent.currency, rate: spent.rate, base_currency }),
  });
  await settle(db, { credit_id, settlements, date, journal_id });
  await claimsChanged(
    work,
    settlements.map(({ claim }) => claim.id),
    date,
  );
  return { journal_id, settlements };
}

interface Changed {
  id: string;
  document_type: string;
  document_id: string;
  currency: string;
  amount: string;
  settled: string;
  /** Was all of it settled by credit notes? */
  credited: boolean | null;
}

/** How far a claim is paid. */
const paymentStatus = ({ amount, settled, credited, currency }: Changed): string => {
  if (isZero(settled)) return 'unpaid';
  if (!isZero(subtract(amount, settled, currency))) return 'partial';
  return credited ? 'credited' : 'paid';
};

/** After every change of what is settled, on its day: whoever follows the documents behind the claims is told. */
export async function claimsChanged(work: Work, claim_ids: readonly string[], date: string): Promise<void> {
  const { db, emit } = work;
  await followClaims(db, claim_ids);
  const changed = await db.rows<Changed>(sql`
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
  await followPayments(
    work,
    invoices.map(({ document_id }) => document_id),
    date,
  );
}

/** Takes back all that a credit was set against. The credit and its claims must be locked. Returns the claims. */
export async function unsettle(db: Db, credit_id: string): Promise<string[]> {
  const gone = await db.rows<{ claim_id: string; amount: string; claim_base: string }>(sql`
    DELETE FROM allocations WHERE credit_id = ${credit_id}::uuid RETURNING claim_id, amount, claim_base`);
  if (gone.length === 0) return [];
  const values = gone.map(
    ({ claim_id, amount, claim_base }) => sql`(${claim_id}::uuid, ${amount}::numeric, ${claim_base}::numeric)`,
  );
  await db.rows(sql`
    UPDATE open_items AS item SET settled = item.settled - step.amount, base_settled = item.base_settled - step.base
    FROM (SELECT id, sum(amount) AS amount, sum(base) AS base FROM (VALUES ${join(values)}) AS one (id, amount, base) GROUP BY id) AS step
    WHERE item.id = step.id`);
  await db.rows(sql`UPDATE open_items SET settled = 0, base_settled = 0 WHERE id = ${credit_id}::uuid`);
  return [...new Set(gone.map(({ claim_id }) => claim_id))];
}
