import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, together } from '@suite/testing';
import { openCrm, type Shop } from '../../test/fixture.ts';
import { selling } from '../../test/sales.ts';

const { serving, finance, shop: openShop, violations: violationsIn } = await openCrm();
const books = await eventPublisher(serving);
let shop: Shop;
let sales: ReturnType<typeof selling>;
beforeEach(async () => {
  shop = await openShop();
  sales = selling(shop);
});

const invoice = (id: string, by = shop.owner, query = '', body = {}) =>
  by.post(`/api/sales/sales-order/convert-to-invoice/${id}${query}`, body);
const draftsOf = (id: string) => [...finance.drafts.values()].filter(({ asked }) => asked.sales_order_id === id);
const amount = (value: string) => ({ type: 'amount', value });
const violations = () => violationsIn(shop);

/** A confirmed order of three of a product less 1.00, and of some advice, less 5.00 of all of it. */
async function confirmed(more: object = {}) {
  const tax = shop.stock.tax();
  const product_id = shop.stock.product({ taxes: [tax] });
  const lines = [{ product_id, qty: '3', unit_price: '10.00', discount: amount('1.00') }, sales.text];
  const order = await sales.order({ lines, discount: amount('5.00'), ...more });
  const { body } = await sales.updateOrder(order.id, { status: 'confirmed' });
  return { ...body.data, product_id, tax };
}

/** Finance says that an invoice for the order was posted, or cancelled. */
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
    { version: event === 'posted' ? 1 : 2 },
  );
}

describe('invoicing an order', () => {
  test('has finance make a draft of all of it, with the prices and taxes that were agreed', async () => {
    const { id, number, product_id, tax } = await confirmed();
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

  test('fifty times at once makes one draft', async () => {
    const { id } = await confirmed();
    const replies = await together(50, () => invoice(id));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect([new Set(replies.map(({ body }) => body.data.invoice_id)).size, draftsOf(id).length]).toEqual([1, 1]);
  });

  test('takes what earlier invoices left, discounts included, until nothing is left', async () => {
    const { id, product_id } = await confirmed();
    const first = (await invoice(id)).body.data.invoice_id;
    await announced('posted', id, first, [{ line_id: 'a', product_id, qty: '1' }]);
    const second = (await invoice(id)).body.data.invoice_id;
    expect(second).not.toBe(first);
    // 120.00 of 130.00 are left, and with them 5.00 − 0.38; two of three, and with them 1.00 − 0.33.
    expect(draftsOf(id).at(-1)!.asked).toMatchObject({
      discount: amount('4.62'),
      lines: [{ qty: '2', discount: amount('0.67') }, { qty: '1' }],
    });
    const rest = [
      { line_id: 'a', product_id, qty: '2' },
      { line_id: 'b', product_id: '', qty: '1' },
    ];
    await announced('posted', id, second, rest);
    expect(await invoice(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    expect(await violations()).toEqual([]);
  });

  test('begins anew when an invoice was cancelled', async () => {
    const { id, product_id } = await confirmed();
    const first = (await invoice(id)).body.data.invoice_id;
    const lines = [{ line_id: 'a', product_id, qty: '3' }];
    await announced('posted', id, first, lines);
    await announced('cancelled', id, first, lines);
    const again = (await invoice(id)).body.data.invoice_id;
    expect(again).not.toBe(first);
    expect(draftsOf(id).at(-1)!.asked.lines).toMatchObject([{ qty: '3' }, { qty: '1' }]);
  });

  test('says so when a draft of it takes less than is left, since an invoice was cancelled', async () => {
    const { id, product_id } = await confirmed();
    const first = (await invoice(id)).body.data.invoice_id;
    const lines = [{ line_id: 'a', product_id, qty: '3' }];
    await announced('posted', id, first, lines);
    await invoice(id);
    await announced('cancelled', id, first, lines);
    expect(await invoice(id)).toMatchObject({ status: 409, body: { code: 'other_draft' } });
  });

  test('keeps a percentage as it is, and gives nothing off what is free', async () => {
    const percent = { type: 'percent', value: '10' };
    const line = { description: 'Gift', qty: '1', unit_price: '0.00', discount: percent };
    const { id } = await confirmed({ lines: [line], discount: percent });
    expect(await invoice(id)).toMatchObject({ status: 200 });
    expect(draftsOf(id)[0]!.asked).toMatchObject({ discount: undefined, lines: [{ discount: percent }] });
  });

  test('has a dry run, which asks nobody', async () => {
    const { id } = await confirmed();
    expect(await invoice(id, shop.owner, '?dry_run=true')).toMatchObject({
      status: 200,
      body: { data: { invoice_id: null } },
    });
    expect(draftsOf(id)).toEqual([]);
  });

  test('is refused for what is not confirmed, not seen, or not allowed', async () => {
    const { id } = await sales.order();
    expect(await invoice(id)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'invoice' } },
    });
    const { id: sure } = await confirmed();
    expect(await invoice(sure, shop.owner, '', { version: 1 })).toMatchObject({ status: 412 });
    expect(await invoice(randomUUID())).toMatchObject({ status: 404 });
    const reader = serving.member({ workspace: shop.workspace, can: ['sales_order.view'] });
    expect(await invoice(sure, reader)).toMatchObject({ status: 403 });
    expect([draftsOf(id), draftsOf(sure)]).toEqual([[], []]);
  });
});
