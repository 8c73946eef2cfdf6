/** POS orders: issuing goods, payment and numbering in one transaction. */
import { randomUUIDv7 } from 'node:crypto';
import { midnight } from '@suite/chassis/fields';
import { today } from '@suite/chassis/runtime';
import { PosOrderPaid } from '@suite/proto/inventory/v1/events';
import type { Db, CommandContext } from '../operations.ts';
import { Decimal, sumOf } from '../movements/decimal.ts';
import type { PostingLine, StockMovement } from '../movements/movement.ts';
import { issueNumber } from '../stock/document-number.ts';
import { postMoves } from '../movements/posting.ts';
import { activeWarehouse } from '../stock/default-warehouse.ts';
import { type Basket, basketOf } from './basket.ts';
import { settlePayments, type PosSettlement } from './payment.rules.ts';
import type { PosOrderInput } from './pos-order.schema.ts';
import { announcedTaxes, shareOf, untaxedOf } from './pos-event.ts';

/** Source type of the movements of sales and refunds. */
export const SOURCE = 'pos_order';
const costOf = (lines: readonly StockMovement[]): string =>
  sumOf(lines, ({ value }) => value)
    .negated()
    .toFixed();

/** Issues the goods of a sale, at their average cost. */
async function issueGoods(
  context: CommandContext,
  id: string,
  day: string,
  warehouse_id: string,
  { lines }: PosOrderInput,
) {
  const moves = lines.map(({ product_id, qty }, at): PostingLine => {
    const line_id = String(at + 1);
    return { line_id, product_id, warehouse_id, qty: new Decimal(qty).negated(), reason: 'pos' };
  });
  const posting = { key: `pos:${id}`, source: { type: SOURCE, id }, business_date: day, moves };
  return (await postMoves(context, posting)).lines;
}

async function writeLines(db: Db, id: string, { lines, totals }: Basket, issued: readonly StockMovement[]) {
  await db.posOrderLine.createMany({
    data: lines.map((line, at) => {
      const { product_id, product_name: name, sku, income_account_id, expense_account_id, stock_account_id } = line;
      const { gross, discount, header_discount, net, tax, total, taxes } = totals.lines[at]!;
      return {
        pos_order_id: id,
        position: at + 1,
        product_id,
        name,
        sku,
        qty: line.qty,
        unit_price: line.unit_price,
        income_account_id,
        expense_account_id,
        stock_account_id,
        cost: issued[at]!.value.negated().toFixed(),
        gross,
        discount,
        header_discount,
        net,
        tax,
        total,
        taxes: [...taxes],
      };
    }),
  });
}

async function writePayments(db: Db, pos_order_id: string, { payments }: PosOrderInput): Promise<void> {
  if (payments.length === 0) return;
  await db.posPayment.createMany({
    data: payments.map(({ method, amount }, at) => ({ pos_order_id, position: at + 1, method, amount })),
  });
}

/** Emits the event that finance posts. Its subtotal is the revenue, without discounts and taxes. */
function announcePaid(
  { emit, caller }: CommandContext,
  id: string,
  { gone: issued, ...sale }: { number: string; business_date: string; cost: string; gone: readonly StockMovement[] },
  { totals, lines }: Basket,
  { kept }: PosSettlement,
  customer_id: string | null,
) {
  const { net_total, tax_total, total, taxes } = totals;
  emit(PosOrderPaid, {
    pos_order_id: id,
    ...sale,
    customer_id: customer_id ?? '',
    subtotal: net_total,
    tax_total,
    total,
    payments: kept,
    taxes: announcedTaxes(taxes),
    untaxed: untaxedOf(totals.lines, caller.currency),
    shares: totals.lines.map(({ net }, at) => shareOf({ ...lines[at]!, net }, issued[at]!.value.negated().toFixed())),
  });
}

/**
 * Creates a POS order, dated today by default. Returns its ID. @throws InsufficientStock, NotPaid; a 422 for products
 * that cannot be sold
 */
export async function sell(context: CommandContext, input: PosOrderInput, day?: string): Promise<string> {
  const { db, caller } = context;
  const { currency, user_id: cashier_id, user_name: cashier_name, timezone } = caller;
  const { customer_id, customer_name, note } = input;
  const { id: warehouse_id } = await activeWarehouse(db, input.warehouse_id);
  const basket = await basketOf(db, input, currency);
  const { subtotal, discount_total, net_total, tax_total, total, taxes } = basket.totals;
  const settlement = settlePayments(input.payments, total, currency);
  const id = randomUUIDv7();
  const business_date = day ?? today(timezone);
  const issued = await issueGoods(context, id, business_date, warehouse_id, input);
  const cost = costOf(issued);
  const { number } = await issueNumber(db, 'pos_order', business_date);
  await db.posOrder.create({
    data: {
      id,
      number,
      warehouse_id,
      customer_id,
      customer_name,
      cashier_id,
      cashier_name,
      currency,
      note,
      business_date: midnight(business_date),
      cost,
      paid: settlement.paid,
      change: settlement.change,
      subtotal,
      discount_total,
      net_total,
      tax_total,
      total,
      taxes: [...taxes],
    },
  });
  await writeLines(db, id, basket, issued);
  await writePayments(db, id, input);
  announcePaid(context, id, { number, business_date, cost, gone: issued }, basket, settlement, customer_id);
  return id;
}
