import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { everything, openCrm, type Shop } from '../../../test/fixture.ts';
import { expireOffers } from '../documents/validity.ts';

const { serving, inventory, shop: openShop, violations: violationsIn } = await openCrm();
let shop: Shop;
let customer_id: string;
beforeEach(async () => {
  shop = await openShop();
  customer_id = shop.customer();
});

const soon = '2099-01-31';
const text = { description: 'Advice', qty: '1', unit_price: '100.00' };
const store = (body: object = {}) =>
  shop.owner.post('/api/sales/quotes/store', { customer_id, expiry_date: soon, lines: [text], ...body });
const quote = async (body: object = {}) => (await store(body)).body.data;
const update = (id: string, body: object, by = shop.owner) => by.post(`/api/sales/quotes/update/${id}`, body);
const show = async (id: string) => (await shop.owner.get(`/api/sales/quotes/${id}`)).body.data;
const events = (id: string) =>
  serving.sql`SELECT type, data FROM journal_events WHERE aggregate_id = ${id} ORDER BY position`;
const violations = () => violationsIn(shop);

describe('a quote', () => {
  // Worked example G1.
  test('copies products with taxes, prices and names, and totals them to 184.76', async () => {
    const tax = shop.stock.tax();
    const product_id = shop.stock.product({ name: 'Engine', sku: 'E-1', taxes: [tax], sale_price: '19.99' });
    const lines = [
      { product_id, qty: '3', discount: { type: 'percent', value: '10' } },
      { ...text, tax_ids: [tax.tax_id] },
    ];
    const { status, body } = await store({ lines });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'draft',
      number: null,
      revision: 1,
      customer_name: 'Ada Ltd',
      currency: 'EUR',
      billing_address: 'Bill Street 1',
      subtotal: '159.97',
      discount_total: '6.00',
      net_total: '153.97',
      tax_total: '30.79',
      total: '184.76',
      lines: [
        { product_id, product_name: 'Engine', sku: 'E-1', qty: '3', unit_price: '19.99', net: '53.97', tax: '10.79' },
        { product_id: null, description: 'Advice', net: '100.00', tax: '20.00', tax_ids: [tax.tax_id] },
      ],
      taxes: [{ name: 'VAT', rate: '20', amount: '30.79' }],
      allowed_actions: ['send', 'cancel', 'update', 'delete'],
    });
    // Later changes of the product do not affect the quote.
    inventory.products.get(product_id)!.sale_price = '99.00';
    expect(await show(body.data.id)).toEqual(body.data);
    expect(await violations()).toEqual([]);
  });

  // Worked example G7.
  test('spreads a discount of 1.00 on the quote over three lines of 10.00', async () => {
    const lines = [text, text, text].map((line) => ({ ...line, unit_price: '10.00' }));
    const { lines: found, total } = await quote({ lines, discount: { type: 'amount', value: '1.00' } });
    expect(found.map(({ net }: { net: string }) => net)).toEqual(['9.66', '9.67', '9.67']);
    expect(total).toBe('29.00');
    expect(await violations()).toEqual([]);
  });

  test("has the customer's currency by default, or the given one", async () => {
    customer_id = shop.customer({ currency: 'JPY' });
    expect(await quote({ lines: [{ ...text, unit_price: '100.6' }] })).toMatchObject({
      currency: 'JPY',
      total: '101',
    });
    expect(await quote({ currency: 'USD' })).toMatchObject({ currency: 'USD', total: '100.00' });
  });

  test.each([
    ['a customer who is unknown', () => ({ customer_id: crypto.randomUUID() }), 'customer_id'],
    ['an archived customer', () => ({ customer_id: shop.customer({ active: false }) }), 'customer_id'],
    [
      'an unknown product',
      () => ({ lines: [text, { product_id: crypto.randomUUID(), qty: '1' }] }),
      'lines.1.product_id',
    ],
    [
      'an archived product',
      () => ({ lines: [{ product_id: shop.stock.product({ active: false }), qty: '1' }] }),
      'lines.0.product_id',
    ],
    ['an unknown tax', () => ({ lines: [{ ...text, tax_ids: [crypto.randomUUID()] }] }), 'lines.0.tax_ids'],
    [
      'an archived tax',
      () => ({ lines: [{ ...text, tax_ids: [shop.stock.tax({ active: false }).tax_id] }] }),
      'lines.0.tax_ids',
    ],
    ['nothing of something', () => ({ lines: [{ ...text, qty: '0' }] }), 'lines.0.qty'],
    ['less than nothing', () => ({ lines: [{ ...text, qty: '-1' }] }), 'lines.0.qty'],
    ['a quantity that is too precise', () => ({ lines: [{ ...text, qty: '0.0000001' }] }), 'lines.0.qty'],
    ['a negative price', () => ({ lines: [{ ...text, unit_price: '-1' }] }), 'lines.0.unit_price'],
    ['free text without a price', () => ({ lines: [{ description: 'Advice', qty: '1' }] }), 'lines.0.unit_price'],
    ['neither product nor text', () => ({ lines: [{ qty: '1', unit_price: '1' }] }), 'lines.0.description'],
    [
      'a discount above the price',
      () => ({ lines: [{ ...text, discount: { type: 'amount', value: '100.01' } }] }),
      'lines.0.discount.value',
    ],
    ['a discount of the whole above it', () => ({ discount: { type: 'percent', value: '101' } }), 'discount.value'],
    [
      'a sum beyond all amounts',
      () => ({ lines: [{ ...text, qty: '999999999999', unit_price: '999999' }] }),
      'lines.0',
    ],
    ['no lines', () => ({ lines: [] }), 'lines'],
    [
      'a day of expiry before the day of issue',
      () => ({ issue_date: '2026-02-01', expiry_date: '2026-01-31' }),
      'expiry_date',
    ],
    ['an unknown opportunity', () => ({ opportunity_id: crypto.randomUUID() }), 'opportunity_id'],
    ['a number of its own', () => ({ number: 'QUO-1' }), 'number'],
    ['totals of its own', () => ({ total: '1' }), 'total'],
  ])('is rejected with %s', async (_, body, field) => {
    expect(await store(body())).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is rejected with a product of another workspace', async () => {
    const elsewhere = await openShop();
    expect(await store({ lines: [{ product_id: elsewhere.stock.product(), qty: '1' }] })).toMatchObject({
      status: 422,
    });
    expect(await store({ customer_id: elsewhere.customer() })).toMatchObject({ status: 422 });
  });
});

