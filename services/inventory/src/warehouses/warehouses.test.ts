import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { auditViolations, everything, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const create = (body: object) => shop.owner.post('/api/warehouse/create', body);
const update = (id: string, body: object) => shop.owner.post(`/api/warehouse/update/${id}`, body);
const remove = (id: string) => shop.owner.delete(`/api/warehouse/delete/${id}`);
const defaults = async () =>
  (await shop.owner.get('/api/warehouse?is_default=true')).body.data.map(({ id }: { id: string }) => id);

describe('a warehouse', () => {
  test('shows its quantity and its products', async () => {
    const product_id = await shop.product({}, { qty: '3', unit_cost: '2.50' });
    const { data } = (await shop.owner.get('/api/warehouse?code=MAIN')).body;
    expect(data).toMatchObject([{ id: shop.warehouse, is_default: true, product_count: 1, stock_value: '7.50' }]);
    const stock = (await shop.owner.get(`/api/warehouse/product/${shop.warehouse}?expand=product,warehouse`)).body.data;
    expect(stock).toMatchObject([
      { product_id, on_hand: '3', product: { name: 'Chair' }, warehouse: { code: 'MAIN' } },
    ]);
    expect((await shop.owner.get(`/api/warehouse/product/${shop.other}`)).body.data).toEqual([]);
  });

  test('has a unique code', async () => {
    expect(await create({ name: 'Third', code: 'main' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', errors: { code: [expect.any(String)] } },
    });
    expect(await create({ name: 'Third', code: 'a b' })).toMatchObject({ status: 422 });
  });

  test('becomes the default if it is the first or is set as the default', async () => {
    expect(await defaults()).toEqual([shop.warehouse]);
    const { body } = await create({ name: 'Third', code: 'T', is_default: true });
    expect(body.data.is_default).toBe(true);
    expect(await defaults()).toEqual([body.data.id]);
    expect(await update(shop.other, { is_default: true, city: 'Bonn' })).toMatchObject({
      body: { data: { is_default: true, city: 'Bonn' } },
    });
    expect(await defaults()).toEqual([shop.other]);
    expect(await update(shop.other, { is_default: false })).toMatchObject({ status: 422 });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is created concurrently with others, and only one is the default', async () => {
    const member = serving.member({ can: everything, modules: ['warehouse'], workspace: randomUUID() });
    const replies = await runConcurrently(8, (at) =>
      member.post('/api/warehouse/create', { name: `W ${at}`, code: `W${at}` }),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    expect((await member.get('/api/warehouse?is_default=true')).body.meta.total).toBe(1);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('can be archived if it is empty and not the default', async () => {
    const gone = { status: 409, body: { code: 'default_warehouse' } };
    expect(await update(shop.warehouse, { active: false })).toMatchObject(gone);
    expect(await update(shop.other, { active: false, is_default: true })).toMatchObject(gone);
    await shop.add(await shop.product(), '1', { warehouse_id: shop.other });
    expect(await update(shop.other, { active: false })).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { products_in_stock: 1 } },
    });
  });

  test('receives nothing while archived, and becomes active again as the default', async () => {
    const archived = { active: false, allowed_actions: ['update', 'make_default', 'restore', 'delete'] };
    expect(await update(shop.other, { active: false })).toMatchObject({ body: { data: archived } });
    const product_id = await shop.product();
    const add = { product_id, qty: '1', warehouse_id: shop.other };
    expect(await shop.owner.post('/api/product-stock/add', add)).toMatchObject({ status: 422 });
    expect(await update(shop.other, { is_default: true })).toMatchObject({
      body: { data: { active: true, is_default: true } },
    });
  });

  test('can be deleted if it never had stock', async () => {
    expect(await remove(shop.warehouse)).toMatchObject({ status: 409, body: { code: 'default_warehouse' } });
    const third = (await create({ name: 'Third', code: 'T' })).body.data.id;
    expect(await remove(third)).toMatchObject({ status: 200, body: { data: { id: third, deleted: true } } });
    await shop.add(await shop.product(), '1', { warehouse_id: shop.other });
    expect(await remove(shop.other)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { movements: 1 } },
    });
  });
});
