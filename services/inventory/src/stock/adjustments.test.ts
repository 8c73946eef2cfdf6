import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({ purchase_price: '4.00' });
});

const add = (body: object) => shop.owner.post('/api/product-stock/add', { product_id, ...body });
const events = async (type: string) =>
  (
    await serving.sql`SELECT data FROM journal_events WHERE workspace_id = ${shop.workspace} AND type = ${type} ORDER BY position`
  ).map(({ data }) => data);

describe('correcting stock', () => {
  test('adds opening stock at its cost to the default warehouse', async () => {
    const reply = await add({
      qty: '10',
      unit_cost: '2.50',
      reason: 'opening',
      note: 'Counted',
      business_date: '2026-01-02',
    });
    expect(reply).toMatchObject({
      status: 201,
      body: {
        data: {
          qty: '10',
          unit_cost: '2.50',
          value: '25.00',
          reason: 'opening',
          business_date: '2026-01-02',
          stock: { warehouse_id: shop.warehouse, on_hand: '10', available: '10', incoming: '0', average_cost: '2.50' },
        },
      },
    });
    expect(await events('inventory.adjustment.recorded')).toEqual([
      expect.objectContaining({
        adjustment_id: reply.body.data.id,
        value: '25',
        reason: 'opening',
        business_date: '2026-01-02',
      }),
    ]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('adds at the average cost, or at the purchase price without stock', async () => {
    expect((await add({ qty: '2' })).body.data).toMatchObject({ unit_cost: '4.00', value: '8.00' });
    await add({ qty: '2', unit_cost: '6' });
    expect((await add({ qty: '1' })).body.data).toMatchObject({ unit_cost: '5.00', value: '5.00' });
  });

  test('reduces stock at the average cost', async () => {
    await add({ qty: '10', unit_cost: '2.50' });
    expect((await add({ qty: '-4', reason: 'scrap' })).body.data).toMatchObject({
      qty: '-4',
      value: '-10.00',
      stock: { on_hand: '6', value: '15.00' },
    });
    expect((await events('inventory.adjustment.recorded'))[1]).toMatchObject({ value: '-10', reason: 'adjustment' });
    expect(await add({ qty: '-7' })).toMatchObject({ status: 409, body: { code: 'insufficient_stock' } });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('announces once that stock has fallen to the reorder level', async () => {
    await shop.owner.post(`/api/product/update/${product_id}`, { reorder_level: '5' });
    await add({ qty: '10' });
    await add({ qty: '-5' });
    await add({ qty: '-1' });
    expect(await events('inventory.stock.low')).toEqual([
      expect.objectContaining({ product_id, warehouse_id: shop.warehouse, on_hand: '5', reorder_level: '5' }),
    ]);
    expect((await events('inventory.stock.changed')).map(({ on_hand }) => on_hand)).toEqual(['10', '5', '4']);
    expect((await events('inventory.movement.recorded')).map(({ qty }) => qty)).toEqual(['10', '-5', '-1']);
  });

  test.each([
    ['a quantity of zero', { qty: '0' }, 'qty'],
    ['no quantity', {}, 'qty'],
    ['a quantity that is a number', { qty: 5 }, 'qty'],
    ['negative opening stock', { qty: '-1', reason: 'opening' }, 'qty'],
    ['scrap that adds stock', { qty: '1', reason: 'scrap' }, 'qty'],
    ['a cost of issued goods', { qty: '-1', unit_cost: '1' }, 'unit_cost'],
    ['a negative cost', { qty: '1', unit_cost: '-1' }, 'unit_cost'],
    ['a future day', { qty: '1', business_date: '2999-01-01' }, 'business_date'],
    ['an unknown warehouse', { qty: '1', warehouse_id: crypto.randomUUID() }, 'warehouse_id'],
    ['an unknown product', { qty: '1', product_id: crypto.randomUUID() }, 'product_id'],
    ['an amount that is too large', { qty: '999999999999', unit_cost: '999999999999' }, 'qty'],
  ])('is rejected with %s', async (_, wrong, field) => {
    expect(await add(wrong)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is rejected for a service', async () => {
    product_id = await shop.product({ type: 'service' });
    expect(await add({ qty: '1' })).toMatchObject({
      status: 422,
      body: { errors: { product_id: [expect.any(String)] } },
    });
  });

  test('cannot be changed: stock movements are append-only', async () => {
    await add({ qty: '1' });
    const change = serving.database.write(
      { workspace_id: shop.workspace, caller: null, operation: 'test', request_id: '' },
      async (db) =>
        (db as { rows(sql: object): Promise<unknown> }).rows({
          text: 'UPDATE stock_movements SET value = 0',
          values: [],
        }),
    );
    await expect(change).rejects.toThrow('permission denied');
  });
});