describe('the statuses of a quote', () => {
  test('change from draft to sent to accepted, with a number from the first sending', async () => {
    const { id } = await quote({ issue_date: '2026-03-01' });
    const sent = (await update(id, { status: 'sent' })).body.data;
    expect(sent).toMatchObject({ status: 'sent', number: 'QUO-2026-00001', sent_at: expect.any(String) });
    const accepted = await update(id, { status: 'accepted' });
    expect(accepted).toMatchObject({ status: 200, body: { data: { status: 'accepted', allowed_actions: ['order'] } } });
    expect(await update(id, { status: 'accepted' })).toEqual(
      expect.objectContaining({ status: 200, body: accepted.body }),
    );
    expect(await events(id)).toEqual([
      {
        type: 'crm.quote.accepted',
        data: { quote_id: id, number: 'QUO-2026-00001', customer_id, total: '100', currency: 'EUR' },
      },
    ]);
    expect(await update(id, { status: 'declined' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'accepted', action: 'decline' } },
    });
    expect(await update(id, { terms: 'Other' })).toMatchObject({ status: 409, body: { code: 'quote_is_settled' } });
  });

  test('return to draft with the next revision when a sent quote is changed', async () => {
    const { id } = await quote();
    const { number } = (await update(id, { status: 'sent' })).body.data;
    expect((await update(id, { lines: [{ ...text, qty: '2' }] })).body.data).toMatchObject({
      status: 'draft',
      revision: 2,
      number,
      total: '200.00',
      sent_at: null,
    });
    const again = await update(id, { terms: 'Net 30', status: 'sent' });
    expect(again.body.data).toMatchObject({ status: 'sent', revision: 2, number, terms: 'Net 30' });
    expect(await violations()).toEqual([]);
  });

  test('accept only one of fifty concurrent answers', async () => {
    const { id } = await quote();
    await update(id, { status: 'sent' });
    const replies = await runConcurrently(50, (at) => update(id, { status: at % 2 ? 'accepted' : 'declined' }));
    const winner = (await show(id)).status;
    for (const [at, { status }] of replies.entries()) {
      expect(status).toBe((at % 2 ? 'accepted' : 'declined') === winner ? 200 : 409);
    }
    expect(await events(id)).toHaveLength(winner === 'accepted' ? 1 : 0);
  });

  test('expire after the last day in the workspace time zone, on read and by schedule', async () => {
    const clock = freezeClock('2026-03-31T20:00:00Z');
    const { id } = await quote({ issue_date: '2026-03-01', expiry_date: '2026-03-31' });
    await update(id, { status: 'sent' });
    clock.goTo('2026-03-31T21:59:59Z');
    expect(await show(id)).toMatchObject({ status: 'sent' });
    clock.goTo('2026-03-31T22:00:00Z');
    expect(await show(id)).toMatchObject({ status: 'expired', allowed_actions: [] });
    expect(await update(id, { status: 'accepted' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    await expireOffers(serving.tools as never);
    expect(await serving.sql`SELECT status FROM quotes WHERE id = ${id}`).toEqual([{ status: 'expired' }]);
  });

  test('do not change when the validity ends before the quote is sent', async () => {
    freezeClock('2026-04-02T00:00:00Z');
    const { id } = await quote({ issue_date: '2026-03-01', expiry_date: '2026-03-31' });
    expect(await update(id, { status: 'sent' })).toMatchObject({ status: 409, body: { code: 'validity_is_over' } });
    expect(await update(id, { expiry_date: '2026-04-30', status: 'sent' })).toMatchObject({ status: 200 });
  });
});

describe('numbers', () => {
  test('are issued without gaps to fifty concurrent requests, and restart each year', async () => {
    const made = await runConcurrently(50, () => store({ issue_date: '2026-05-05' }));
    const sent = await runConcurrently(50, (at) => update(made[at]!.body.data.id, { status: 'sent' }));
    const numbers = sent.map(({ body }) => String(body.data.number)).toSorted((a, b) => a.localeCompare(b));
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => `QUO-2026-${String(at + 1).padStart(5, '0')}`));
    const next = await quote({ issue_date: '2026-12-31' });
    expect((await update(next.id, { status: 'sent' })).body.data.number).toBe('QUO-2026-00051');
    const other = await quote({ issue_date: '2027-01-01' });
    expect((await update(other.id, { status: 'sent' })).body.data.number).toBe('QUO-2027-00001');
    expect(await violations()).toEqual([]);
  });
});

