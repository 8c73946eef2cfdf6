import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, runConcurrently } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, inventory, shop: openShop, violations: violationsIn } = await openCrm();
const finance = await eventPublisher(serving);
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
const violations = () => violationsIn(shop);

describe('a sales order', () => {
  test('uses the default warehouse, and has no number before confirmation', async () => {
    const product_id = shop.stock.product();
    const { status, body } = await sales.storeOrder({ lines: [{ product_id, qty: '2' }], reference: 'PO 7' });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'draft',
      number: null,
      warehouse_id: shop.warehouse_id,
      warehouse_name: 'Main',
      total: '39.98',
      fulfilment_status: 'none',
      invoice_status: 'nothing',
      pending_effects: [],
      reference: 'PO 7',
      lines: [{ product_id, qty: '2', qty_delivered: '0', qty_invoiced: '0', reserved_qty: '0' }],
      allowed_actions: ['confirm', 'cancel', 'update', 'delete'],
    });
  });

  test('copies an accepted quote, and sets the quote to ordered once', async () => {
    const quote = await sales.quote({ discount: { type: 'percent', value: '10' } });
    await sales.updateQuote(quote.id, { status: 'sent' });
    const early = await shop.owner.post('/api/sales/sales-order/store', { quote_id: quote.id });
    expect(early).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await sales.updateQuote(quote.id, { status: 'accepted' });
    const store = () => shop.owner.post('/api/sales/sales-order/store', { quote_id: quote.id });
    const replies = await runConcurrently(10, store);
    const [made, ...more] = replies.filter(({ status }) => status === 201);
    expect([more.length, replies.filter(({ status }) => status === 409).length]).toEqual([0, 9]);
    expect(made!.body.data).toMatchObject({ quote_id: quote.id, total: '90.00', lines: [{ description: 'Advice' }] });
    expect(await shop.owner.post(`/api/sales/quotes/update/${quote.id}`, { status: 'accepted' })).toMatchObject({
      status: 409,
      body: { details: { from: 'ordered', action: 'accept', allowed: [] } },
    });
    expect(await sales.showQuote(quote.id)).toMatchObject({ status: 'ordered', order_id: made!.body.data.id });
    expect(await violations()).toEqual([]);
    expect(await shop.owner.delete(`/api/sales/sales-order/delete/${made!.body.data.id}`)).toMatchObject({
      status: 200,
    });
    expect(await sales.showQuote(quote.id)).toMatchObject({ status: 'accepted', order_id: null });
  });

  test.each([
    ['without customer or quote', () => ({ customer_id: undefined }), 'customer_id'],
    ['without lines or quote', () => ({ lines: undefined }), 'lines'],
    ['with a quote and lines of its own', () => ({ quote_id: randomUUID(), customer_id: undefined }), 'lines'],
    [
      'with a quote that is none',
      () => ({ quote_id: randomUUID(), customer_id: undefined, lines: undefined }),
      'quote_id',
    ],
    ['with an unknown warehouse', () => ({ warehouse_id: randomUUID() }), 'warehouse_id'],
    ['with an archived warehouse', () => ({ warehouse_id: shop.stock.warehouse({ active: false }) }), 'warehouse_id'],
    [
      'with delivery before the order',
      () => ({ order_date: '2026-02-02', delivery_date: '2026-02-01' }),
      'delivery_date',
    ],
    ['with a status', () => ({ status: 'confirmed' }), 'status'],
    [
      'with a product that is unknown',
      () => ({ lines: [{ product_id: randomUUID(), qty: '1' }] }),
      'lines.0.product_id',
    ],
  ])('%s is rejected', async (_, body, field) => {
    expect(await sales.storeOrder(body())).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  });

  test('can be changed as a draft, and only in a few fields after confirmation', async () => {
    const { id } = await sales.order();
    const discount = { type: 'amount', value: '10' };
    expect((await sales.updateOrder(id, { discount })).body.data).toMatchObject({ total: '90.00', discount });
    await sales.updateOrder(id, { status: 'confirmed' });
    expect(await sales.updateOrder(id, { discount: null })).toMatchObject({
      status: 409,
      body: { code: 'order_is_confirmed' },
    });
    expect(await sales.updateOrder(id, { notes: 'Ring twice', delivery_date: '2099-01-01' })).toMatchObject({
      status: 200,
      body: { data: { notes: 'Ring twice', delivery_date: '2099-01-01' } },
    });
    await sales.updateOrder(id, { status: 'closed' });
    expect(await sales.updateOrder(id, { notes: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'closed', action: 'update' } },
    });
    expect(await sales.updateOrder(id, { status: 'confirmed', notes: 'Both' })).toMatchObject({
      status: 422,
      body: { errors: { status: [expect.any(String)] } },
    });
  });

  const remove = (id: string) => shop.owner.delete(`/api/sales/sales-order/delete/${id}`);

  test('can be deleted only while it has no number', async () => {
    const [{ id }, { id: early }] = [await sales.order(), await sales.order()];
    await sales.updateOrder(id, { status: 'confirmed' });
    expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await sales.updateOrder(id, { status: 'cancelled' });
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'cancelled', action: 'delete', allowed: [] } },
    });
    await sales.updateOrder(early, { status: 'cancelled' });
    expect(await remove(early)).toMatchObject({ status: 200, body: { data: { id: early, deleted: true } } });
    expect(await violations()).toEqual([]);
  });

  test('returns 404 for another user\'s opportunity with the record scope "own"', async () => {
    const { id } = await sales.order();
    const seller = shop.member({ can: everything, record_scopes: { sales_order: 'own' } });
    expect(await seller.get(`/api/sales/sales-orders/${id}`)).toMatchObject({ status: 404 });
    const confirmed = await sales.updateOrder(id, { status: 'confirmed' }, seller);
    expect([confirmed.status, inventory.calls.some((call) => call.includes(id))]).toEqual([404, false]);
  });

  test('is found by customer and number in three statements', async () => {
    const { id } = await sales.order({ reference: 'PO-77' });
    await sales.order();
    const before = serving.database.statements;
    const { body } = await shop.owner.get('/api/sales/sales-orders?q=po-77&status=draft&fulfilment_status=none');
    expect(serving.database.statements - before).toBeLessThanOrEqual(3);
    expect(body.data.map((found: { id: string }) => found.id)).toEqual([id]);
  });
});

