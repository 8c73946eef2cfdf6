/** POS orders: immediate sales with their payments, and their refunds. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { midnight } from '@suite/chassis/fields';
import { isZero, subtract, sum } from '@suite/money';
import { PaymentRecorded, PaymentVoided } from '@suite/proto/finance/v1/events';
import { type PosOrderPaid, PosOrderRefunded } from '@suite/proto/inventory/v1/events';
import { type Books, booksOf } from '../../ledger/books/books.ts';
import { withPostableAccounts } from '../../ledger/accounts/usable-accounts.ts';
import { journalLines, openPostingDay, postEntry, reverseEntry } from '../../ledger/ledger/journal.ts';
import { postedTaxes, untaxedBase } from '../../ledger/accounts/tax-bases.rules.ts';
import { toBaseCurrency, type Party } from '../../ledger/ledger/journal.rules.ts';
import { issueNumber } from '../../ledger/books/document-number.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { posRefundLines, type PosLineAccounts, posOrderLines } from './pos-order.rules.ts';
import { paymentStates } from '../banking/reconciliation.rules.ts';

/** Returns the customer of a sale, if known. */
async function buyerOf(db: Db, customer_id: string): Promise<Party | null> {
  if (!customer_id) return null;
  const [known] = await db.rows(sql`SELECT id FROM customers WHERE id = ${customer_id}::uuid`);
  return known ? { kind: 'customer', id: customer_id } : null;
}

/** Returns the payments of a sale, totalled by method. */
function totalByMethod(
  { payments }: Pick<PosOrderPaid, 'payments'>,
  currency: string,
): { method: string; amount: string }[] {
  const groups = Map.groupBy(payments, ({ method }) => method);
  return [...groups].map(([method, group]) => ({
    method,
    amount: sum(
      group.map(({ amount }) => amount),
      currency,
    ),
  }));
}

/** Returns the accounts of the lines. Old events without line accounts use the default accounts. */
function sharesOf(
  { shares, total, tax_total }: Pick<PosOrderPaid, 'shares' | 'total' | 'tax_total'>,
  cost: string,
  currency: string,
): PosLineAccounts[] {
  const net = subtract(total, tax_total, currency);
  const none = { income_account_id: null, expense_account_id: null, stock_account_id: null };
  if (shares.length === 0) return [{ ...none, net, cost: cost || '0' }];
  return shares.map((share) => ({
    income_account_id: share.income_account_id || null,
    expense_account_id: share.expense_account_id || null,
    stock_account_id: share.stock_account_id || null,
    net: share.net,
    cost: share.cost || '0',
  }));
}

/** Returns the taxable bases of a sale. Older events have none: their taxes are in the tax report without a base. */
function taxesOf({ taxes, untaxed }: Pick<PosOrderPaid, 'taxes' | 'untaxed'>, sign: 1 | -1, currency: string) {
  const bases = taxes
    .filter(({ base, tax_id }) => base !== '' && tax_id !== '')
    .map(({ tax_id, name, kind, rate, base, amount }) => ({ tax_id, name, kind, rate, base, tax: amount }));
  const all = isZero(untaxed || '0') ? bases : [...bases, untaxedBase(untaxed)];
  return postedTaxes(all, 'output', sign, { currency, rate: '1', base_currency: currency });
}

/** Checks that there is nothing to post: a free item without a cost. */
const hasNothingToPost = ({ total, cost }: { total: string; cost: string }): boolean =>
  isZero(total) && isZero(cost || '0');

/** Returns the account for cash payments. Other payments are in transit. */
async function cashAccount(db: Db): Promise<string | null> {
  const [cash] = await db.rows<{ id: string }>(sql`
    SELECT bank.id FROM bank_accounts AS bank JOIN gl_accounts AS account ON account.id = bank.gl_account_id
    WHERE account.system_role = 'cash'`);
  return cash?.id ?? null;
}

