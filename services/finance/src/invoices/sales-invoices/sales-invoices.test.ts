import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, everything, openFinance } from '../../../test/fixture.ts';
import { stockSettlement } from '../../../test/stock-settlement.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  inventory.trouble.length = 0;
});

const { settle, states } = stockSettlement(serving);
const post = (id: string, query = '') => trade.act('sales-invoice', 'post', id, query);
const draft = (body: object = {}) => trade.make('sales-invoice', { invoice_date: '2026-03-10', ...body });
const text = { description: 'Advice', qty: '1', unit_price: '10.00' };

describe('a sales invoice', () => {
  // Worked example G1.
  test('totals three engines less 10 % and an installation, with tax, to 184.76', async () => {
    expect(await trade.createFirstInvoice()).toMatchObject({
      status: 'draft',
      number: null,
      net_total: '153.97',
      tax_total: '30.79',
      total: '184.76',
      due_date: '2026-04-09',
      lines: [
        { product_name: 'Engine', net: '53.97', tax: '10.79', qty: '3' },
        { net: '100.00', tax: '20.00' },
      ],
      allowed_actions: ['post', 'update', 'delete'],
    });
  });

  // Worked example G12.
  test('posts receivable, revenue, tax and cost of goods, and gets its number', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    inventory.shelf.put(product_id, 15, '110.00');
    const posted = await post(id);
    expect(posted).toMatchObject({
      status: 200,
      body: {
        data: {
          status: 'posted',
          number: 'INV-2026-00001',
          balance_due: '184.76',
          payment_status: 'unpaid',
          pending_effects: [],
          allowed_actions: ['cancel'],
          effects: { stock_moves: [{ qty: '3', cost: '22.00', direction: 'issue' }], warnings: [] },
        },
      },
    });
    expect(await trade.sides(id)).toEqual({
      'Trade receivables': '184.76',
      Sales: '-153.97',
      'Output tax': '-30.79',
      'Cost of goods sold': '22.00',
      Inventory: '-22.00',
    });
    expect(inventory.shelf.levels.get(product_id)).toEqual({ on_hand: 12, value: '88.00' });
    expect(await states(id)).toEqual(['settled']);
  });

  test('is posted once by fifty concurrent requests to two replicas', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    const replies = await runConcurrently(50, () => post(id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(new Set(replies.map(({ body }) => body.data.number))).toEqual(new Set(['INV-2026-00001']));
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(12);
    expect(await serving.sql`SELECT FROM journal_entries WHERE source_id = ${id}`).toHaveLength(1);
  });

  test('is numbered without gaps when fifty are posted concurrently', async () => {
    const customer = await trade.customer();
    const product_id = trade.product({}, { on_hand: 100, value: '500.00' });
    const drafts = await runConcurrently(50, () =>
      draft({ customer_id: customer.id, lines: [{ product_id, qty: '1' }] }),
    );
    const replies = await Promise.all(drafts.map(({ body }) => post(body.data.id)));
    expect(replies.map(({ body }) => Number(body.data.number.slice(-5))).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, at) => at + 1),
    );
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(50);
  });

  test('shows the cost of its goods only with product.cost, also in a dry run', async () => {
    const { id } = await trade.createFirstInvoice();
    const userWithoutCosts = ours.member({ can: everything.filter((permission) => permission !== 'product.cost') });
    const hasCost = async (by: Member, query = '') => {
      const { body, status } = await by.post(`/api/sales-invoice/post/${id}${query}`);
      expect([status, body.data.effects.stock_moves[0].qty]).toEqual([200, '3']);
      return JSON.stringify(body.data).includes('22.00') || 'journal_lines' in body.data.effects;
    };
    expect(await hasCost(userWithoutCosts, '?dry_run=true')).toBe(false);
    expect(await hasCost(ours.owner, '?dry_run=true')).toBe(true);
    expect(await hasCost(userWithoutCosts)).toBe(false);
    for (const path of ['sales-invoice/show', 'v1/invoices']) {
      const readDocument = async (by: Member) => (await by.get(`/api/${path}/${id}`)).body.data.lines[0].cost;
      expect([await readDocument(ours.owner), await readDocument(userWithoutCosts)]).toEqual(['22.00', undefined]);
    }
  });

  test('shows the effects in a dry run, and changes nothing', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    const preview = await post(id, '?dry_run=true');
    expect(preview.body.data).toMatchObject({ status: 'posted', effects: { stock_moves: [{ cost: '22.00' }] } });
    expect(preview.body.data.effects.journal_lines).toHaveLength(5);
    expect(await states(id)).toEqual([]);
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(15);
    expect((await post(id)).body.data.number).toBe('INV-2026-00001');
  });

  test('is rejected with the available stock if goods are missing, and can be retried', async () => {
    const { id, product_id, lines } = await trade.createFirstInvoice();
    inventory.shelf.put(product_id, 2, '10.00');
    expect(await post(id)).toMatchObject({
      status: 409,
      body: { code: 'insufficient_stock', details: { lines: [{ line_id: lines[0].id, available: '2' }] } },
    });
    expect(await states(id)).toEqual(['reversed']);
    inventory.shelf.put(product_id, 3, '15.00');
    expect((await post(id)).body.data).toMatchObject({
      number: 'INV-2026-00001',
      effects: { stock_moves: [{ cost: '15.00' }] },
    });
  });

  test('is undone by the schedule after a lost response', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const { id, product_id } = await trade.createFirstInvoice();
    inventory.trouble.push('crashed');
    expect((await post(id)).status).toBe(500);
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(12);
    expect((await trade.show('sales-invoice', id)).body.data.pending_effects).toEqual(['issue_stock']);
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${id}`)).toMatchObject({
      body: { code: 'stock_pending' },
    });
    clock.goTo('2026-11-21T10:01:00Z');
    await settle();
    expect(await states(id)).toEqual(['reversed']);
    expect(inventory.shelf.levels.get(product_id)).toEqual({ on_hand: 15, value: '110.00' });
    expect((await post(id)).body.data.number).toBe('INV-2026-00001');
    expect(await states(id)).toEqual(['reversed', 'settled']);
  });

  test('is posted by a repeated request after a lost response', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    inventory.trouble.push('crashed');
    expect((await post(id)).status).toBe(500);
    expect((await post(id)).status).toBe(200);
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(12);
    expect(await states(id)).toEqual(['settled']);
  });

  test('is rejected in a locked period, and no goods are moved', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    await trade.make('period-locks', { scope: 'sales', locked_through: '2026-03-31', reason: 'Closed' });
    expect(await post(id)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(await states(id)).toEqual([]);
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(15);
  });

  test('is undone with its stock if the period is locked after the goods moved', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const { id, product_id } = await trade.createFirstInvoice();
    inventory.during.push(async () => {
      await trade.make('period-locks', { scope: 'sales', locked_through: '2026-03-31', reason: 'Closed' });
    });
    expect(await post(id)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(12);
    clock.goTo('2026-11-21T10:01:00Z');
    await settle();
    expect(await states(id)).toEqual(['reversed']);
    expect(inventory.shelf.levels.get(product_id)).toEqual({ on_hand: 15, value: '110.00' });
    expect(
      await serving.sql`SELECT FROM number_counters WHERE type = 'sales_invoice' AND workspace_id = ${ours.workspace}`,
    ).toEqual([]);
  });

  test('fails if its goods are released concurrently, and is posted by the next attempt', async () => {
    const clock = freezeClock('2026-11-21T10:00:00Z');
    const { id, product_id } = await trade.createFirstInvoice();
    inventory.during.push(async () => {
      clock.goTo('2026-11-21T10:01:00Z');
      await settle();
    });
    expect(await post(id)).toMatchObject({ status: 409, body: { code: 'stock_pending' } });
    expect(inventory.shelf.levels.get(product_id)?.on_hand).toBe(15);
    expect((await post(id)).body.data.number).toBe('INV-2026-00001');
    expect(await states(id)).toEqual(['reversed', 'settled']);
  });

  test('keeps its values if the product changes, and cannot be changed once posted', async () => {
    const { id, product_id } = await trade.createFirstInvoice();
    await post(id);
    inventory.products.set(product_id, { ...inventory.products.get(product_id)!, name: 'Renamed', sale_price: '1.00' });
    expect((await trade.show('sales-invoice', id)).body.data.lines[0]).toMatchObject({
      product_name: 'Engine',
      unit_price: '19.99',
    });
    const refused = { status: 409, body: { code: 'invalid_transition', details: { from: 'posted' } } };
    expect(await ours.owner.post(`/api/sales-invoice/update/${id}`, { notes: 'x' })).toMatchObject(refused);
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${id}`)).toMatchObject(refused);
  });

  test('prevents the deletion of its customer, even as a draft', async () => {
    const { id, customer } = await trade.createFirstInvoice();
    const deleteCustomer = () => ours.owner.delete(`/api/customers/delete/${customer.id}`);
    expect(await deleteCustomer()).toMatchObject({ status: 409, body: { code: 'in_use' } });
    await post(id);
    expect(await deleteCustomer()).toMatchObject({ status: 409, body: { code: 'in_use' } });
  });

  test('can be updated and deleted as a draft', async () => {
    const { id } = await trade.createFirstInvoice();
    const changed = await ours.owner.post(`/api/sales-invoice/update/${id}`, {
      lines: [text],
      discount: { type: 'amount', value: '1.00' },
      notes: 'Thank you',
    });
    expect(changed.body.data).toMatchObject({
      total: '9.00',
      discount_total: '1.00',
      notes: 'Thank you',
      lines: [{ net: '9.00' }],
    });
    expect(await ours.owner.delete(`/api/sales-invoice/delete/${id}`)).toMatchObject({ status: 200 });
  });

  test('keeps its lines if they are omitted, and recomputes them', async () => {
    const { id, lines } = await trade.createFirstInvoice();
    const changed = await ours.owner.post(`/api/sales-invoice/update/${id}`, {
      discount: { type: 'percent', value: '50' },
    });
    const ids = (some: { id: string }[]) => some.map((line) => line.id);
    expect(ids(changed.body.data.lines)).toEqual(ids(lines));
    expect(changed.body.data.lines).toMatchObject([{ qty: '3', net: '26.98' }, { net: '50.00' }]);
  });

  test('is posted at its rate in a foreign currency, with the rounding difference', async () => {
    const customer = await trade.customer({ currency: 'USD' });
    const line = { ...text, unit_price: '10.01', tax_ids: [trade.tax().tax_id] };
    const lines = [line, line, line];
    expect(await draft({ customer_id: customer.id, lines })).toMatchObject({
      status: 422,
      body: { errors: { rate: [expect.any(String)] } },
    });
    const { id } = (await draft({ customer_id: customer.id, lines, rate: '0.85' })).body.data;
    expect((await post(id)).body.data).toMatchObject({
      status: 'posted',
      currency: 'USD',
      total: '36.04',
      base_total: '30.63',
    });
    // In dollars: 36.04 = 30.03 + 6.01. In euros, each amount is rounded separately: 30.63 and 25.53 + 5.11.
    expect(await trade.sides(id)).toEqual({
      'Trade receivables': '30.63',
      Sales: '-25.53',
      'Output tax': '-5.11',
      Rounding: '0.01',
    });
  });

  test('has a warning above the credit limit, or is rejected if settings require it', async () => {
    const customer = await trade.customer({ credit_limit: '15.00' });
    const { id } = (await draft({ customer_id: customer.id, lines: [{ ...text, qty: '2' }] })).body.data;
    expect((await post(id, '?dry_run=true')).body.data.effects.warnings).toMatchObject([
      { code: 'credit_limit_exceeded' },
    ]);
    await serving.sql`UPDATE books SET credit_limit = 'block' WHERE workspace_id = ${ours.workspace}`;
    expect(await post(id)).toMatchObject({ status: 409, body: { code: 'credit_limit_exceeded' } });
  });
});
