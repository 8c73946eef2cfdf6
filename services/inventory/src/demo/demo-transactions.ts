/** Demo transactions: transfers, losses and POS orders. */
import { randomNumber, pickOne, pickSome, pickWeighted } from '@suite/demo';
import { basketOf } from '../pos/basket.ts';
import { sell } from '../pos/pos-order.ts';
import type { PosOrderInput } from '../pos/pos-order.schema.ts';
import { refund } from '../pos/refund.ts';
import { adjust } from '../stock/adjustment.ts';
import { createTransfer, reverseTransfer } from '../transfers/transfer.ts';
import { dayBefore, type DemoContext, type StockedProduct } from './demo-stock.ts';
import { isService } from './demo-products.ts';

/** Numbers of demo transactions. */
export interface DemoVolume {
  transfers: number;
  losses: number;
  sales: number;
}

const NOTES = ['For the exhibition', 'Shelves were empty', 'Ordered by the showroom', null];
const LOSSES = ['Broken in transport', 'Missing at the count', 'Used in the office', 'Water damage'];

/** Transfers goods from the main warehouse to the others. Reverses the last transfer. */
export async function moveGoods(
  { command, now, main, others }: DemoContext,
  stocked: readonly StockedProduct[],
  count: number,
) {
  const goods = stocked.filter((ware) => (ware.stock ?? 0) >= 10);
  for (let n = 0; n < count; n += 1) {
    const [first, ...more] = pickSome(goods, 4);
    const lines = [first ?? pickOne(goods), ...more].map(({ id, stock = 0 }) => ({
      product_id: id,
      qty: String(randomNumber(1, Math.ceil(stock / 20))),
    }));
    const to_warehouse_id = others[n % others.length] as string;
    const date = dayBefore(now, 80 - n * 4);
    const id = await createTransfer(command, {
      from_warehouse_id: main,
      to_warehouse_id,
      date,
      note: pickOne(NOTES),
      lines,
    });
    if (n === count - 1) await reverseTransfer(command, id);
  }
}

/** Writes off lost and broken goods. */
export async function loseGoods(
  { command, now, main }: DemoContext,
  stocked: readonly StockedProduct[],
  count: number,
): Promise<void> {
  const goods = stocked.filter((ware) => (ware.stock ?? 0) >= 10);
  for (let n = 0; n < count; n += 1) {
    const { id } = pickOne(goods);
    const business_date = dayBefore(now, 70 - n * 5);
    const loss = { product_id: id, warehouse_id: main, qty: String(-randomNumber(1, 2)), business_date };
    await adjust(command, { ...loss, reason: pickOne(['scrap', 'adjustment']), note: pickOne(LOSSES) });
  }
}

/** Returns the payments for a total: a rounded cash amount, or the exact amount by card. */
function payment(total: string): PosOrderInput['payments'] {
  const method = pickWeighted([
    [5, 'card'],
    [4, 'cash'],
    [1, 'online'],
  ] as const);
  if (method !== 'cash') return [{ method, amount: total }];
  const [whole = '0'] = total.split('.');
  return [{ method, amount: `${(BigInt(whole) / 10n + 1n) * 10n}.00` }];
}

/** Creates POS orders in the main warehouse, one of the last with a refund. */
export async function sellGoods(
  { command, now, main }: DemoContext,
  stocked: readonly StockedProduct[],
  count: number,
): Promise<void> {
  const wanted = stocked.filter((ware) => isService(ware) || (ware.stock ?? 0) >= 20);
  for (let n = 0; n < count; n += 1) {
    const [first, ...more] = pickSome(wanted, 3);
    const lines = [first ?? pickOne(wanted), ...more].map(({ id }) => ({
      product_id: id,
      qty: String(randomNumber(1, 2)),
    }));
    const input = { warehouse_id: main, customer_id: null, customer_name: null, note: null, lines, payments: [] };
    const { totals } = await basketOf(command.db, input, command.caller.currency);
    const day = dayBefore(now, Math.max(0, 60 - Math.floor((n * 60) / count)));
    const id = await sell(command, { ...input, payments: payment(totals.total) }, day);
    if (n === count - 2) await refund(command, id, { reason: 'The customer changed their mind' });
  }
}
