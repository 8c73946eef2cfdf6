import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { silentReferrers, runConcurrently, fakeUses } from '@suite/testing';
import { openInventory, type Shop } from '../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({ sale_price: '10.00' }, { qty: '100' });
});

const sell = (body: object = {}) =>
  shop.owner.post('/api/pos/create', {
    lines: [{ product_id, qty: '1' }],
    payments: [{ method: 'card', amount: '10.00' }],
    ...body,
  });

describe('the customer of a POS order', () => {
  test.each([
    ['is unknown', () => randomUUID()],
    ['belongs to another workspace', () => finance.customer(randomUUID())],
    ['is archived', () => finance.customer(shop.workspace, { active: false })],
  ])('is rejected if it %s', async (_, customer) => {
    const refused = await sell({ customer_id: customer() });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { customer_id: ['Record not found or archived. Choose another one.'] } },
    });
    expect((await shop.owner.get('/api/pos')).body.data).toEqual([]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '100' });
  });

  test('is accepted if it is usable', async () => {
    expect((await sell({ customer_id: finance.customer(shop.workspace) })).status).toBe(201);
  });
});

describe('a record that other services refer to', () => {
  test.each([
    ['product', async () => await shop.product()],
    ['tax', async () => await shop.tax({ name: 'VAT', rate: '20' })],
    ['warehouse', async () => (await shop.owner.post('/api/warehouse/create', { name: 'W', code: 'W' })).body.data.id],
    ['unit', async () => (await shop.owner.post('/api/unit/create', { name: 'Box', symbol: 'bx' })).body.data.id],
  ])('is not deleted: a %s', async (kind, make) => {
    const id = await make();
    fakeUses.set(id, { documents: 2 });
    const documents = kind === 'unit' ? 2 : 4; // Two services refer to all other kinds.
    const remove = () => shop.owner.delete(`/api/${kind}/delete/${id}`);
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'in_use', details: { documents } } });
    fakeUses.delete(id);
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
  });

  test('is not deleted because of hidden records, which are not named in the response', async () => {
    const id = await shop.product();
    fakeUses.set(id, {});
    const refused = await shop.owner.delete(`/api/product/delete/${id}`);
    fakeUses.delete(id);
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } });
    expect(refused.body.details).toEqual({ instead: 'Archive it with `active: false`.' });
  });

  test('accepts references again after a deletion that crashed', async () => {
    const tax_id = await shop.tax({ name: 'VAT', rate: '0' });
    const sold = await shop.product({ sale_price: '10.00', tax_ids: [tax_id] }, { qty: '5' });
    const sellIt = () => sell({ lines: [{ product_id: sold, qty: '1' }] });
    await serving.sql`
      INSERT INTO deletion_fences (workspace_id, noun, record_id, deletion_id, until)
      VALUES (${shop.workspace}, 'inventory.tax', ${tax_id}, ${randomUUID()}, now() + interval '1 hour')`;
    expect(await sellIt()).toMatchObject({ status: 409, body: { code: 'being_deleted' } });
    await serving.sql`UPDATE deletion_fences SET until = now() - interval '1 second' WHERE record_id = ${tax_id}`;
    expect((await sellIt()).status).toBe(201);
  });

  test('is not deleted while a service is unavailable', async () => {
    const id = await shop.product();
    const before = await serving.sql`SELECT count(*)::int AS count FROM products WHERE id = ${id}`;
    silentReferrers.add('crm');
    const refused = await shop.owner.delete(`/api/product/delete/${id}`);
    silentReferrers.delete('crm');
    expect(refused).toMatchObject({ status: 503, body: { code: 'crm_unavailable' } });
    expect(await serving.sql`SELECT count(*)::int AS count FROM products WHERE id = ${id}`).toEqual(before);
    expect((await shop.owner.delete(`/api/product/delete/${id}`)).status).toBe(200);
  });

  test('is deleted once by 20 concurrent callers', async () => {
    const id = await shop.product();
    const replies = await runConcurrently(20, () => shop.owner.delete(`/api/product/delete/${id}`));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => ![200, 404, 409].includes(status))).toEqual([]);
  });
});

test('a tax in a POS order cannot be deleted', async () => {
  const tax = await shop.tax({ name: 'VAT', rate: '0' });
  const sold = await shop.product({ sale_price: '10.00', tax_ids: [tax] }, { qty: '5' });
  expect((await sell({ lines: [{ product_id: sold, qty: '1' }] })).status).toBe(201);
  await shop.owner.post(`/api/product/update/${sold}`, { tax_ids: [] });
  expect(await shop.owner.delete(`/api/tax/delete/${tax}`)).toMatchObject({
    status: 409,
    body: { code: 'in_use', details: { pos_orders: 1, pos_order_lines: 1 } },
  });
});