describe('an invoice that finance posts for an order', () => {
  const invoice = (sales_order_id: string, lines: object[], sales_invoice_id = randomUUID()) => ({
    sales_invoice_id,
    sales_order_id,
    number: 'INV-1',
    customer_id: sales.customer_id,
    total: '1',
    currency: 'EUR',
    lines,
  });
  const post = (event: ReturnType<typeof invoice>) =>
    finance.say(shop.workspace, 'finance.sales_invoice.posted', event);
  const cancel = ({ sales_invoice_id, sales_order_id, number, lines }: ReturnType<typeof invoice>) =>
    finance.say(
      shop.workspace,
      'finance.sales_invoice.cancelled',
      { sales_invoice_id, sales_order_id, number, lines },
      { position: 2 },
    );
  const confirmed = async () => {
    const product_id = shop.stock.product();
    const lines = [{ product_id, qty: '2' }, { product_id, qty: '3' }, sales.text];
    const { id, lines: ordered } = await sales.order({ lines });
    await sales.updateOrder(id, { status: 'confirmed' });
    const refer = (at: number, qty: string) => {
      const { id: source_line_id, product_id: sold } = ordered[at];
      return { line_id: `line-${at}`, product_id: sold ?? '', qty, source_line_id };
    };
    return { id, refer };
  };
  const progress = async (id: string) => {
    const { status, fulfilment_status, invoice_status, lines } = await sales.showOrder(id);
    return [
      status,
      fulfilment_status,
      invoice_status,
      ...lines.map((line: { qty_invoiced: string }) => line.qty_invoiced),
    ];
  };

  test('is counted by its order line, and completes the order with the last one', async () => {
    const { id, refer } = await confirmed();
    expect(await progress(id)).toEqual(['confirmed', 'none', 'to_invoice', '0', '0', '0']);
    await post(invoice(id, [refer(1, '0.5')]));
    expect(await progress(id)).toEqual(['confirmed', 'partial', 'partial', '0', '0.5', '0']);
    expect((await sales.showOrder(id)).lines.map((line: { reserved_qty: string }) => line.reserved_qty)).toEqual([
      '2',
      '2.5',
      '0',
    ]);
    expect(await sales.updateOrder(id, { status: 'cancelled' })).toMatchObject({
      body: { code: 'order_has_progress' },
    });
    await post(invoice(id, [refer(0, '2'), refer(1, '2.5'), refer(2, '1')]));
    expect(await progress(id)).toEqual(['completed', 'full', 'full', '2', '3', '1']);
    expect((await sales.showOrder(id)).invoices).toHaveLength(2);
    expect(await violations()).toEqual([]);
  });

  test('is undone by its cancellation, even if that event arrives first', async () => {
    const { id, refer } = await confirmed();
    const all = [refer(0, '2'), refer(1, '3'), refer(2, '1')];
    const first = invoice(id, all);
    await post(first);
    await cancel(first);
    expect(await progress(id)).toEqual(['confirmed', 'none', 'to_invoice', '0', '0', '0']);
    const second = invoice(id, all);
    await cancel(second);
    await post(second);
    expect(await progress(id)).toEqual(['confirmed', 'none', 'to_invoice', '0', '0', '0']);
    expect(await violations()).toEqual([]);
  });

  test('is counted once for three deliveries, even above the ordered quantity', async () => {
    const { id, refer } = await confirmed();
    const event = invoice(id, [refer(0, '99')]);
    await finance.say(shop.workspace, 'finance.sales_invoice.posted', event, { times: 3 });
    expect(await progress(id)).toEqual(['confirmed', 'partial', 'partial', '99', '0', '0']);
  });

  test('is ignored if it names no known order', async () => {
    const type = 'finance.sales_invoice.posted';
    const passed = await finance.announce(shop.workspace, type, { ...invoice('', []), sales_order_id: '' });
    // This invoice arrives after the previous one, which concerns no order here.
    await post(invoice(randomUUID(), []));
    expect(await serving.sql`SELECT FROM inbox WHERE event_id = ${passed}`).toEqual([]);
    expect(await serving.sql`SELECT FROM order_invoices WHERE workspace_id = ${shop.workspace}`).toEqual([]);
  });

  test('completes an order on hold when it is resumed', async () => {
    const { id, lines } = await sales.order();
    await sales.updateOrder(id, { status: 'confirmed' });
    await sales.updateOrder(id, { status: 'on_hold' });
    await post(invoice(id, [{ line_id: 'a', product_id: '', qty: '1', source_line_id: lines[0].id }]));
    expect(await progress(id)).toEqual(['on_hold', 'full', 'full', '1']);
    expect((await sales.updateOrder(id, { status: 'confirmed' })).body.data).toMatchObject({ status: 'completed' });
    expect(await events(id)).toMatchObject([{ type: 'crm.sales_order.confirmed' }]);
  });
});
