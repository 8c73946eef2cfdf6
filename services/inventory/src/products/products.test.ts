import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypesOf } from '@suite/testing';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const create = (body: object = {}) => shop.owner.post('/api/product/create', { name: 'Chair', sku: 'C-1', ...body });
const update = (id: string, body: object) => shop.owner.post(`/api/product/update/${id}`, body);
const remove = (id: string) => shop.owner.delete(`/api/product/delete/${id}`);
const show = async (id: string) => (await shop.owner.get(`/api/product/detail/${id}`)).body.data;
const list = async (query = '') => (await shop.owner.get(`/api/products${query}`)).body.data as { name: string }[];
const createRecord = async (path: string, body: object): Promise<string> =>
  (await shop.owner.post(path, body)).body.data.id;
const events = (id: string) => eventTypesOf(serving, id);

describe('a product', () => {
  test('is returned with all its details', async () => {
    const category_id = await createRecord('/api/product/category/create', { name: 'Furniture' });
    const unit_id = await createRecord('/api/unit/create', { name: 'Piece', symbol: 'pc' });
    const vat = await createRecord('/api/tax/create', { name: 'VAT', rate: '19' });
    const eco = await createRecord('/api/tax/create', { name: 'Eco', rate: '0.5', kind: 'fixed' });
    const body = {
      category_id,
      unit_id,
      tax_ids: [eco, vat],
      sale_price: '99.90',
      reorder_level: '2',
      barcode: '4006381333931',
    };
    const { status, body: answer } = await create({ ...body, purchase_price: '40', description: 'Oak' });
    expect(status).toBe(201);
    expect(answer.data).toMatchObject({
      ...body,
      type: 'product',
      track_stock: true,
      allow_negative: false,
      active: true,
      image_url: null,
      allowed_actions: ['update', 'archive', 'delete'],
      total_on_hand: '0',
      stock_value: '0.00',
      average_cost: '0.00',
      stock: [],
      purchase_price: '40.00',
      category: { name: 'Furniture' },
      unit: { symbol: 'pc' },
      taxes: [
        { name: 'Eco', rate: '0.5' },
        { name: 'VAT', rate: '19' },
      ],
    });
    const { id } = answer.data;
    await shop.add(id, '4', { unit_cost: '40' });
    await shop.add(id, '1', { unit_cost: '50', warehouse_id: shop.other });
    expect(await show(id)).toMatchObject({
      total_on_hand: '5',
      total_available: '5',
      stock_value: '210.00',
      average_cost: '42.00',
      stock: [
        { warehouse: { code: 'MAIN' }, on_hand: '4', value: '160.00', average_cost: '40.00' },
        { warehouse: { code: 'ANNEX' }, on_hand: '1' },
      ],
    });
    expect(await events(id)).toEqual(['inventory.product.created']);
  });

  test('is found by words of its name, number, barcode and description', async () => {
    await create({ description: 'Solid oak', barcode: '400638' });
    await create({ name: 'Desk lamp', sku: 'L-200' });
    const found = async (q: string) => (await list(`?q=${encodeURIComponent(q)}`)).map(({ name }) => name);
    expect([
      await found('oak'),
      await found('des'),
      await found('L-200'),
      await found('400638'),
      await found('xyz'),
    ]).toEqual([['Chair'], ['Desk lamp'], ['Desk lamp'], ['Chair'], []]);
  });

  test('is offered in pickers while it is active', async () => {
    const unit_id = await createRecord('/api/unit/create', { name: 'Piece', symbol: 'pc' });
    await create({ unit_id, sale_price: '5' });
    const { id } = (await create({ name: 'Old', sku: 'O' })).body.data;
    await update(id, { active: false });
    const { data } = (await shop.owner.get('/api/product-service/items')).body;
    expect(data).toEqual([
      expect.objectContaining({ name: 'Chair', unit: 'pc', sale_price: '5.00', total_available: '0' }),
    ]);
    expect(await list('?active=false')).toMatchObject([{ name: 'Old' }]);
  });

  test('has a unique number, regardless of case, also among archived products', async () => {
    const { id } = (await create()).body.data;
    await update(id, { active: false });
    expect(await create({ sku: 'c-1' })).toMatchObject({
      status: 409,
      body: { code: 'already_exists', errors: { sku: [expect.any(String)] } },
    });
  });

  test('is listed with three statements, plus one for each expansion', async () => {
    await create();
    const before = serving.database.statements;
    await list();
    expect(serving.database.statements - before).toBeLessThanOrEqual(2);
    await list('?expand=stock,taxes,category,unit');
    expect(serving.database.statements - before).toBeLessThanOrEqual(8);
  });

  test.each([
    ['without a name', { name: '' }, 'name'],
    ['without a number', { sku: ' ' }, 'sku'],
    ['with a negative price', { sale_price: '-1' }, 'sale_price'],
    ['with a price that is a number', { sale_price: 5 }, 'sale_price'],
    ['with an unknown kind', { type: 'bundle' }, 'type'],
    ['with an unknown category', { category_id: crypto.randomUUID() }, 'category_id'],
    ['with an unknown unit', { unit_id: crypto.randomUUID() }, 'unit_id'],
    ['with an unknown tax', { tax_ids: [crypto.randomUUID()] }, 'tax_ids'],
    ['if it is a service with stock', { type: 'service', track_stock: true }, 'track_stock'],
  ])('is rejected %s', async (_, wrong, field) => {
    expect(await create(wrong)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('rejects expense categories, and repeated or archived taxes', async () => {
    const category_id = await createRecord('/api/product/category/create', { name: 'Rent', kind: 'expense' });
    const tax_id = await createRecord('/api/tax/create', { name: 'VAT', rate: '19' });
    expect(await create({ category_id })).toMatchObject({ status: 422 });
    expect(await create({ tax_ids: [tax_id, tax_id] })).toMatchObject({ status: 422 });
    await shop.owner.post(`/api/tax/update/${tax_id}`, { active: false });
    expect(await create({ tax_ids: [tax_id] })).toMatchObject({ status: 422 });
  });

  test('rejects records of another workspace', async () => {
    const elsewhere = await openShop();
    const { body } = await elsewhere.owner.post('/api/tax/create', { name: 'VAT', rate: '19' });
    const unit = await elsewhere.owner.post('/api/unit/create', { name: 'Piece', symbol: 'pc' });
    expect(await create({ tax_ids: [body.data.id] })).toMatchObject({ status: 422 });
    expect(await create({ unit_id: unit.body.data.id })).toMatchObject({ status: 422 });
  });
});

describe('updating a product', () => {
  test('changes the given fields, and rejects a stale version', async () => {
    const { id } = (await create()).body.data;
    expect(await update(id, { sale_price: '7', version: 1 })).toMatchObject({
      status: 200,
      body: { data: { sale_price: '7.00', version: 2 } },
    });
    expect(await update(id, { sale_price: '8', version: 1 })).toMatchObject({ status: 412 });
    expect(await events(id)).toEqual(['inventory.product.created', 'inventory.product.updated']);
  });

  test('can turn it into a service before the first movement', async () => {
    const { id } = (await create()).body.data;
    expect(await update(id, { type: 'service' })).toMatchObject({
      status: 200,
      body: { data: { type: 'service', track_stock: false } },
    });
  });

  test('cannot change its type, unit and tracking after the first movement', async () => {
    const unit_id = await createRecord('/api/unit/create', { name: 'Piece', symbol: 'pc' });
    const { id } = (await create()).body.data;
    await shop.add(id, '1');
    await shop.add(id, '-1');
    for (const patch of [{ type: 'service' }, { track_stock: false }, { unit_id }])
      expect(await update(id, patch)).toMatchObject({ status: 409, body: { code: 'product_has_moved' } });
    expect(await update(id, { name: 'Stool', type: 'product', unit_id: null })).toMatchObject({ status: 200 });
  });

  test('archives it only without stock', async () => {
    const { id } = (await create()).body.data;
    await shop.add(id, '1');
    expect(await update(id, { active: false })).toMatchObject({ status: 409, body: { code: 'product_has_stock' } });
    await shop.add(id, '-1');
    expect(await update(id, { active: false })).toMatchObject({ status: 200, body: { data: { active: false } } });
    expect(await events(id)).toEqual(['inventory.product.created', 'inventory.product.archived']);
  });

  test('allows negative stock, and cannot disallow it while stock is negative', async () => {
    const { id } = (await create({ purchase_price: '2' })).body.data;
    await shop.add(id, '1');
    expect(await shop.owner.post('/api/product-stock/add', { product_id: id, qty: '-3' })).toMatchObject({
      status: 409,
    });
    await update(id, { allow_negative: true });
    await shop.add(id, '-3');
    expect(await shop.level(id)).toMatchObject({ on_hand: '-2', value: '-4' });
    expect(await update(id, { allow_negative: false })).toMatchObject({
      status: 409,
      body: { code: 'stock_is_negative' },
    });
    await shop.add(id, '2');
    expect(await update(id, { allow_negative: false })).toMatchObject({ status: 200 });
    expect(await auditViolations(serving)).toEqual([]);
  });
});

describe('deleting a product', () => {
  test('succeeds only while the product is unused', async () => {
    const { id } = (await create()).body.data;
    expect(await remove(id)).toMatchObject({ status: 200, body: { data: { id, deleted: true } } });
    const used = (await create()).body.data.id;
    await shop.add(used, '1');
    expect(await remove(used)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { movements: 1, instead: expect.stringContaining('archive') } },
    });
  });
});