describe('quotes', () => {
  test('are listed in at most three statements, with search and filter', async () => {
    const { id } = await quote({ contact: 'Grace' });
    await quote();
    const before = serving.database.statements;
    const { body } = await shop.owner.get(
      '/api/sales/quotes?q=grace&status=draft&updated_at[gte]=2020-01-01T00:00:00Z',
    );
    expect(serving.database.statements - before).toBeLessThanOrEqual(3);
    expect(body.data.map((found: { id: string }) => found.id)).toEqual([id]);
    expect(body.data[0]).toMatchObject({ total: '100.00', allowed_actions: ['send', 'cancel', 'update', 'delete'] });
  });

  test('return 404 for other users with the record scope "own"', async () => {
    const { id } = await quote();
    const seller = shop.member({ can: everything, record_scopes: { quote: 'own' } });
    expect(await seller.get(`/api/sales/quotes/${id}`)).toMatchObject({ status: 404 });
    expect(await update(id, { status: 'sent' }, seller)).toMatchObject({ status: 404 });
    expect((await seller.get('/api/sales/quotes')).body.data).toEqual([]);
  });

  const remove = (id: string) => shop.owner.delete(`/api/sales/quotes/destroy/${id}`);

  test('can be deleted only while they have no number', async () => {
    const { id } = await quote();
    await update(id, { status: 'cancelled' });
    expect(await remove(id)).toMatchObject({ status: 200 });
    expect(await serving.sql`SELECT FROM sales_lines WHERE quote_id = ${id}`).toEqual([]);
  });

  test('reject a stale change', async () => {
    const { id, version } = await quote();
    await update(id, { terms: 'One' });
    expect(await update(id, { terms: 'Two', version })).toMatchObject({ status: 412, body: { code: 'stale' } });
  });
});
