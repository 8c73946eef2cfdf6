import { beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openInventory, rpcOf, type Shop } from '../../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});

const post = (path: string, body: object) => shop.owner.post(path, body);
const createRecord = async (path: string, body: object): Promise<string> => (await post(path, body)).body.data.id;
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
const takenField = (field: string) => ({
  status: 409,
  body: { code: 'already_exists', errors: { [field]: [expect.any(String)] } },
});
const inUse = (details: object) => ({ status: 409, body: { code: 'in_use', details } });

describe('units', () => {
  const unit = (body: object = {}) => post('/api/unit/create', { name: 'Piece', symbol: 'pc', ...body });

  test('can be multiples of other units', async () => {
    const { id } = (await unit()).body.data;
    const dozen = await unit({ name: 'Dozen', symbol: 'dz', base_id: id, factor: '12' });
    expect(dozen).toMatchObject({ status: 201, body: { data: { base_id: id, factor: '12' } } });
    expect((await shop.owner.get('/api/units?sort=name')).body.data).toMatchObject([
      { name: 'Dozen' },
      { name: 'Piece', factor: '1' },
    ]);
    const gross = { name: 'Gross', symbol: 'gr', base_id: dozen.body.data.id, factor: '12' };
    expect(await unit(gross)).toMatchObject(invalidField('base_id'));
    expect(await post(`/api/unit/update/${id}`, { base_id: dozen.body.data.id, factor: '2' })).toMatchObject(
      invalidField('base_id'),
    );
    expect(await post(`/api/unit/update/${dozen.body.data.id}`, { base_id: dozen.body.data.id })).toMatchObject(
      invalidField('base_id'),
    );
    expect(await post(`/api/unit/update/${dozen.body.data.id}`, { base_id: null })).toMatchObject({
      body: { data: { factor: '1' } },
    });
  });

  test('have a unique name, and a factor only if they are a multiple of another unit', async () => {
    await unit();
    expect(await unit({ name: 'PIECE' })).toMatchObject(takenField('name'));
    expect(await unit({ name: 'Box', factor: '2' })).toMatchObject(invalidField('factor'));
    expect(await unit({ name: 'Box', base_id: crypto.randomUUID() })).toMatchObject(invalidField('base_id'));
    expect(await unit({ name: 'Box', symbol: '' })).toMatchObject(invalidField('symbol'));
  });

  test('cannot be deleted while in use', async () => {
    const { id } = (await unit()).body.data;
    const product = await shop.product({ unit_id: id });
    expect(await shop.owner.delete(`/api/unit/delete/${id}`)).toMatchObject(inUse({ products: 1, units: 0 }));
    await shop.owner.delete(`/api/product/delete/${product}`);
    expect(await shop.owner.delete(`/api/unit/delete/${id}`)).toMatchObject({ status: 200 });
  });
});

describe('taxes', () => {
  const tax = (body: object = {}) => post('/api/tax/create', { name: 'VAT', rate: '19', ...body });

  test('are a percentage or an amount per unit', async () => {
    expect(await tax()).toMatchObject({
      status: 201,
      body: { data: { rate: '19', kind: 'percent', inclusive: false, compound: false, active: true } },
    });
    expect(await tax({ name: 'Eco', rate: '250.5', kind: 'fixed' })).toMatchObject({
      status: 201,
      body: { data: { rate: '250.5' } },
    });
    expect(await tax({ name: 'Too much', rate: '100.01' })).toMatchObject(invalidField('rate'));
    expect(await tax({ name: 'Negative', rate: '-1' })).toMatchObject(invalidField('rate'));
    expect(await tax({ name: 'vat' })).toMatchObject(takenField('name'));
  });

  test('change for future documents, can be archived, and stay while in use', async () => {
    const { id } = (await tax()).body.data;
    const eco = await createRecord('/api/tax/create', { name: 'Eco', rate: '250', kind: 'fixed' });
    expect(await post(`/api/tax/update/${eco}`, { kind: 'percent' })).toMatchObject(invalidField('rate'));
    expect(await post(`/api/tax/update/${id}`, { rate: '20', active: false })).toMatchObject({
      body: { data: { rate: '20', active: false } },
    });
    await post(`/api/tax/update/${id}`, { active: true });
    await shop.product({ tax_ids: [id] });
    expect(await shop.owner.delete(`/api/tax/delete/${id}`)).toMatchObject(inUse({ products: 1 }));
    expect(await shop.owner.delete(`/api/tax/delete/${eco}`)).toMatchObject({ status: 200 });
    expect((await shop.owner.get('/api/tax?active=true')).body.data).toMatchObject([{ id }]);
  });
});

