import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { everything, openInventory, type Shop } from '../../test/fixture.ts';

const { shop: openShop } = await openInventory();
let shop: Shop;
let userWithoutCosts: Member;
let product_id: string;
beforeAll(async () => {
  shop = await openShop();
  userWithoutCosts = shop.member({ can: everything.filter((permission) => permission !== 'product.cost') });
  product_id = await shop.product(
    { purchase_price: '41.49', sale_price: '100.00', name: 'Secret chair' },
    { qty: '10', unit_cost: '41.49' },
  );
});

const COSTS = /41\.49|82\.98|414\.9|purchase_price|_cost|"cost"|stock_value|"value"/;
const readAs = async (by: Member, path: string) => {
  const { status, body } = await by.get(path);
  expect([path, status]).toEqual([path, 200]);
  return JSON.stringify(body.data);
};

describe('a caller without product.cost', () => {
  test('sees no costs of products, stock and warehouses', async () => {
    const paths = [
      '/api/products',
      '/api/products?expand=stock',
      `/api/product/detail/${product_id}`,
      '/api/product-stocks?expand=product,warehouse',
      '/api/warehouse',
    ];
    for (const path of paths) {
      expect(await readAs(shop.owner, path)).toMatch(COSTS);
      expect(await readAs(userWithoutCosts, path)).not.toMatch(COSTS);
    }
  });

  test.each([
    ['/api/products?purchase_price[gte]=41.49', 'purchase_price'],
    ['/api/product-stocks?value[gte]=1', 'value'],
    ['/api/product-stocks?sort=-value', 'sort'],
  ])('cannot filter or sort by costs: %s', async (path, parameter) => {
    expect((await shop.owner.get(path)).status).toBe(200);
    expect(await userWithoutCosts.get(path)).toMatchObject({
      status: 422,
      body: { errors: { [parameter]: expect.anything() } },
    });
  });

  test('receives no costs in command responses', async () => {
    const sold = await userWithoutCosts.post('/api/pos/create', {
      lines: [{ product_id, qty: '2' }],
      payments: [{ method: 'cash', amount: '500.00' }],
    });
    expect(sold).toMatchObject({ status: 201, body: { data: { total: '200.00' } } });
    const { id } = sold.body.data;
    const moved = await userWithoutCosts.post('/api/transfer/create', {
      from_warehouse_id: shop.warehouse,
      to_warehouse_id: shop.other,
      lines: [{ product_id, qty: '1' }],
    });
    expect(moved.status).toBe(201);
    const added = await userWithoutCosts.post('/api/product-stock/add', { product_id, qty: '1' });
    expect(added.status).toBe(201);
    const refunded = await userWithoutCosts.post(`/api/pos/refund/${id}`, {});
    const changed = await userWithoutCosts.post(`/api/product/update/${product_id}`, { name: 'Chair' });
    for (const { body } of [sold, moved, added, refunded, changed])
      expect(JSON.stringify(body.data)).not.toMatch(COSTS);
    for (const path of ['/api/pos?expand=lines,refunds', '/api/transfer?expand=lines', `/api/pos/show/${id}`]) {
      expect(await readAs(userWithoutCosts, path)).not.toMatch(COSTS);
    }
    expect(await readAs(shop.owner, '/api/pos?expand=lines')).toMatch(COSTS);
  });
});
