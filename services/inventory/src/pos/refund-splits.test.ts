import { beforeEach, describe, expect, test } from '@jest/globals';
import { sum } from '@suite/money';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import fc from 'fast-check';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
let tax_id: string;
beforeEach(async () => {
  shop = await openShop();
  tax_id = await shop.tax({ name: 'VAT', rate: '20' });
  product_id = await shop.product({ sale_price: '19.99', tax_ids: [tax_id] }, { qty: '20', unit_cost: '5.00' });
});

const sell = async (body: object) => (await shop.owner.post('/api/pos/create', body)).body.data;
const refund = (id: string, body: object = {}) => shop.owner.post(`/api/pos/refund/${id}`, body);

describe('20 concurrent refunds', () => {
  test('do not exceed the sold quantity', async () => {
    const sale = await sell({ lines: [{ product_id, qty: '10' }], payments: [{ method: 'card', amount: '239.88' }] });
    const lines = [{ line_id: sale.lines[0].id, qty: '1' }];
    const replies = await runConcurrently(20, () => refund(sale.id, { lines }));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(replies.filter(({ body }) => body.code === 'over_refunded')).toHaveLength(10);
    const { data } = (await shop.owner.get(`/api/pos/show/${sale.id}`)).body;
    expect(data).toMatchObject({ status: 'refunded', refunded_total: '239.88' });
    expect(data.refunds).toHaveLength(10);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '20', value: '100' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('refund the remainder once', async () => {
    const lines = [{ product_id, qty: '3' }];
    const sale = await sell({ lines, payments: [{ method: 'cash', amount: '100' }] });
    await refund(sale.id, { lines: [{ line_id: sale.lines[0].id, qty: '1' }] });
    const replies = await runConcurrently(20, () => refund(sale.id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    const events = await serving.sql`
      SELECT FROM journal_events WHERE aggregate_id = ${sale.id} AND type = 'inventory.pos_order.refunded'`;
    expect(events).toHaveLength(2);
  });
});

const add = (amounts: readonly string[]) => sum(amounts, 'EUR');
type TaxAmount = { id: string; amount: string };
type PaidAmount = { method: string; amount: string };
const perTax = (all: readonly TaxAmount[]) =>
  Object.fromEntries([...Map.groupBy(all, ({ id }) => id)].map(([id, some]) => [id, add(some.map((t) => t.amount))]));
const perMethod = (all: readonly PaidAmount[]) =>
  Object.fromEntries([...Map.groupBy(all, (p) => p.method)].map(([m, some]) => [m, add(some.map((p) => p.amount))]));

test('adds up to the sale for any split into refunds, in any order', async () => {
  const city = await shop.tax({ name: 'City tax', rate: '3.7' });
  const included = await shop.tax({ name: 'Reduced', rate: '7', inclusive: true });
  const other = await shop.product({ sale_price: '7.77' }, { qty: '100', unit_cost: '3.33' });
  const service = await shop.product({ type: 'service', sale_price: '0.99' });
  await shop.add(product_id, '980', { unit_cost: '4.44' });
  const step = fc.record({ at: fc.nat(2), share: fc.integer({ min: 1, max: 5 }), restock: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 7 }), async (steps) => {
      const sale = await sell({
        lines: [
          { product_id, qty: '7', tax_ids: [tax_id, city] },
          { product_id: other, qty: '2.5', tax_ids: [included] },
          { product_id: service, qty: '3', tax_ids: [tax_id] },
        ],
        discount: { type: 'percent', value: '7.5' },
        payments: [
          { method: 'online', amount: '10.01' },
          { method: 'cash', amount: '200.00' },
          { method: 'card', amount: '5.00' },
        ],
      });
      for (const { at, share, restock } of steps) {
        const qty = (Number(sale.lines[at].qty) / 5) * share;
        await refund(sale.id, { lines: [{ line_id: sale.lines[at].id, qty: qty.toFixed(1), restock }] });
      }
      await refund(sale.id);
      const { data } = (await shop.owner.get(`/api/pos/show/${sale.id}`)).body;
      const column = (name: string) => add(data.refunds.map((one: Record<string, string>) => one[name]));
      expect(data).toMatchObject({ status: 'refunded', refunded_total: data.total });
      expect(['net_total', 'tax_total', 'total', 'cost'].map(column)).toEqual([
        data.net_total,
        data.tax_total,
        data.total,
        data.cost,
      ]);
      expect(perTax(data.refunds.flatMap(({ taxes }: { taxes: TaxAmount[] }) => taxes))).toEqual(perTax(data.taxes));
      const back = perMethod(data.refunds.flatMap(({ payments }: { payments: PaidAmount[] }) => payments));
      const cash = add([data.total, '-15.01']);
      expect(back).toEqual({ online: '10.01', cash, card: '5.00' });
    }),
    { numRuns: 10 },
  );
  expect(await auditViolations(serving)).toEqual([]);
});
