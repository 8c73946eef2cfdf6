/** Tests of stock movements on days in a locked period. */
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { today } from '@suite/chassis/runtime';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({ sale_price: '9.00' }, { qty: '10', unit_cost: '5.00' });
});
afterEach(() => {
  finance.ledger.locked.through = '';
  finance.ledger.locked.scope = 'all';
});

const now = today('Europe/Berlin');
const post = (path: string, body: object = {}) => shop.owner.post(`/api/${path}`, body);
const transferBody = () => ({
  from_warehouse_id: shop.warehouse,
  to_warehouse_id: shop.other,
  lines: [{ product_id, qty: '1' }],
});
const cash = (amount: string) => ({ method: 'cash', amount });
const card = (amount: string) => ({ method: 'card', amount });
const sale = (payments = [cash('9.00')]) => ({ lines: [{ product_id, qty: '1' }], payments });

/** Operations that move goods on a locked day. Their records are created before the lock. */
const movements: [string, (date: string) => Promise<() => Promise<{ status: number }>>][] = [
  ['an adjustment', async (business_date) => () => post('product-stock/add', { product_id, qty: '1', business_date })],
  [
    'scrap',
    async (business_date) => () => post('product-stock/add', { product_id, qty: '-1', reason: 'scrap', business_date }),
  ],
  ['a transfer', async (date) => () => post('transfer/create', { ...transferBody(), date })],
  [
    'the reversal of a transfer',
    async () => {
      const { id } = (await post('transfer/create', transferBody())).body.data;
      return () => shop.owner.delete(`/api/transfer/delete/${id}`);
    },
  ],
  ['a POS order', async () => () => post('pos/create', sale())],
  [
    'a refund of a POS order',
    async () => {
      const { id } = (await post('pos/create', sale())).body.data;
      return () => post(`pos/refund/${id}`);
    },
  ],
];

describe.each(movements)('%s', (_, prepared) => {
  test('is rejected on a locked day and moves nothing', async () => {
    const move = await prepared(now);
    const before = await shop.level(product_id);
    finance.ledger.locked.through = now;
    expect(await move()).toMatchObject({
      status: 409,
      body: { code: 'period_locked', details: { date: now, locked_through: now, reason: 'Closed' } },
    });
    expect(await shop.level(product_id)).toEqual(before);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is accepted on the day after the lock', async () => {
    const move = await prepared(now);
    finance.ledger.locked.through = '2026-01-31';
    expect([200, 201]).toContain((await move()).status);
  });
});

test.each(['product-stock/add', 'transfer/create'])('%s rejects an earlier locked day', async (path) => {
  finance.ledger.locked.through = '2026-01-31';
  const body = path.startsWith('transfer')
    ? { ...transferBody(), date: '2026-01-20' }
    : { product_id, qty: '1', business_date: '2026-01-20' };
  expect(await post(path, body)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
});

describe.each([
  ['cash', () => [cash('9.00')], { banking: 409, sales: 409, purchases: 200 }],
  ['card', () => [card('9.00')], { banking: 200, sales: 409, purchases: 200 }],
  ['cash and card', () => [card('5.00'), cash('4.00')], { banking: 409, sales: 409, purchases: 200 }],
])('a POS order paid by %s', (_, payments, expected) => {
  test.each(Object.entries(expected))('is sold and refunded according to a lock of %s: %d', async (scope, status) => {
    const { id } = (await post('pos/create', sale(payments()))).body.data;
    Object.assign(finance.ledger.locked, { through: now, scope });
    const sold = await post('pos/create', sale(payments()));
    const refunded = await post(`pos/refund/${id}`);
    expect([sold.status, refunded.status]).toEqual([status === 200 ? 201 : status, status]);
  });
});
