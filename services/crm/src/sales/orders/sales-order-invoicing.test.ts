import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock, runConcurrently } from '@suite/testing';
import { openCrm, type Shop } from '../../../test/fixture.ts';
import { salesSteps } from '../../../test/sales.ts';

const { serving, finance, shop: openShop, violations: violationsIn } = await openCrm();
const books = await eventPublisher(serving);
let shop: Shop;
let sales: ReturnType<typeof salesSteps>;
beforeEach(async () => {
  shop = await openShop();
  sales = salesSteps(shop);
});

const invoice = (id: string, by = shop.owner, query = '', body = {}) =>
  by.post(`/api/sales/sales-order/convert-to-invoice/${id}${query}`, body);
const draftsOf = (id: string) => [...finance.drafts.values()].filter(({ asked }) => asked.sales_order_id === id);
const amount = (value: string) => ({ type: 'amount', value });
const violations = () => violationsIn(shop);

/** Creates a confirmed order: three units of a product less 1.00, and a service, with a header discount of 5.00. */
async function createConfirmedOrder(more: object = {}) {
  const tax = shop.stock.tax();
  const product_id = shop.stock.product({ taxes: [tax] });
  const lines = [{ product_id, qty: '3', unit_price: '10.00', discount: amount('1.00') }, sales.text];
  const order = await sales.order({ lines, discount: amount('5.00'), ...more });
  const { body } = await sales.updateOrder(order.id, { status: 'confirmed' });
  return { ...body.data, product_id, tax };
}

/** Sends an event of finance: an invoice for the order was posted or cancelled. */
async function announced(
  event: 'posted' | 'cancelled',
  sales_order_id: string,
  sales_invoice_id: string,
  lines: object[],
) {
  await books.say(
    shop.workspace,
    `finance.sales_invoice.${event}`,
    {
      sales_invoice_id,
      sales_order_id,
      number: 'INV-1',
      lines,
      ...(event === 'posted' && { customer_id: sales.customer_id, total: '1', currency: 'EUR' }),
    },
    { position: event === 'posted' ? 1 : 2 },
  );
}

