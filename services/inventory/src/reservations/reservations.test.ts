import { beforeEach, describe, expect, test } from '@jest/globals';
import { retryPostponed, runConcurrently } from '@suite/testing';
import { auditViolations, issueOf, openInventory, type Shop } from '../../test/fixture.ts';
import { expireReservations } from './expiry.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
const key = () => crypto.randomUUID();
const place = () => ({ product_id, warehouse_id: shop.warehouse });
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({}, { qty: '10', unit_cost: '5.00' });
});

const order = () => ({ type: 'sales_order', id: key(), number: 'SO-1' });
const reserve = (source: ReturnType<typeof order>, qty: string, more: object = {}) =>
  shop.rpc.reserve({
    idempotency_key: `reserve ${source.id}`,
    source,
    expires_at: '',
    lines: [{ line_id: '1', ...place(), qty }],
    ...more,
  });
const release = (source: ReturnType<typeof order>, idempotency_key = '') =>
  shop.rpc.release({ idempotency_key, source });
const statusOf = async (source: { id: string }) =>
  (await serving.sql`SELECT status FROM reservations WHERE source_id = ${source.id}`).map(({ status }) => status);

describe('a reservation', () => {
  test('reduces the available stock for all except its own document', async () => {
    const source = order();
    expect(await reserve(source, '8')).toEqual({ lines: [{ line_id: '1', ...place(), qty: '8' }] });
    expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '8', value: '50' });
    const request = issueOf(key(), [{ ...place(), qty: '3', reserved_line_id: '1' }]);
    await expect(shop.rpc.issueStock(request)).rejects.toMatchObject({ details: { lines: [{ available: '2' }] } });
    await shop.rpc.issueStock({ ...request, reserved_for: source });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '7', reserved: '5' });
    await shop.rpc.issueStock({
      ...issueOf(key(), [{ ...place(), qty: '6', reserved_line_id: '1' }]),
      reserved_for: source,
    });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '1', reserved: '0' });
    expect(await statusOf(source)).toEqual(['consumed']);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('reserves nothing if it exceeds the available stock', async () => {
    await expect(reserve(order(), '11')).rejects.toMatchObject({
      status: 409,
      code: 'insufficient_stock',
      details: { lines: [{ line_id: '1', ...place(), requested: '11', available: '10' }] },
    });
    expect(await shop.level(product_id)).toMatchObject({ reserved: '0' });
  });

  test('reserves nothing for untracked products', async () => {
    const service = await shop.product({ type: 'service' });
    const lines = [{ line_id: '1', product_id: service, warehouse_id: shop.warehouse, qty: '3' }];
    expect((await reserve(order(), '1', { lines })).lines).toMatchObject([{ line_id: '1', qty: '0' }]);
  });

  test('reserves once with the same key', async () => {
    const source = order();
    await runConcurrently(10, () => reserve(source, '4'));
    expect(await shop.level(product_id)).toMatchObject({ reserved: '4' });
    await expect(reserve(source, '5')).rejects.toMatchObject({ code: 'key_reused' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is released once, and its key cannot be used again', async () => {
    const source = order();
    await reserve(source, '4');
    expect((await release(source)).lines).toEqual([{ line_id: '1', ...place(), qty: '4' }]);
    expect(await release(source)).toEqual({ lines: [] });
    expect(await shop.level(product_id)).toMatchObject({ reserved: '0' });
    expect(await statusOf(source)).toEqual(['released']);
    await expect(reserve(source, '4')).rejects.toMatchObject({ status: 409, code: 'key_reversed' });
  });

  test('has no effect if it arrives after its release', async () => {
    const source = order();
    await release(source, `reserve ${source.id}`);
    await expect(reserve(source, '4')).rejects.toMatchObject({ code: 'key_reversed' });
    expect(await shop.level(product_id)).toMatchObject({ reserved: '0' });
  });

  test('is not affected by a late repeat of an earlier release', async () => {
    const source = order();
    await reserve(source, '4');
    const first = await release(source, `reserve ${source.id}`);
    expect(first.lines).toMatchObject([{ qty: '4' }]);
    await reserve(source, '3', { idempotency_key: `again ${source.id}` });
    expect(await release(source, `reserve ${source.id}`)).toEqual(first);
    expect(await shop.level(product_id)).toMatchObject({ reserved: '3' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is restored if the issue that consumed it is reversed', async () => {
    const source = order();
    await reserve(source, '4');
    const request = { ...issueOf(key(), [{ ...place(), qty: '4', reserved_line_id: '1' }]), reserved_for: source };
    await shop.rpc.issueStock(request);
    expect(await statusOf(source)).toEqual(['consumed']);
    await shop.rpc.reverseIssue({ idempotency_key: request.idempotency_key, business_date: '' });
    expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '4', value: '50' });
    expect(await statusOf(source)).toEqual(['active']);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('is not consumed by an issue for another line', async () => {
    const source = order();
    await reserve(source, '4');
    await shop.rpc.issueStock({ ...issueOf(key(), [{ ...place(), qty: '3' }]), reserved_for: source });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '7', reserved: '4' });
    const more = { ...issueOf(key(), [{ ...place(), qty: '4' }]), reserved_for: source };
    await expect(shop.rpc.issueStock(more)).rejects.toMatchObject({ code: 'insufficient_stock' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test.each(['4', '3', '2'])(
    'is used up by goods of another warehouse, and follows them when they return',
    async (qty) => {
      const source = order();
      await shop.add(product_id, '10', { unit_cost: '5', warehouse_id: shop.other });
      await reserve(source, '4');
      const line = { product_id, warehouse_id: shop.other, qty, reserved_line_id: '1' };
      const request = { ...issueOf(key(), [line]), reserved_for: source };
      await shop.rpc.issueStock(request);
      const reserved = () => serving.sql`
      SELECT warehouse_id, trim_scale(sum(reserved))::text AS reserved FROM stock_levels
      WHERE product_id = ${product_id} AND reserved > 0 GROUP BY 1`;
      const left = String(4 - Number(qty));
      expect(await reserved()).toEqual(left === '0' ? [] : [{ warehouse_id: shop.warehouse, reserved: left }]);
      await shop.rpc.reverseIssue({ idempotency_key: request.idempotency_key, business_date: '' });
      expect((await reserved()).find(({ warehouse_id }) => warehouse_id === shop.other)).toMatchObject({
        reserved: qty,
      });
      expect((await reserved()).map(({ reserved: one }) => Number(one)).reduce((all, one) => all + one)).toBe(4);
      expect(await auditViolations(serving)).toEqual([]);
      await release(source);
      expect(await reserved()).toEqual([]);
      expect(await auditViolations(serving)).toEqual([]);
    },
  );

  test('stays released when the issue is reversed after the release', async () => {
    const source = order();
    await reserve(source, '4');
    const request = { ...issueOf(key(), [{ ...place(), qty: '3', reserved_line_id: '1' }]), reserved_for: source };
    await shop.rpc.issueStock(request);
    expect((await release(source)).lines).toMatchObject([{ qty: '1' }]);
    await shop.rpc.reverseIssue({ idempotency_key: request.idempotency_key, business_date: '' });
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '10', reserved: '0' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('expires at its end and not before', async () => {
    const [early, late, ever] = [order(), order(), order()];
    await reserve(early, '2', { expires_at: '2026-01-01T00:00:00Z' });
    await reserve(late, '3', { expires_at: '2999-01-01T00:00:00Z' });
    await reserve(ever, '1');
    await expireReservations(serving.tools as unknown as Parameters<typeof expireReservations>[0]);
    expect([await statusOf(early), await statusOf(late), await statusOf(ever)]).toEqual([
      ['expired'],
      ['active'],
      ['active'],
    ]);
    expect(await shop.level(product_id)).toMatchObject({ reserved: '4' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('protects stock from adjustments, transfers and POS orders', async () => {
    await reserve(order(), '8');
    const lines = [{ product_id, qty: '3' }];
    const taken = [
      await shop.owner.post('/api/product-stock/add', { product_id, qty: '-3' }),
      await shop.owner.post('/api/transfer/create', {
        from_warehouse_id: shop.warehouse,
        to_warehouse_id: shop.other,
        lines,
      }),
      await shop.owner.post('/api/pos/create', { lines, payments: [] }),
    ];
    for (const reply of taken) expect(reply).toMatchObject({ status: 409, body: { code: 'insufficient_stock' } });
  });
});

test('loses no stock when goods are reserved, issued and released concurrently', async () => {
  await shop.add(product_id, '40', { unit_cost: '5' });
  const sources = Array.from({ length: 12 }, order);
  const quietly = (call: () => Promise<unknown>) =>
    retryPostponed(call).catch((error: { status: number }) => error.status);
  await runConcurrently(36, async (at) => {
    const source = sources[at % 12]!;
    if (at < 12) await quietly(() => reserve(source, '3'));
    else if (at < 24)
      await quietly(() =>
        shop.rpc.issueStock({
          ...issueOf(`${source.id} ${at}`, [{ ...place(), qty: '2', reserved_line_id: '1' }]),
          reserved_for: source,
        }),
      );
    else await quietly(() => release(source));
  });
  for (const source of sources) await release(source);
  const level = await shop.level(product_id);
  expect(level).toMatchObject({ reserved: '0' });
  expect(await auditViolations(serving)).toEqual([]);
});
