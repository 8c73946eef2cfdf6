import { beforeEach, describe, expect, test } from '@jest/globals';
import { today } from '@suite/chassis/runtime';
import { type Member, memberOf, sortedStatuses, runConcurrently } from '@suite/testing';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, others, shop: openShop } = await openInventory({ replicas: 2 });
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({}, { qty: '10', unit_cost: '5.00' });
});

const transfer = (body: object = {}, by: Member = shop.owner) =>
  by.post('/api/transfer/create', {
    from_warehouse_id: shop.warehouse,
    to_warehouse_id: shop.other,
    lines: [{ product_id, qty: '4' }],
    ...body,
  });
const undo = (id: string) => shop.owner.delete(`/api/transfer/delete/${id}`);
/** Returns a client for the same caller on the other replica. */
const elsewhere = (member: Member) =>
  memberOf({ name: 'inventory', url: others[0]!.url, gateway: serving.gateway }, member.caller);
const year = today('Europe/Berlin').slice(0, 4);

describe('a transfer', () => {
  test('moves goods between warehouses at their cost', async () => {
    const { status, body } = await transfer({ note: 'For the fair' });
    expect({ status, ...body.data }).toMatchObject({
      status: 'completed',
      number: `STF-${year}-00001`,
      note: 'For the fair',
      line_count: 1,
      value: '20.00',
      from_warehouse: { code: 'MAIN' },
      to_warehouse: { code: 'ANNEX' },
      lines: [{ qty: '4', unit_cost: '5.00', value: '20.00', product: { name: 'Chair' } }],
      allowed_actions: ['reverse'],
    });
    expect(status).toBe(201);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '6', value: '30' });
    expect(await shop.level(product_id, shop.other)).toMatchObject({ on_hand: '4', value: '20' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('has a warning about an unusual date, as an adjustment has', async () => {
    const warned = { status: 201, body: { data: { warnings: [{ code: 'unusual_date' }] } } };
    expect(await transfer({ date: '2019-01-31' })).toMatchObject(warned);
    expect((await transfer()).body.data.warnings).toEqual([]);
    const adjusted = {
      product_id,
      warehouse_id: shop.warehouse,
      qty: '1',
      reason: 'adjustment',
      business_date: '2019-01-31',
    };
    expect(await shop.owner.post('/api/product-stock/add', adjusted)).toMatchObject(warned);
  });

  test('moves nothing if one line exceeds the available stock', async () => {
    const scarce = await shop.product({}, { qty: '1' });
    const lines = [
      { product_id, qty: '1' },
      { product_id: scarce, qty: '2' },
    ];
    expect(await transfer({ lines })).toMatchObject({
      status: 409,
      body: {
        code: 'insufficient_stock',
        details: { lines: [{ product_id: scarce, requested: '2', available: '1' }] },
      },
    });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10' });
    expect((await transfer()).body.data.number).toBe(`STF-${year}-00001`);
  });

  test('is reversed once with the same goods and values, and retains its number', async () => {
    const { id, number } = (await transfer()).body.data;
    await shop.add(product_id, '2', { warehouse_id: shop.other, unit_cost: '50' });
    const replies = await runConcurrently(5, () => undo(id));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 200]);
    expect(replies[0]!.body.data).toMatchObject({ id, number, status: 'reversed', allowed_actions: [] });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10', value: '50' });
    expect(await shop.level(product_id, shop.other)).toMatchObject({ on_hand: '2', value: '100' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('cannot be reversed if its goods have left the destination', async () => {
    const { id } = (await transfer()).body.data;
    await shop.add(product_id, '-1', { warehouse_id: shop.other });
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: 'insufficient_stock' } });
    expect((await shop.owner.get(`/api/transfer?status=completed`)).body.data).toMatchObject([{ id }]);
  });

  test('emits its events', async () => {
    const { id, number } = (await transfer()).body.data;
    await undo(id);
    const events = await serving.sql`
      SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
    expect(events).toEqual([
      { type: 'inventory.transfer.completed', data: { transfer_id: id, number } },
      { type: 'inventory.transfer.reversed', data: { transfer_id: id, number } },
    ]);
  });

  test.each([
    ['to the same warehouse', () => ({ to_warehouse_id: shop.warehouse }), 'to_warehouse_id'],
    ['to an unknown warehouse', () => ({ to_warehouse_id: crypto.randomUUID() }), 'to_warehouse_id'],
    ['without lines', () => ({ lines: [] }), 'lines'],
    ['for a quantity of zero', () => ({ lines: [{ product_id, qty: '0' }] }), 'lines.0.qty'],
    [
      'for an unknown product',
      () => ({ lines: [{ product_id: crypto.randomUUID(), qty: '1' }] }),
      'lines.0.product_id',
    ],
    ['on a future day', () => ({ date: '2999-01-01' }), 'date'],
  ])('is rejected %s', async (_, wrong, field) => {
    expect(await transfer(wrong())).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is rejected for a service or an archived warehouse', async () => {
    const service = await shop.product({ type: 'service' });
    expect(await transfer({ lines: [{ product_id: service, qty: '1' }] })).toMatchObject({ status: 422 });
    await shop.owner.post(`/api/warehouse/update/${shop.other}`, { active: false });
    expect(await transfer()).toMatchObject({
      status: 422,
      body: { errors: { to_warehouse_id: [expect.any(String)] } },
    });
  });

  test('has a form that offers the available products', async () => {
    await shop.product({ name: 'Nothing there' });
    const { data } = (await shop.owner.get(`/api/transfer/request-data?from_warehouse_id=${shop.warehouse}`)).body;
    expect(data).toMatchObject({
      warehouses: [{ id: shop.warehouse, is_default: true }, { id: shop.other }],
      products: [{ id: product_id, stock: [{ warehouse_id: shop.warehouse, available: '10' }] }],
    });
    const none = (await shop.owner.get(`/api/transfer/request-data?from_warehouse_id=${shop.other}`)).body.data;
    expect(none.products).toEqual([]);
  });
});

describe('concurrent transfers in both directions', () => {
  test('succeed, with gapless numbers and no lost goods', async () => {
    const second = await shop.product({}, { qty: '50', unit_cost: '3.33' });
    await shop.add(product_id, '40', { unit_cost: '7' });
    await shop.add(product_id, '50', { warehouse_id: shop.other, unit_cost: '9' });
    await shop.add(second, '50', { warehouse_id: shop.other, unit_cost: '1' });
    const lines = [
      { product_id, qty: '1' },
      { product_id: second, qty: '1' },
    ];
    const replies = await runConcurrently(40, async (at) => {
      const back = { from_warehouse_id: shop.other, to_warehouse_id: shop.warehouse, lines: lines.toReversed() };
      const by = at % 4 < 2 ? shop.owner : elsewhere(shop.owner);
      return await transfer(at % 2 ? back : { lines }, by);
    });
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    const numbers = replies.map(({ body }) => Number(body.data.number.split('-')[2])).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 40 }, (_, at) => at + 1));
    expect(await auditViolations(serving)).toEqual([]);
  });
});