describe('invoicing an order', () => {
  test('requests one draft of the whole order, with the agreed prices and taxes', async () => {
    const { id, number, product_id, tax } = await createConfirmedOrder();
    const { status, body } = await invoice(id);
    const [draft, ...more] = draftsOf(id);
    expect([status, body.data.invoice_id, more]).toEqual([200, draft!.id, []]);
    expect(body.data).toMatchObject({ status: 'confirmed', allowed_actions: expect.arrayContaining(['invoice']) });
    expect(draft!.asked).toMatchObject({
      customer_id: sales.customer_id,
      currency: 'EUR',
      warehouse_id: shop.warehouse_id,
      reference: number,
      proposal_id: '',
      sales_order_id: id,
      discount: amount('5.00'),
      lines: [
        { product_id, qty: '3', unit_price: '10.00', discount: amount('1.00'), taxes: [{ tax_id: tax.tax_id }] },
        { product_id: '', description: 'Advice', qty: '1', unit_price: '100.00', taxes: [] },
      ],
    });
  });

  test('makes one draft from fifty concurrent requests', async () => {
    const { id } = await createConfirmedOrder();
    const replies = await runConcurrently(50, () => invoice(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect([new Set(replies.map(({ body }) => body.data.invoice_id)).size, draftsOf(id).length]).toEqual([1, 1]);
  });

  test('names the order line of each line, and sends the whole order each time', async () => {
    const { id, lines } = await createConfirmedOrder();
    await invoice(id);
    expect(draftsOf(id)[0]!.asked.lines).toMatchObject([
      { source: { type: 'sales_order', id: lines[0].id }, qty: '3', discount: amount('1.00') },
      { source: { type: 'sales_order', id: lines[1].id }, qty: '1' },
    ]);
  });

  test('counts invoiced quantities by the referenced order line or free text', async () => {
    const setup = { description: 'Setup', qty: '1', unit_price: '500.00' };
    const training = { description: 'Training', qty: '1', unit_price: '200.00' };
    const { id, lines } = await createConfirmedOrder({ lines: [setup, training], discount: null });
    const first = (await invoice(id)).body.data.invoice_id;
    const source_line_id = lines[1].id;
    await announced('posted', id, first, [{ line_id: 'a', product_id: '', qty: '1', source_line_id }]);
    expect(await sales.showOrder(id)).toMatchObject({
      status: 'confirmed',
      invoice_status: 'partial',
      lines: [{ qty_invoiced: '0' }, { qty_invoiced: '1' }],
    });
    await announced('posted', id, randomUUID(), [{ line_id: 'b', product_id: '', qty: '1', source_line_id: '' }]);
    expect(await sales.showOrder(id)).toMatchObject({ status: 'confirmed', lines: [{ qty_invoiced: '0' }, {}] });
    expect(await violations()).toEqual([]);
  });

  test('completes a fully invoiced order, and reopens it after a cancellation', async () => {
    const { id, product_id, lines } = await createConfirmedOrder();
    const first = (await invoice(id)).body.data.invoice_id;
    const all = [
      { line_id: 'a', product_id, qty: '3', source_line_id: lines[0].id },
      { line_id: 'b', product_id: '', qty: '1', source_line_id: lines[1].id },
    ];
    finance.posted.add(first);
    await announced('posted', id, first, all);
    expect(await invoice(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await sales.showOrder(id)).toMatchObject({ status: 'completed', lines: [{ reserved_qty: '0' }, {}] });
    await announced('cancelled', id, first, all);
    expect(await sales.showOrder(id)).toMatchObject({ status: 'confirmed', lines: [{ reserved_qty: '3' }, {}] });
    expect((await invoice(id)).body.data.invoice_id).not.toBe(first);
    expect(await violations()).toEqual([]);
  });

  test.each(['cancelled', 'closed', 'on_hold'])('leaves no draft for an order that is %s', async (status) => {
    const { id } = await createConfirmedOrder();
    await invoice(id);
    expect(await sales.updateOrder(id, { status })).toMatchObject({ status: 200, body: { data: { status } } });
    expect(draftsOf(id)).toEqual([]);
    expect(finance.calls.at(-1)).toBe(`stopInvoicing ${id}`);
    expect(await invoice(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
  });

  test('rejects cancellation of an order whose posted invoice is not yet announced', async () => {
    const { id } = await createConfirmedOrder();
    finance.posted.add((await invoice(id)).body.data.invoice_id);
    const sales_invoice_ids = [...finance.posted].slice(-1);
    expect(await sales.updateOrder(id, { status: 'cancelled' })).toMatchObject({
      status: 409,
      body: { code: 'order_has_progress', details: { sales_invoice_ids } },
    });
    expect(await sales.showOrder(id)).toMatchObject({ status: 'confirmed' });
  });

  test('leaves no draft for an order that is cancelled concurrently', async () => {
    const orders = await Promise.all(Array.from({ length: 4 }, () => createConfirmedOrder()));
    for (const { id } of orders) {
      const replies = await runConcurrently(6, (at) =>
        at % 2 ? invoice(id) : sales.updateOrder(id, { status: 'cancelled' }),
      );
      expect(replies.every(({ status }) => status === 200 || status === 409)).toBe(true);
      const { status } = await sales.showOrder(id);
      expect(status === 'cancelled' ? draftsOf(id) : []).toEqual([]);
    }
  });

  test.each([
    ['cancelled', 'closed'],
    ['closed', 'on_hold'],
    ['on_hold', 'cancelled'],
    ['closed', 'closed'],
  ])('is %s or %s, never refused both with its drafts deleted', async (one, other) => {
    const orders = await Promise.all(Array.from({ length: 3 }, () => createConfirmedOrder()));
    for (const { id } of orders) {
      await invoice(id);
      const replies = await runConcurrently(4, (at) => sales.updateOrder(id, { status: at % 2 ? one : other }));
      expect(replies.map(({ status }) => status)).toContain(200);
      const { status } = await sales.showOrder(id);
      expect([one, other]).toContain(status);
      expect(draftsOf(id)).toEqual([]);
    }
  });

  test('keeps its drafts while a request stops it, and can be stopped after a failure', async () => {
    const { id } = await createConfirmedOrder();
    await invoice(id);
    const claimed = (status: string | null) => serving.sql`
      UPDATE sales_orders SET stopping_status = ${status}, stopping_until = now() + interval '1 hour' WHERE id = ${id}`;
    await claimed('closed');
    const refused = { status: 409, body: { code: 'invoicing_pending' } };
    expect(await sales.updateOrder(id, { status: 'on_hold' })).toMatchObject(refused);
    expect(await invoice(id)).toMatchObject(refused);
    expect(draftsOf(id)).toHaveLength(1);
    await serving.sql`UPDATE sales_orders SET stopping_until = now() - interval '1 hour' WHERE id = ${id}`;
    expect((await sales.updateOrder(id, { status: 'on_hold' })).status).toBe(200);
    expect((await sales.updateOrder(id, { status: 'confirmed' })).status).toBe(200);
    expect((await invoice(id)).status).toBe(200);
  });

  test('accepts an exchange rate, and returns the age of the last one', async () => {
    finance.rates.set('CHF', { rate: '1.1', rate_date: '2026-01-01' });
    freezeClock('2026-01-31T12:00:00Z');
    const { id } = await createConfirmedOrder({ currency: 'CHF' });
    expect((await invoice(id, shop.owner, '?dry_run=true')).body.data).toMatchObject({
      invoice_id: null,
      exchange_rate: { rate: '1.1', date: '2026-01-01', age_days: 30 },
    });
    expect((await invoice(id, shop.owner, '', { rate: '1.2' })).body.data.exchange_rate).toEqual({
      rate: '1.2',
      date: null,
      age_days: null,
    });
    expect(draftsOf(id)[0]!.asked).toMatchObject({ rate: '1.2' });
  });

  test('sends percentages unchanged', async () => {
    const percent = { type: 'percent', value: '10' };
    const line = { description: 'Gift', qty: '1', unit_price: '0.00', discount: percent };
    const { id } = await createConfirmedOrder({ lines: [line], discount: percent });
    expect(await invoice(id)).toMatchObject({ status: 200 });
    expect(draftsOf(id)[0]!.asked).toMatchObject({ discount: percent, lines: [{ discount: percent }] });
  });

  test('supports a dry run that creates no draft', async () => {
    const { id } = await createConfirmedOrder();
    expect(await invoice(id, shop.owner, '?dry_run=true')).toMatchObject({
      status: 200,
      body: { data: { invoice_id: null } },
    });
    expect(draftsOf(id)).toEqual([]);
  });

  test('is rejected for unconfirmed orders, stale versions and missing permissions', async () => {
    const { id } = await sales.order();
    expect(await invoice(id)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'invoice' } },
    });
    const { id: sure } = await createConfirmedOrder();
    expect(await invoice(sure, shop.owner, '', { version: 1 })).toMatchObject({ status: 412 });
    expect(await invoice(randomUUID())).toMatchObject({ status: 404 });
    const reader = serving.member({ workspace: shop.workspace, can: ['sales_order.view'] });
    expect(await invoice(sure, reader)).toMatchObject({ status: 403 });
    expect([draftsOf(id), draftsOf(sure)]).toEqual([[], []]);
  });
});
