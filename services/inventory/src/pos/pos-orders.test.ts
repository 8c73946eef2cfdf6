import { beforeEach, describe, expect, test } from '@jest/globals';
import { today } from '@suite/chassis/runtime';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
let tax_id: string;
beforeEach(async () => {
  shop = await openShop();
  tax_id = await shop.tax({ name: 'VAT', rate: '20' });
  const body = { name: 'Lamp', sku: 'L-1', sale_price: '19.99', tax_ids: [tax_id] };
  product_id = await shop.product(body, { qty: '10', unit_cost: '5.00' });
});

const sell = (body: object = {}) =>
  shop.owner.post('/api/pos/create', {
    lines: [{ product_id, qty: '3', discount: { type: 'percent', value: '10' } }],
    payments: [{ method: 'cash', amount: '100.00' }],
    ...body,
  });
const refund = (id: string) => shop.owner.post(`/api/pos/refund/${id}`);
const year = today('Europe/Berlin').slice(0, 4);

describe('a POS order', () => {
  test('issues goods and records payments, with totals calculated as in any document', async () => {
    const { status, body } = await sell();
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      number: `POS-${year}-00001`,
      subtotal: '59.97',
      discount_total: '6.00',
      net_total: '53.97',
      tax_total: '10.79',
      total: '64.76',
      paid: '100.00',
      change: '35.24',
      cost: '15.00',
      currency: 'EUR',
      status: 'paid',
      customer_id: null,
      cashier_name: 'Kim Example',
      allowed_actions: ['refund'],
      lines: [{ name: 'Lamp', sku: 'L-1', qty: '3', net: '53.97', tax: '10.79', total: '64.76', cost: '15.00' }],
      taxes: [{ id: tax_id, name: 'VAT', rate: '20', amount: '10.79' }],
      payments: [{ method: 'cash', amount: '100.00' }],
    });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '7', value: '35' });
    expect((await shop.owner.get(`/api/pos/show/${body.data.id}`)).body.data).toEqual(body.data);
    expect((await shop.owner.get('/api/pos?expand=lines,payments')).body.data).toMatchObject([
      { id: body.data.id, lines: [{ sku: 'L-1' }] },
    ]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('reports revenue, tax, cost and net payments to finance', async () => {
    const payments = [
      { method: 'card', amount: '50.00' },
      { method: 'cash', amount: '20.00' },
    ];
    const customer_id = finance.customer(shop.workspace);
    const { id, number } = (await sell({ payments, customer_id, customer_name: 'Ada' })).body.data;
    const [event] = await serving.sql`SELECT data FROM journal_events WHERE aggregate_id = ${id}`;
    expect(event!['data']).toMatchObject({
      pos_order_id: id,
      number,
      customer_id,
      subtotal: '53.97',
      tax_total: '10.79',
      total: '64.76',
      cost: '15',
      taxes: [{ tax_id, name: 'VAT', amount: '10.79' }],
      payments: [
        { method: 'card', amount: '50.00' },
        { method: 'cash', amount: '14.76' },
      ],
    });
  });

  test('needs no stock for services and no payment for free products', async () => {
    const service = await shop.product({ type: 'service', sale_price: '0' });
    const free = await sell({ lines: [{ product_id: service, qty: '2' }], payments: [] });
    expect(free).toMatchObject({ status: 201, body: { data: { total: '0.00', cost: '0.00', payments: [] } } });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('accepts another price, other taxes and a discount on the total', async () => {
    const lines = [{ product_id, qty: '1', unit_price: '100.00', tax_ids: [] }];
    const sold = await sell({
      lines,
      discount: { type: 'amount', value: '1.00' },
      payments: [{ method: 'card', amount: '99' }],
    });
    expect(sold).toMatchObject({ status: 201, body: { data: { total: '99.00', tax_total: '0.00', change: '0.00' } } });
  });

  test.each([
    ['if it is not paid', { payments: [{ method: 'cash', amount: '64.75' }] }, 'not_paid'],
    ['with change for a card', { payments: [{ method: 'card', amount: '70.00' }] }, 'validation_failed'],
    ['with a payment of zero', { payments: [{ method: 'cash', amount: '0' }] }, 'validation_failed'],
    [
      'with a payment of a fraction of a cent',
      { payments: [{ method: 'cash', amount: '64.765' }] },
      'validation_failed',
    ],
    ['with a discount that exceeds its total', { discount: { type: 'amount', value: '1000' } }, 'validation_failed'],
    ['from an unknown warehouse', { warehouse_id: crypto.randomUUID() }, 'validation_failed'],
    ['without lines', { lines: [] }, 'validation_failed'],
    ['for an unknown product', { lines: [{ product_id: crypto.randomUUID(), qty: '1' }] }, 'validation_failed'],
  ])('is rejected %s', async (_, wrong, code) => {
    expect(await sell(wrong)).toMatchObject({ status: 422, body: { code } });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10' });
  });

  test('is rejected for archived products or taxes', async () => {
    await shop.owner.post(`/api/tax/update/${tax_id}`, { active: false });
    const named = [{ product_id, qty: '1', tax_ids: [tax_id] }];
    expect(await sell({ lines: named })).toMatchObject({
      status: 422,
      body: { errors: { 'lines.0.tax_ids': [expect.any(String)] } },
    });
    const old = await shop.product();
    await shop.owner.post(`/api/product/update/${old}`, { active: false });
    expect(await sell({ lines: [{ product_id: old, qty: '1' }] })).toMatchObject({ status: 422 });
  });

  test('is rejected without sufficient stock, and does not use a number', async () => {
    const lines = [{ product_id, qty: '11' }];
    expect(await sell({ lines, payments: [{ method: 'cash', amount: '1000' }] })).toMatchObject({
      status: 409,
      body: { code: 'insufficient_stock', details: { lines: [{ line_id: '1', requested: '11', available: '10' }] } },
    });
    expect((await sell()).body.data.number).toBe(`POS-${year}-00001`);
  });

  test('is refunded once, with its goods at their cost', async () => {
    const { id } = (await sell()).body.data;
    await shop.add(product_id, '7', { unit_cost: '50' });
    const replies = await runConcurrently(5, () => refund(id));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200]);
    expect(replies[0]!.body.data).toMatchObject({ id, status: 'refunded', allowed_actions: [] });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '17', value: '400' });
    const events = await serving.sql`SELECT type FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
    expect(events.map(({ type }) => type)).toEqual(['inventory.pos_order.paid', 'inventory.pos_order.refunded']);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is created once with the same key', async () => {
    const body = { lines: [{ product_id, qty: '1' }], payments: [{ method: 'cash', amount: '50' }] };
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const first = await shop.owner.post('/api/pos/create', body, options);
    const again = await shop.owner.post('/api/pos/create', body, options);
    expect(again.body).toEqual(first.body);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '9' });
  });
});

test('sells the last ten units to concurrent POS orders, without number gaps', async () => {
  const body = { lines: [{ product_id, qty: '1' }], payments: [{ method: 'cash', amount: '50' }] };
  const replies = await runConcurrently(30, () => sell(body));
  const sold = replies.filter(({ status }) => status === 201);
  expect(sold).toHaveLength(10);
  expect(replies.filter(({ status }) => status === 409)).toHaveLength(20);
  const numbers = sold.map(({ body: { data } }) => String(data.number)).toSorted();
  expect(numbers).toEqual(Array.from({ length: 10 }, (_, at) => `POS-${year}-${String(at + 1).padStart(5, '0')}`));
  expect(await shop.level(product_id)).toMatchObject({ on_hand: '0', value: '0' });
  expect(await auditViolations(serving)).toEqual([]);
});
