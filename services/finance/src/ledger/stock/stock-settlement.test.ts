import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { stockSettlement } from '../../../test/stock-settlement.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  inventory.trouble.length = 0;
});

const { settle, states } = stockSettlement(serving);
const onHand = (product_id: string) => inventory.shelf.levels.get(product_id)?.on_hand;

/**
 * Creates a bill for four units whose posting response was lost: inventory has the goods, but finance has not recorded
 * it.
 */
async function createLostBill() {
  const product_id = trade.product({}, { on_hand: 0, value: '0.00' });
  const vendor = await trade.vendor();
  const body = {
    vendor_id: vendor.id,
    invoice_date: '2026-03-01',
    lines: [{ product_id, qty: '4', unit_price: '5.00' }],
  };
  const { id } = (await trade.make('purchase-invoice', body)).body.data;
  inventory.trouble.push('crashed');
  expect((await trade.act('purchase-invoice', 'post', id)).status).toBe(500);
  expect(onHand(product_id)).toBe(4);
  return { id, product_id };
}

describe('goods received for a bill that was never posted', () => {
  test('are removed from stock again', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const { id, product_id } = await createLostBill();
    clock.goTo('2026-11-21T10:01:00Z');
    await settle();
    expect([await states(id), onHand(product_id)]).toEqual([['reversed'], 0]);
    expect((await trade.act('purchase-invoice', 'post', id)).body.data).toMatchObject({
      status: 'posted',
      pending_effects: [],
    });
    expect([await states(id), onHand(product_id)]).toEqual([['reversed', 'settled'], 4]);
  });

  test('stay if they were sold, and the bill can still be posted', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const { id, product_id } = await createLostBill();
    inventory.shelf.put(product_id, 1, '5.00');
    for (const minute of ['01', '02']) {
      clock.goTo(`2026-11-21T10:${minute}:00Z`);
      await settle();
      expect([await states(id), onHand(product_id)]).toEqual([['requested'], 1]);
    }
    expect((await trade.show('purchase-invoice', id)).body.data).toMatchObject({
      status: 'draft',
      pending_effects: ['receive_stock'],
    });
    expect((await trade.act('purchase-invoice', 'post', id)).body.data).toMatchObject({
      status: 'posted',
      pending_effects: [],
    });
    expect([await states(id), onHand(product_id)]).toEqual([['settled'], 1]);
  });
});

test('returned goods of a return that was never completed leave stock again', async () => {
  const clock = freezeClock('2026-11-21T10:00:00Z');
  const invoice = await trade.createFirstInvoice();
  await trade.act('sales-invoice', 'post', invoice.id);
  const returnInput = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'defective' };
  const lines = [{ invoice_line_id: invoice.lines[0].id, qty: '1' }];
  const { id } = (await trade.make('sales-invoice-return', { ...returnInput, lines })).body.data;
  await trade.act('sales-invoice-return', 'approve', id);
  inventory.trouble.push('crashed');
  expect((await trade.act('sales-invoice-return', 'complete', id)).status).toBe(500);
  expect(onHand(invoice.product_id)).toBe(13);
  clock.goTo('2026-11-21T10:01:00Z');
  await settle();
  expect([await states(id), onHand(invoice.product_id)]).toEqual([['reversed'], 12]);
  expect((await trade.act('sales-invoice-return', 'complete', id)).body.data).toMatchObject({ status: 'completed' });
  expect(onHand(invoice.product_id)).toBe(13);
});