/** Serialises postings and refunds of one POS order until the transaction ends. */
const serializeOn = (db: Db, pos_order_id: string) =>
  db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`till sale ${pos_order_id}`}, 0))`);

type StepContext = Omit<CommandContext, 'caller'>;

/** Posts a POS order with its payments. If its period is locked, uses the first open day. */
export async function postPosOrder({ db, emit }: StepContext, order: PosOrderPaid): Promise<void> {
  const books = await booksOf(db, null);
  const { base_currency: currency, timezone } = books;
  const { pos_order_id: source_id, taxes } = order;
  if (hasNothingToPost(order)) return;
  await serializeOn(db, source_id);
  const { lines: shares, note: replaced } = await withPostableAccounts(db, sharesOf(order, order.cost, currency));
  const party = await buyerOf(db, order.customer_id);
  const payments = totalByMethod(order, currency);
  const sides = posOrderLines({ taxes, payments, party, shares }, currency);
  const { date, note } = await openPostingDay(db, order.business_date, { scope: 'sales', lines: sides }, timezone);
  const numbered = [];
  for (const payment of payments) {
    const { number } = await issueNumber(db, 'customer_payment', date);
    numbered.push({ ...payment, number });
  }
  const entry = await postEntry(db, {
    date,
    scope: 'sales',
    source_type: 'pos_order',
    source_id,
    purpose: 'post',
    reference: order.number,
    narration: `POS order ${order.number}${note}${replaced}`,
    lines: toBaseCurrency(sides, { currency, rate: '1', base_currency: currency }),
    taxes: taxesOf(order, 1, currency),
  });
  const cash = await cashAccount(db);
  for (const { number, method, amount } of numbered) {
    const id = randomUUIDv7();
    await db.payment.create({
      data: {
        id,
        number,
        kind: 'customer',
        customer_id: party?.id ?? null,
        date: midnight(date),
        method,
        amount,
        currency,
        bank_account_id: method === 'cash' ? cash : null,
        reference: order.number,
        source: 'pos',
        source_id,
        journal_id: entry.id,
      },
    });
    emit(PaymentRecorded, { payment_id: id, number, kind: 'customer', party_id: party?.id ?? '', amount, currency });
  }
  for (const refund of await removePendingRefunds(db, source_id))
    await reversePosOrder({ db, emit }, books, entry.id, refund);
}

/** Removes and returns the refunds that arrived before their sale, in order. */
async function removePendingRefunds(db: Db, pos_order_id: string): Promise<PosOrderRefunded[]> {
  const rows = await db.rows<{ pos_order_id: string; number: string; business_date: string; event: object }>(sql`
    DELETE FROM waiting_refunds WHERE pos_order_id = ${pos_order_id}::uuid
    RETURNING pos_order_id, number, business_date, event`);
  return rows
    .map(({ event, ...row }) => PosOrderRefunded.fromJSON({ ...event, ...row }))
    .toSorted((one, other) => one.refund_number.localeCompare(other.refund_number, 'en', { numeric: true }));
}

/** Stores a refund whose POS order has not arrived yet. */
const storePendingRefund = (db: Db, refund: PosOrderRefunded) =>
  db.rows(sql`
    INSERT INTO waiting_refunds (pos_order_id, refund_id, number, business_date, event)
    VALUES (${refund.pos_order_id}::uuid, ${refund.refund_id || refund.pos_order_id}::uuid, ${refund.number},
      ${refund.business_date}::date, ${JSON.stringify(refund)}::jsonb)
    ON CONFLICT DO NOTHING`);

/** Posts a partial refund, once for each refund. */
async function postPartialRefund(
  db: Db,
  { base_currency: currency, timezone }: Books,
  refund: PosOrderRefunded,
): Promise<void> {
  const { pos_order_id: source_id, refund_id, refund_number: reference, taxes } = refund;
  const party = await buyerOf(db, refund.customer_id);
  const { lines: shares, note: replaced } = await withPostableAccounts(
    db,
    sharesOf(refund, refund.restocked_cost, currency),
  );
  const sides = posRefundLines({ taxes, payments: totalByMethod(refund, currency), party, shares }, currency);
  const lines = toBaseCurrency(sides, { currency, rate: '1', base_currency: currency });
  if (lines.length === 0) return;
  const { date, note } = await openPostingDay(db, refund.business_date, { scope: 'sales', lines }, timezone);
  await postEntry(db, {
    date,
    scope: 'sales',
    source_type: 'pos_order',
    source_id,
    purpose: `refund ${refund_id}`,
    reference,
    narration: `POS refund ${reference}${note}${replaced}`,
    lines,
    taxes: taxesOf(refund, -1, currency),
  });
}

/**
 * Voids the payments of a fully refunded POS order. Chosen: a payment is unchanged while part of its order is kept,
 * because that part was paid. The entry of the refund shows the returned amount.
 */
async function voidPayments({ db, emit }: StepContext, pos_order_id: string): Promise<void> {
  const { set, guard } = paymentStates.customer.moving('void');
  const voided = await db.rows<{ id: string; number: string }>(sql`
    UPDATE payments SET ${set} WHERE source = 'pos' AND source_id = ${pos_order_id}::uuid AND ${guard}
    RETURNING id, number`);
  for (const payment of voided) emit(PaymentVoided, { payment_id: payment.id, number: payment.number });
}

/** Reverses a posted POS order in full or in part. If the period of the refund is locked, uses the first open day. */
async function reversePosOrder(
  context: StepContext,
  books: Books,
  entry_id: string,
  refund: PosOrderRefunded,
): Promise<void> {
  const { db } = context;
  if (refund.partial) await postPartialRefund(db, books, refund);
  else {
    const lines = await journalLines(db, entry_id);
    const { date, note } = await openPostingDay(db, refund.business_date, { scope: 'sales', lines }, books.timezone);
    await reverseEntry(db, entry_id, { date, narration: `POS order ${refund.number} refunded${note}` });
  }
  if (refund.status !== 'partially_refunded') await voidPayments(context, refund.pos_order_id);
}

/**
 * Refunds a POS order: a full refund by the opposite entry, a partial refund by its own entry. A refund that arrives
 * before its order waits for the order. The two events are emitted in order, but may arrive in any order.
 */
export async function postPosRefund(context: StepContext, refund: PosOrderRefunded): Promise<void> {
  const { db } = context;
  const { pos_order_id } = refund;
  await serializeOn(db, pos_order_id);
  const [sale] = await db.rows<{ id: string }>(sql`
    SELECT id FROM journal_entries WHERE source_type = 'pos_order' AND source_id = ${pos_order_id}::uuid AND purpose = 'post'`);
  if (sale) await reversePosOrder(context, await booksOf(db, null), sale.id, refund);
  else if (!hasNothingToPost(refund)) await storePendingRefund(db, refund);
}
