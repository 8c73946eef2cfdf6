import { beforeEach, describe, expect, test } from '@jest/globals';
import { auditViolations, issueOf, openInventory, receiptOf, type Shop } from '../../test/fixture.ts';

const { serving, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
beforeEach(async () => {
  shop = await openShop();
  product_id = await shop.product({ sale_price: '1' }, { qty: '10' });
});

/** Returns the emitted shortage events. */
const readShortages = async () => {
  const rows = await serving.sql`
    SELECT data FROM journal_events WHERE workspace_id = ${shop.workspace} AND type = 'inventory.stock.negative_blocked'
    ORDER BY position`;
  return rows.map(({ data }) => data);
};
const stockId = async () => {
  const [level] = await serving.sql`SELECT id FROM stock_levels WHERE product_id = ${product_id}`;
  return level!['id'];
};
const payments = [{ method: 'cash', amount: '1000' }];
const between = () => ({ from_warehouse_id: shop.warehouse, to_warehouse_id: shop.other });

describe('a stock shortage', () => {
  test.each([
    ['pos_order', () => shop.owner.post('/api/pos/create', { lines: [{ product_id, qty: '11' }], payments })],
    ['transfer', () => shop.owner.post('/api/transfer/create', { ...between(), lines: [{ product_id, qty: '11' }] })],
    ['adjustment', () => shop.owner.post('/api/product-stock/add', { product_id, qty: '-11' })],
  ])('emits an event for the source type %s, and leaves no other trace', async (source_type, call) => {
    const reply = await call();
    expect(reply).toMatchObject({ status: 409, body: { code: 'insufficient_stock' } });
    const place = { stock_id: await stockId(), product_id, warehouse_id: shop.warehouse };
    expect(await readShortages()).toEqual([{ ...place, requested: '11', available: '10', source_type, source_id: '' }]);
    expect(await shop.level(product_id)).toEqual({ on_hand: '10', reserved: '0', value: '10' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('emits an event with the transfer when the transfer is reversed', async () => {
    const { id } = (await shop.owner.post('/api/transfer/create', { ...between(), lines: [{ product_id, qty: '4' }] }))
      .body.data;
    await shop.add(product_id, '-1', { warehouse_id: shop.other });
    expect((await shop.owner.delete(`/api/transfer/delete/${id}`)).status).toBe(409);
    const where = { warehouse_id: shop.other, source_type: 'transfer', source_id: id };
    expect(await readShortages()).toMatchObject([{ ...where, requested: '4', available: '3' }]);
    expect((await shop.owner.get(`/api/transfer?status=completed`)).body.meta.total).toBe(1);
  });

  test('emits one event for repeated requests with the same key', async () => {
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const body = { lines: [{ product_id, qty: '11' }], payments };
    for (let n = 0; n < 3; n += 1) expect((await shop.owner.post('/api/pos/create', body, options)).status).toBe(409);
    expect(await readShortages()).toHaveLength(1);
  });

  test('emits an event with the document for each location in a service call', async () => {
    const scarce = await shop.product();
    const line = { product_id, warehouse_id: shop.warehouse };
    const wanted = [
      { ...line, qty: '6' },
      { ...line, qty: '6' },
      { product_id: scarce, warehouse_id: shop.other, qty: '2' },
    ];
    const key = crypto.randomUUID();
    await expect(shop.rpc.issueStock(issueOf(key, wanted))).rejects.toMatchObject({ code: 'insufficient_stock' });
    const source = { source_type: 'sales_invoice', source_id: key };
    expect(await readShortages()).toEqual([
      { stock_id: await stockId(), ...line, requested: '12', available: '10', ...source },
      // This location has never had stock, and still has none.
      {
        stock_id: scarce,
        product_id: scarce,
        warehouse_id: shop.other,
        requested: '2',
        available: '0',
        ...source,
      },
    ]);
    expect(await shop.level(scarce, shop.other)).toBeUndefined();
    const order = { type: 'sales_order', id: crypto.randomUUID(), number: '' };
    const asked = { ...line, line_id: '1', qty: '11' };
    const reservation = { idempotency_key: order.id, source: order, lines: [asked], expires_at: '' };
    await expect(shop.rpc.reserve(reservation)).rejects.toMatchObject({ code: 'insufficient_stock' });
    expect((await readShortages()).at(-1)).toMatchObject({
      source_type: 'sales_order',
      source_id: order.id,
      requested: '11',
    });
  });

  test('emits an event without a document when a receipt is reversed', async () => {
    const line = { product_id, warehouse_id: shop.warehouse };
    const key = crypto.randomUUID();
    await shop.rpc.receiveStock(receiptOf(key, [{ ...line, qty: '5' }]));
    await shop.add(product_id, '-12');
    const undoing = shop.rpc.reverseReceipt({ idempotency_key: key, business_date: '' });
    await expect(undoing).rejects.toMatchObject({ code: 'insufficient_stock' });
    expect(await readShortages()).toMatchObject([
      { ...line, requested: '5', available: '3', source_type: '', source_id: '' },
    ]);
  });

  test('emits no event in a dry run, nor do other faults', async () => {
    const line = { product_id, warehouse_id: shop.warehouse, qty: '11' };
    const trial = { ...issueOf('dry', [line]), dry_run: true };
    await expect(shop.rpc.issueStock(trial)).rejects.toMatchObject({ code: 'insufficient_stock' });
    const unknown = { ...line, product_id: crypto.randomUUID() };
    await expect(shop.rpc.receiveStock(receiptOf('wrong', [unknown]))).rejects.toMatchObject({ status: 422 });
    expect((await shop.owner.post('/api/product-stock/add', { product_id, qty: '0' })).status).toBe(422);
    expect(await readShortages()).toEqual([]);
  });

  test('does not occur for a product that allows negative stock', async () => {
    const owed = await shop.product({ allow_negative: true, sale_price: '1' });
    expect(
      (await shop.owner.post('/api/pos/create', { lines: [{ product_id: owed, qty: '2' }], payments })).status,
    ).toBe(201);
    expect(await readShortages()).toEqual([]);
  });
});