describe('categories', () => {
  const category = (body: object = {}) => post('/api/product/category/create', { name: 'Furniture', ...body });

  test('form a tree of one kind without cycles', async () => {
    const top = (await category()).body.data.id;
    const below = (await category({ name: 'Chairs', parent_id: top })).body.data.id;
    const deep = (await category({ name: 'Stools', parent_id: below })).body.data.id;
    for (const parent_id of [top, below, deep]) {
      expect(await post(`/api/product/category/update/${top}`, { parent_id })).toMatchObject(invalidField('parent_id'));
    }
    expect(await category({ name: 'Rent', kind: 'expense', parent_id: top })).toMatchObject(invalidField('parent_id'));
    expect(await category({ name: 'Rent', parent_id: crypto.randomUUID() })).toMatchObject(invalidField('parent_id'));
    expect(await post(`/api/product/category/update/${deep}`, { parent_id: null, color: '#112233' })).toMatchObject({
      status: 200,
      body: { data: { parent_id: null, color: '#112233' } },
    });
    expect((await shop.owner.get(`/api/product/category?parent_id=${top}`)).body.data).toMatchObject([{ id: below }]);
  });

  test('have a unique name under a parent', async () => {
    const top = (await category()).body.data.id;
    expect(await category({ name: 'furniture' })).toMatchObject(takenField('name'));
    expect(await category({ parent_id: top })).toMatchObject({ status: 201 });
    expect(sortedStatuses(await runConcurrently(5, () => category({ name: 'Lamps' })))).toEqual([
      201, 409, 409, 409, 409,
    ]);
  });

  test('cannot be deleted while in use', async () => {
    const top = (await category()).body.data.id;
    const below = (await category({ name: 'Chairs', parent_id: top })).body.data.id;
    await shop.product({ category_id: below });
    expect(await shop.owner.delete(`/api/product/category/delete/${top}`)).toMatchObject(
      inUse({ products: 0, categories: 1 }),
    );
    expect(await shop.owner.delete(`/api/product/category/delete/${below}`)).toMatchObject(
      inUse({ products: 1, categories: 0 }),
    );
  });
});

