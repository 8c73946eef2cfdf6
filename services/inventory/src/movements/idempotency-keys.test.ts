import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditViolations, issueOf, openInventory, receiptOf, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({}, { qty: '10', unit_cost: '5' });
});

const place = () => ({ product_id, warehouse_id: shop.warehouse });
const reused = { status: 409, code: 'key_reused' };
const order = () => ({ type: 'sales_order', id: randomUUID(), number: '' });
const reserve = (source: { type: string; id: string; number: string }, key: string, more: object = {}) =>
  shop.rpc.reserve({
    idempotency_key: key,
    source,
    expires_at: '',
    lines: [{ line_id: '1', ...place(), qty: '2' }],
    ...more,
  });

describe('a key that is reused for a different request', () => {
  test.each([
    ['another day', { business_date: '2026-01-16' }],
    ['another document', { source: { type: 'sales_invoice', id: randomUUID(), number: '' } }],
    ['another reservation', { reserved_for: { type: 'sales_order', id: randomUUID(), number: '' } }],
  ])('is rejected for issued goods: %s', async (_, other) => {
    const request = issueOf(randomUUID(), [place()]);
    const first = await shop.rpc.issueStock(request);
    await expect(shop.rpc.issueStock({ ...request, ...other })).rejects.toMatchObject(reused);
    expect(await shop.rpc.issueStock(request)).toEqual(first);
  });

  test('is rejected for received goods with another cost, day or document', async () => {
    const request = receiptOf(randomUUID(), [place()]);
    await shop.rpc.receiveStock(request);
    const [line] = request.lines;
    const others = [
      { lines: [{ ...line!, cost: '2' }] },
      { business_date: '2026-01-16' },
      { source: { type: 'purchase_invoice', id: randomUUID(), number: '' } },
    ];
    for (const other of others)
      await expect(shop.rpc.receiveStock({ ...request, ...other })).rejects.toMatchObject(reused);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '11' });
  });

  test('is rejected for a reservation with another document or expiry', async () => {
    const [source, key] = [order(), randomUUID()];
    await reserve(source, key);
    await expect(reserve(order(), key)).rejects.toMatchObject(reused);
    await expect(reserve(source, key, { expires_at: '2099-01-01T00:00:00Z' })).rejects.toMatchObject(reused);
    expect(await shop.level(product_id)).toMatchObject({ reserved: '2' });
  });

  test('is rejected for a release with the key of another document', async () => {
    const [source, key] = [order(), randomUUID()];
    await reserve(source, key);
    await expect(shop.rpc.release({ idempotency_key: key, source: order() })).rejects.toMatchObject(reused);
    await reserve(source, key);
    expect(await shop.level(product_id)).toMatchObject({ reserved: '2' });
    await shop.rpc.release({ idempotency_key: key, source });
    await expect(shop.rpc.release({ idempotency_key: key, source: order() })).rejects.toMatchObject(reused);
  });

  test.each(['reverseIssue', 'reverseReceipt'] as const)('is rejected for %s with another day', async (method) => {
    const idempotency_key = randomUUID();
    if (method === 'reverseIssue') await shop.rpc.issueStock(issueOf(idempotency_key, [place()]));
    else await shop.rpc.receiveStock(receiptOf(idempotency_key, [place()]));
    const first = await shop.rpc[method]({ idempotency_key, business_date: '' });
    await expect(shop.rpc[method]({ idempotency_key, business_date: '2026-01-20' })).rejects.toMatchObject(reused);
    expect(await shop.rpc[method]({ idempotency_key, business_date: '' })).toEqual(first);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10', value: '50' });
  });
});

test('reverses a receipt from its own reservation while all other stock is reserved', async () => {
  const request = receiptOf(randomUUID(), [{ ...place(), qty: '3', cost: '15' }]);
  await shop.rpc.receiveStock(request);
  const key = randomUUID();
  await reserve(request.source, key, { lines: [{ line_id: '1', ...place(), qty: '3' }] });
  await reserve(order(), randomUUID(), { lines: [{ line_id: '1', ...place(), qty: '10' }] });
  await expect(shop.rpc.issueStock(issueOf(randomUUID(), [place()]))).rejects.toMatchObject({
    code: 'insufficient_stock',
  });
  await shop.rpc.reverseReceipt({ idempotency_key: request.idempotency_key, business_date: '' });
  expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '10', value: '50' });
  expect(await auditViolations(serving)).toEqual([]);
});
