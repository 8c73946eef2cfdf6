import { beforeAll, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';

const { serving, inventory, shop: openShop } = await openCrm();
let shop: Shop;
let otherShop: Shop;
beforeAll(async () => {
  [shop, otherShop] = [await openShop(), await openShop()];
});

describe.each(['lead', 'deal'])('the products of a %s', (kind) => {
  const record = async (more: object = {}) =>
    (await shop.owner.post(`/api/${kind}/create`, { name: 'Ada', ...more })).body.data.id;
  const assign = (id: string, products: object[], by = shop.owner) =>
    by.post(`/api/${kind}/assign-products/${id}`, { products });
  const removeProduct = (id: string, product_id: string, by = shop.owner) =>
    by.delete(`/api/${kind}/${id}/products/${product_id}`);
  const shown = async (id: string) => (await shop.owner.get(`/api/${kind}/show/${id}`)).body.data;
  const readEvents = async (id: string, type: string) =>
    (await shown(id)).timeline.filter((line: { type: string }) => line.type === type).length;

  test('keep the price of their assignment', async () => {
    const id = await record();
    const product_id = shop.stock.product({ name: 'Engine', sale_price: '19.99' });
    expect(await assign(id, [{ product_id, qty: '2' }])).toMatchObject({
      status: 200,
      body: { data: [{ product_id, name: 'Engine', qty: '2', price: '19.99' }] },
    });
    inventory.products.get(product_id)!.sale_price = '99.00';
    expect((await shown(id)).products).toEqual([{ product_id, name: 'Engine', qty: '2', price: '19.99' }]);
    const { body } = await shop.owner.get(`/api/${kind}s?expand=products&per_page=1`);
    expect(body.data[0].products).toHaveLength(1);
    const other = shop.stock.product({ name: 'Axle' });
    expect((await assign(id, [{ product_id: other, price: '7.01' }])).body.data[0]).toMatchObject({
      qty: '1',
      price: '7.01',
    });
  });

  test('are assigned once, even if requested repeatedly and concurrently', async () => {
    const id = await record();
    const product_id = shop.stock.product();
    const replies = await runConcurrently(10, () =>
      assign(id, [
        { product_id, qty: '1' },
        { product_id, qty: '5' },
      ]),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect((await shown(id)).products).toHaveLength(1);
    expect(await readEvents(id, 'product_added')).toBe(1);
  });

  test('can be removed once', async () => {
    const id = await record();
    const product_id = shop.stock.product();
    await assign(id, [{ product_id }]);
    expect(await removeProduct(id, product_id)).toMatchObject({
      status: 200,
      body: { data: { id: product_id, deleted: true } },
    });
    expect(await removeProduct(id, product_id)).toMatchObject({ status: 404 });
    expect([(await shown(id)).products, await readEvents(id, 'product_removed')]).toEqual([[], 1]);
  });

  test.each([
    ['unknown', () => ({ product_id: crypto.randomUUID() }), 'products.0.product_id'],
    ['archived', () => ({ product_id: shop.stock.product({ active: false }) }), 'products.0.product_id'],
    ['of another workspace', () => ({ product_id: otherShop.stock.product() }), 'products.0.product_id'],
    ['none at all', () => ({ product_id: shop.stock.product(), qty: '0' }), 'products.0.qty'],
    ['at a negative price', () => ({ product_id: shop.stock.product(), price: '-1' }), 'products.0.price'],
  ])('are rejected if they are %s', async (_, change, field) => {
    const id = await record();
    expect(await assign(id, [change()])).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    expect((await shown(id)).products).toEqual([]);
  });

  test('are not found if they belong to another workspace', async () => {
    const id = await record();
    expect(await assign(id, [{ product_id: otherShop.stock.product() }], otherShop.owner)).toMatchObject({
      status: 404,
    });
    expect(await removeProduct(id, crypto.randomUUID(), otherShop.owner)).toMatchObject({ status: 404 });
    expect(
      await assign(id, [{ product_id: shop.stock.product() }], shop.member({ can: [`${kind}.view`] })),
    ).toMatchObject({
      status: 403,
    });
  });
});

describe('products', () => {
  test('need a price on a deal in another currency', async () => {
    const { id } = (await shop.owner.post('/api/deal/create', { name: 'Overseas', currency: 'USD' })).body.data;
    const product_id = shop.stock.product();
    const assign = (more: object) =>
      shop.owner.post(`/api/deal/assign-products/${id}`, { products: [{ product_id, ...more }] });
    expect(await assign({})).toMatchObject({
      status: 422,
      body: { errors: { 'products.0.price': [expect.any(String)] } },
    });
    expect(await assign({ price: '12' })).toMatchObject({ status: 200 });
  });

  test('are copied from a converted lead to its deal, and leave the lead unchanged', async () => {
    const { id } = (await shop.owner.post('/api/lead/create', { name: 'Ada' })).body.data;
    const product_id = shop.stock.product();
    await shop.owner.post(`/api/lead/assign-products/${id}`, { products: [{ product_id }] });
    const convert = (body: object) =>
      shop.owner.post(`/api/lead/convert-to-deal/${id}`, { copy: ['products'], ...body });
    expect(await convert({ currency: 'USD' })).toMatchObject({
      status: 422,
      body: { errors: { copy: expect.any(Array) } },
    });
    const deal = (await convert({})).body.data;
    const { products } = (await shop.owner.get(`/api/deal/show/${deal.id}`)).body.data;
    expect(products).toMatchObject([{ product_id, price: '19.99' }]);
    expect(await shop.owner.post(`/api/lead/assign-products/${id}`, { products: [{ product_id }] })).toMatchObject({
      status: 409,
      body: { code: 'lead_is_converted' },
    });
    expect(await serving.sql`SELECT FROM lead_products WHERE lead_id = ${id}`).toHaveLength(1);
  });
});
