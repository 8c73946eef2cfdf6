import { beforeEach, describe, expect, test } from '@jest/globals';
import { memberOf } from '@suite/testing';
import { auditViolations, openInventory, type Shop } from '../../test/fixture.ts';

const { serving, finance, shop: openShop } = await openInventory();
let shop: Shop;
let product_id: string;
let tax_id: string;
beforeEach(async () => {
  shop = await openShop();
  tax_id = await shop.tax({ name: 'VAT', rate: '20' });
  product_id = await shop.product({ sale_price: '19.99', tax_ids: [tax_id] }, { qty: '20', unit_cost: '5.00' });
});

/** Sells three lamps with a 10 % discount, paid partly by card and partly in cash, with change. */
const sell = async (body: object = {}, by = shop.owner) => {
  const { body: answer } = await by.post('/api/pos/create', {
    lines: [{ product_id, qty: '3', discount: { type: 'percent', value: '10' } }],
    payments: [
      { method: 'cash', amount: '20.00' },
      { method: 'card', amount: '50.00' },
    ],
    ...body,
  });
  return answer.data;
};
const refund = (id: string, body: object = {}, options = {}) => shop.owner.post(`/api/pos/refund/${id}`, body, options);
/** Returns the refunds of an order that were reported to finance. */
const readRefunds = async (id: string) => {
  const rows = await serving.sql`
    SELECT data FROM journal_events WHERE aggregate_id = ${id} AND type = 'inventory.pos_order.refunded' ORDER BY position`;
  return rows.map(({ data }) => data as Record<string, unknown>);
};
describe('a partial refund', () => {
  test('refunds the named lines until nothing remains, adding up to the exact total', async () => {
    const sale = await sell();
    const [{ id: line_id }] = sale.lines;
    const lines = [{ line_id, qty: '1' }];
    const first = await refund(sale.id, { lines, reason: 'Too bright' });
    expect({ status: first.status, ...first.body.data }).toMatchObject({
      status: 'partially_refunded',
      refunded_total: '21.59',
      refunded_at: null,
      allowed_actions: ['refund'],
      lines: [{ id: line_id, qty: '3', refunded_qty: '1' }],
      refunds: [
        {
          number: `${sale.number}-R1`,
          reason: 'Too bright',
          net_total: '17.99',
          tax_total: '3.60',
          total: '21.59',
          cost: '5.00',
          restocked_cost: '5.00',
          taxes: [{ id: tax_id, amount: '3.60' }],
          payments: [{ method: 'card', amount: '21.59' }],
          lines: [{ line_id, qty: '1', restock: true, net: '17.99', tax: '3.60', total: '21.59', cost: '5.00' }],
        },
      ],
    });
    expect(first.status).toBe(200);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '18', value: '90' });
    await refund(sale.id, { lines });
    const { data } = (await refund(sale.id, { lines })).body;
    expect(data).toMatchObject({
      status: 'refunded',
      refunded_total: '64.76',
      refunded_at: expect.any(String),
      allowed_actions: [],
      lines: [{ refunded_qty: '3' }],
      refunds: [
        { total: '21.59', payments: [{ method: 'card', amount: '21.59' }] },
        { total: '21.58', tax_total: '3.59', payments: [{ method: 'card', amount: '21.58' }] },
        {
          total: '21.59',
          payments: [
            { method: 'card', amount: '6.83' },
            { method: 'cash', amount: '14.76' },
          ],
        },
      ],
    });
    expect((await shop.owner.get('/api/pos?expand=refunds')).body.data).toMatchObject([
      { refunds: [{ number: `${sale.number}-R1` }, { number: `${sale.number}-R2` }, { number: `${sale.number}-R3` }] },
    ]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '20', value: '100' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('reports its total, the restocked cost and the payments to finance', async () => {
    const customer_id = finance.customer(shop.workspace);
    const sale = await sell({ customer_id });
    const [{ id: line_id }] = sale.lines;
    await refund(sale.id, { lines: [{ line_id, qty: '1', restock: false }] });
    await refund(sale.id);
    const { refunds } = (await shop.owner.get(`/api/pos/show/${sale.id}`)).body.data;
    const common = { pos_order_id: sale.id, number: sale.number, customer_id, partial: true };
    const usual = { income_account_id: '', expense_account_id: '', stock_account_id: '' };
    expect(await readRefunds(sale.id)).toEqual([
      {
        ...common,
        refund_id: refunds[0].id,
        refund_number: `${sale.number}-R1`,
        status: 'partially_refunded',
        business_date: refunds[0].business_date,
        total: '21.59',
        tax_total: '3.60',
        cost: '5.00',
        restocked_cost: '0.00',
        taxes: [{ tax_id, name: 'VAT', kind: 'percent', rate: '20', base: '17.99', amount: '3.60' }],
        untaxed: '0.00',
        payments: [{ method: 'card', amount: '21.59' }],
        shares: [{ ...usual, net: '17.99', cost: '0' }],
      },
      {
        ...common,
        refund_id: refunds[1].id,
        refund_number: `${sale.number}-R2`,
        status: 'refunded',
        business_date: refunds[1].business_date,
        total: '43.17',
        tax_total: '7.19',
        cost: '10.00',
        restocked_cost: '10.00',
        taxes: [{ tax_id, name: 'VAT', kind: 'percent', rate: '20', base: '35.98', amount: '7.19' }],
        untaxed: '0.00',
        payments: [
          { method: 'card', amount: '28.41' },
          { method: 'cash', amount: '14.76' },
        ],
        shares: [{ ...usual, net: '35.98', cost: '10.00' }],
      },
    ]);
  });

  test('counts as a full refund for all lines, unless some goods are scrap', async () => {
    const [whole, scrap] = [await sell(), await sell()];
    await refund(whole.id, { lines: [{ line_id: whole.lines[0].id, qty: '3' }] });
    await refund(scrap.id, { lines: [{ line_id: scrap.lines[0].id, qty: '3', restock: false }] });
    expect(await readRefunds(whole.id)).toMatchObject([
      { partial: false, status: 'refunded', restocked_cost: '15.00' },
    ]);
    expect(await readRefunds(scrap.id)).toMatchObject([{ partial: true, status: 'refunded', restocked_cost: '0.00' }]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '17', value: '85' });
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('has whole amounts for a sale in yen', async () => {
    const caller = { ...shop.owner.caller, currency: 'JPY' };
    const cashier = memberOf({ name: 'inventory', url: serving.url, gateway: serving.gateway }, caller);
    const ten = await shop.tax({ name: 'Consumption tax', rate: '10' });
    const lines = [{ product_id, qty: '3', unit_price: '333', tax_ids: [ten] }];
    const sale = await sell({ lines, payments: [{ method: 'cash', amount: '1099' }] }, cashier);
    const part = { lines: [{ line_id: sale.lines[0].id, qty: '1' }] };
    for (let n = 0; n < 3; n += 1) await cashier.post(`/api/pos/refund/${sale.id}`, part);
    const { refunds } = (await cashier.get(`/api/pos/show/${sale.id}`)).body.data;
    expect(refunds).toMatchObject([
      { total: '366', tax_total: '33' },
      { total: '367', tax_total: '34' },
      { total: '366', tax_total: '33' },
    ]);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test('happens once with the same key, and again without a key', async () => {
    const sale = await sell();
    const body = { lines: [{ line_id: sale.lines[0].id, qty: '1' }] };
    const options = { headers: { 'idempotency-key': crypto.randomUUID() } };
    const replies = [await refund(sale.id, body, options), await refund(sale.id, body, options)];
    expect(replies[1]!.body).toEqual(replies[0]!.body);
    expect(await refund(sale.id, {}, options)).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
    expect((await refund(sale.id, body)).body.data.lines).toMatchObject([{ refunded_qty: '2' }]);
  });

  test('is rejected if it exceeds the remaining quantity, naming the line', async () => {
    const sale = await sell();
    const [{ id: line_id }] = sale.lines;
    const refused = (refundable: string) => ({
      status: 422,
      body: { code: 'over_refunded', details: { line_id, refundable, field: 'lines.0.qty' } },
    });
    expect(await refund(sale.id, { lines: [{ line_id, qty: '3.000001' }] })).toMatchObject(refused('3'));
    await refund(sale.id, { lines: [{ line_id, qty: '2.5' }] });
    expect(await refund(sale.id, { lines: [{ line_id, qty: '1' }] })).toMatchObject(refused('0.5'));
    const rest = await refund(sale.id);
    expect(rest.body.data).toMatchObject({ status: 'refunded', refunded_total: '64.76' });
    expect(await refund(sale.id, { lines: [{ line_id, qty: '0.5' }] })).toMatchObject(refused('0'));
    expect((await refund(sale.id)).body).toEqual(rest.body);
    expect(await auditViolations(serving)).toEqual([]);
  });

  test.each<[string, { lines?: object[]; reason?: string; amount?: string }]>([
    ['lines', { lines: [] }],
    ['lines.0.line_id', { lines: [{ line_id: '1', qty: '1' }] }],
    ['lines.0.line_id', { lines: [{ line_id: crypto.randomUUID(), qty: '1' }] }],
    ['lines.0.line_id', { lines: [{ qty: '1' }] }],
    ['lines.0.qty', { lines: [{ qty: '0' }] }],
    ['lines.0.qty', { lines: [{ qty: '-1' }] }],
    ['lines.0.qty', { lines: [{ qty: '1.0000001' }] }],
    ['lines.0.restock', { lines: [{ qty: '1', restock: 'yes' }] }],
    ['lines.1.line_id', { lines: [{ qty: '1' }, { qty: '1' }] }],
    ['reason', { reason: '' }],
    ['amount', { amount: '5.00' }],
  ])('is rejected with an invalid %s', async (field, body) => {
    const sale = await sell();
    const isUnnamed = field === 'lines.0.line_id';
    const lines = body.lines?.map((line) => (isUnnamed ? line : { line_id: sale.lines[0].id, ...line }));
    const reply = await refund(sale.id, { ...body, ...(lines && { lines }) });
    expect(reply).toMatchObject({ status: 422, body: { code: 'validation_failed' } });
    expect(Object.keys(reply.body.errors)).toEqual([field]);
    expect(await shop.level(product_id)).toMatchObject({ on_hand: '17' });
  });

  test('requires an order of the own workspace', async () => {
    const outsider = (await openShop()).owner;
    const sale = await sell();
    expect((await outsider.post(`/api/pos/refund/${sale.id}`, {})).status).toBe(404);
    expect((await refund(crypto.randomUUID())).status).toBe(404);
  });
});
