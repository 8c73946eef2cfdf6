/** Till sales: what was sold and paid at once, and what is given back. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis';
import { subtract, sum } from '@suite/money';
import { PaymentRecorded, PaymentVoided } from '@suite/proto/finance/v1/events';
import type { PosOrderPaid, PosOrderRefunded } from '@suite/proto/inventory/v1/events';
import { booksOf } from '../accounts/books.ts';
import { postEntry, reverseEntry } from '../ledger/journal.ts';
import { booked, type Party } from '../ledger/recipe.ts';
import { tillSides } from '../ledger/recipes.ts';
import { takeNumber } from '../numbers/number.ts';
import type { Db, Work } from '../operations.ts';

/** Somebody whom we know, or nobody. */
async function buyerOf(db: Db, customer_id: string): Promise<Party | null> {
  if (!customer_id) return null;
  const [known] = await db.rows(sql`SELECT id FROM customers WHERE id = ${customer_id}::uuid`);
  return known ? { kind: 'customer', id: customer_id } : null;
}

/** What was paid by each method, all of its payments together. */
function byMethod({ payments }: PosOrderPaid, currency: string): { method: string; amount: string }[] {
  const groups = Map.groupBy(payments, ({ method }) => method);
  return [...groups].map(([method, group]) => ({
    method,
    amount: sum(
      group.map(({ amount }) => amount),
      currency,
    ),
  }));
}

/** The cash account, for what was paid in cash; the rest is on its way. */
async function cashAccount(db: Db): Promise<string | null> {
  const [cash] = await db.rows<{ id: string }>(sql`
    SELECT bank.id FROM bank_accounts AS bank JOIN gl_accounts AS account ON account.id = bank.gl_account_id
    WHERE account.system_role = 'cash'`);
  return cash?.id ?? null;
}

/** Waits until nobody else books or gives back the same sale, and keeps others waiting until the transaction ends. */
const takeTurn = (db: Db, pos_order_id: string) =>
  db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`till sale ${pos_order_id}`}, 0))`);

/** Books a till sale with its payments. */
export async function bookTillSale({ db, emit }: Omit<Work, 'caller'>, order: PosOrderPaid): Promise<void> {
  const { base_currency: currency } = await booksOf(db, null);
  const { pos_order_id: source_id, business_date: date, total, tax_total, cost, taxes } = order;
  await takeTurn(db, source_id);
  const party = await buyerOf(db, order.customer_id);
  const payments = byMethod(order, currency);
  const numbered = [];
  for (const payment of payments) numbered.push({ ...payment, number: await takeNumber(db, 'customer_payment', date) });
  const sides = tillSides(
    { total, tax_total, cost: cost || '0', taxes, payments, party },
    subtract(total, tax_total, currency),
  );
  const entry = await postEntry(db, {
    ...{ date, scope: 'sales', source_type: 'pos_order', source_id, purpose: 'post', reference: order.number },
    narration: `Till sale ${order.number}`,
    lines: booked(sides, { currency, rate: '1', base_currency: currency }),
  });
  const cash = await cashAccount(db);
  for (const { number, method, amount } of numbered) {
    const id = randomUUIDv7();
    await db.payment.create({
      data: {
        ...{
          id,
          number,
          kind: 'customer',
          customer_id: party?.id ?? null,
          date: `${date}T00:00:00Z`,
          method,
          amount,
          currency,
        },
        ...{ bank_account_id: method === 'cash' ? cash : null, reference: order.number, source: 'pos', source_id },
        journal_id: entry.id,
      },
    });
    emit(PaymentRecorded, { payment_id: id, number, kind: 'customer', party_id: party?.id ?? '', amount, currency });
  }
  const [refund] = await db.rows<Refund>(sql`
    DELETE FROM waiting_refunds WHERE pos_order_id = ${source_id}::uuid RETURNING pos_order_id, number, business_date`);
  if (refund) await takeBack({ db, emit }, entry.id, refund);
}

/** What of a refund counts here. */
type Refund = Pick<PosOrderRefunded, 'pos_order_id' | 'number' | 'business_date'>;

async function takeBack({ db, emit }: Omit<Work, 'caller'>, entry_id: string, refund: Refund): Promise<void> {
  const { pos_order_id, business_date: date, number } = refund;
  const voided = await db.rows<{ id: string; number: string }>(sql`
    UPDATE payments SET status = 'voided' WHERE source = 'pos' AND source_id = ${pos_order_id}::uuid AND status = 'posted'
    RETURNING id, number`);
  await reverseEntry(db, entry_id, { date, narration: `Till sale ${number} refunded` });
  for (const payment of voided) emit(PaymentVoided, { payment_id: payment.id, number: payment.number });
}

/**
 * Takes a till sale back, on the day of the refund: its entry is reversed and its payments are void. A refund that is
 * heard of before its sale waits for it: the two are announced in order, but not heard in order.
 */
export async function refundTillSale(
  work: Omit<Work, 'caller'>,
  { pos_order_id, number, business_date }: PosOrderRefunded,
): Promise<void> {
  const { db } = work;
  await takeTurn(db, pos_order_id);
  const [sale] = await db.rows<{ id: string }>(sql`
    SELECT id FROM journal_entries WHERE source_type = 'pos_order' AND source_id = ${pos_order_id}::uuid AND purpose = 'post'`);
  if (sale) return await takeBack(work, sale.id, { pos_order_id, number, business_date });
  await db.rows(sql`
    INSERT INTO waiting_refunds (pos_order_id, number, business_date)
    VALUES (${pos_order_id}::uuid, ${number}, ${business_date}::date) ON CONFLICT DO NOTHING`);
}