test('lookups by other services include archived catalogue records', async () => {
  const unit_id = await createRecord('/api/unit/create', { name: 'Piece', symbol: 'pc' });
  const vat = await createRecord('/api/tax/create', { name: 'VAT', rate: '19.5', inclusive: true });
  const body = {
    unit_id,
    tax_ids: [vat],
    sale_price: '19.99',
    description: 'Oak',
    income_account_id: finance.account('income'),
  };
  const id = await shop.product({ ...body, sku: 'C-1' });
  await post(`/api/product/update/${id}`, { active: false });
  const elsewhere = await openShop();
  const otherProduct = await elsewhere.product();
  const tax = {
    tax_id: vat,
    name: 'VAT',
    rate: '19.5',
    kind: 'percent',
    inclusive: true,
    compound: false,
    active: true,
  };
  expect(await shop.rpc.batchGetProducts({ product_ids: [id, otherProduct, crypto.randomUUID()] })).toEqual({
    products: [
      {
        product_id: id,
        name: 'Chair',
        sku: 'C-1',
        type: 'product',
        description: 'Oak',
        active: false,
        sale_price: '19.99',
        purchase_price: '0',
        taxes: [tax],
        unit_id,
        unit_name: 'Piece',
        track_stock: true,
        income_account_id: body.income_account_id,
        expense_account_id: '',
        stock_account_id: '',
      },
    ],
  });
  expect(await shop.rpc.batchGetTaxes({ tax_ids: [vat] })).toEqual({ taxes: [tax] });
  await expect(shop.rpc.batchGetProducts({ product_ids: ['x'] })).rejects.toMatchObject({ status: 422 });
  const { warehouses } = await shop.rpc.batchGetWarehouses({ warehouse_ids: [] });
  expect(warehouses).toMatchObject([
    { code: 'MAIN', is_default: true },
    { code: 'ANNEX', active: true },
  ]);
  expect((await shop.rpc.batchGetWarehouses({ warehouse_ids: [shop.other] })).warehouses).toHaveLength(1);
  expect((await shop.rpc.batchGetCatalogue({ tax_ids: [vat] })).warehouses).toEqual(warehouses);
  expect((await shop.rpc.batchGetCatalogue({ tax_ids: [vat], without_warehouses: true })).warehouses).toEqual([]);
});

test('returns availability and stock value in request order', async () => {
  const [one, two] = [await shop.product({}, { qty: '3', unit_cost: '2' }), await shop.product()];
  const places = [
    { product_id: two, warehouse_id: shop.warehouse },
    { product_id: one, warehouse_id: shop.warehouse },
  ];
  expect((await shop.rpc.checkAvailability({ places })).availabilities).toEqual([
    { ...places[0], on_hand: '0', reserved: '0', available: '0', average_cost: '0' },
    { ...places[1], on_hand: '3', reserved: '0', available: '3', average_cost: '2' },
  ]);
  const [{ id, business_date } = { id: '', business_date: '' }] = await serving.sql<{
    id: string;
    business_date: string;
  }>`
    SELECT id, business_date::text AS business_date FROM stock_adjustments WHERE product_id = ${one}`;
  const sources = [
    { type: 'sales_invoice', id: 'x', number: '' },
    { type: 'purchase_invoice', id: 'y', number: '' },
  ];
  expect(await shop.rpc.getStockValue({ sources })).toEqual({
    value: '6',
    sources: [
      { source: sources[0], value: '0' },
      { source: sources[1], value: '0' },
    ],
    accounts: [{ stock_account_id: '', value: '6' }],
    recent: [{ type: 'adjustment', id, source_id: id, number: '', value: '6', business_date }],
  });
});

test('rejects callers without a workspace', async () => {
  const nobody = rpcOf(serving, { ...shop.owner, caller: null as never });
  await expect(nobody.getStockValue({ sources: [] })).rejects.toMatchObject({ status: 401 });
});

test('lists only the undeleted products of a warehouse, by name', async () => {
  const stock = { qty: '3', unit_cost: '1.00' };
  const [wheel, engine] = [await shop.product({ name: 'Wheel' }, stock), await shop.product({ name: 'Engine' }, stock)];
  await shop.product({ name: 'Gone' });
  const lying = async (more: object = {}) => {
    const asked = { warehouse_id: shop.warehouse, q: '', limit: 10, ...more };
    return (await shop.rpc.listStockedProducts(asked)).products.map(({ product, availability }) => [
      product?.name,
      availability?.product_id,
      availability?.available,
    ]);
  };
  expect(await lying()).toEqual([
    ['Engine', engine, '3'],
    ['Wheel', wheel, '3'],
  ]);
  expect(await lying({ q: 'WHE' })).toEqual([['Wheel', wheel, '3']]);
  expect(await lying({ q: '%' })).toEqual([]);
  expect(await lying({ limit: 1 })).toEqual([['Engine', engine, '3']]);
  expect(await lying({ warehouse_id: crypto.randomUUID() })).toEqual([]);
  await expect(lying({ limit: 0 })).rejects.toThrow();
});
