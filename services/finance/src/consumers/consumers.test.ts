import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../test/audit.ts';
import { clerk } from '../../test/books.ts';
import { type Company, openFinance } from '../../test/ground.ts';
import { speaker } from '../../test/speaker.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
const say = await speaker(serving);
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const balances = async () => {
  const { data } = (await ours.boss.get('/api/accounting/trial-balance?as_of=2026-12-31')).body;
  return Object.fromEntries(
    data.accounts.map(({ name, balance }: { name: string; balance: string }) => [name, balance]),
  );
};

describe('a new workspace', () => {
  test('that is announced three times has its books once', async () => {
    const workspace_id = randomUUID();
    const event = {
      workspace_id,
      name: 'Initech',
      timezone: 'Europe/Paris',
      currency: 'JPY',
      fiscal_year_start: '04-01',
      owner_id: randomUUID(),
    };
    await say(workspace_id, 'platform.workspace.provisioned', workspace_id, event, { times: 3 });
    await say(workspace_id, 'platform.workspace.provisioned', workspace_id, event, { version: 2 });
    const [books] =
      await serving.sql`SELECT base_currency, timezone, fiscal_year_start FROM books WHERE workspace_id = ${workspace_id}`;
    expect(books).toEqual({ base_currency: 'JPY', timezone: 'Europe/Paris', fiscal_year_start: '04-01' });
    const { boss } = { boss: ours.member({ workspace: workspace_id }) };
    const chart = (await boss.get('/api/chart-of-accounts')).body.data;
    expect(chart.map(({ name }: { name: string }) => name)).toContain('Cash and banks');
    expect(chart[0].accounts).toMatchObject([{ name: 'Cash', balance: '0.00', currency: 'JPY' }]);
    expect((await boss.get('/api/bank-accounts')).body.data).toMatchObject([{ account_name: 'Cash', is_cash: true }]);
    expect((await boss.get('/api/revenue-categories')).body.data).toHaveLength(5);
    expect((await boss.get('/api/account-types')).body.data).toHaveLength(10);
  });
});

describe('stock that was corrected', () => {
  const adjust = (value: string, reason: string, times = 1) => {
    const adjustment_id = randomUUID();
    const event = {
      adjustment_id,
      product_id: randomUUID(),
      warehouse_id: randomUUID(),
      value,
      reason,
      business_date: '2026-02-01',
      stock_account_id: '',
    };
    return say(ours.workspace, 'inventory.adjustment.recorded', adjustment_id, event, { times });
  };

  test('is in the books of today when its own day is closed', async () => {
    const locked_through = '2026-02-28';
    await ours.boss.post('/api/period-locks/create', { scope: 'all', locked_through, reason: 'Year end' });
    await adjust('-22.00', 'adjustment', 2);
    expect(await serving.sql`SELECT FROM parked_messages WHERE consumer = 'finance.book-adjustment'`).toEqual([]);
    expect(await balances()).toEqual({ Inventory: '-22.00', 'Stock adjustments': '22.00' });
    const { accounts } = (await ours.boss.get(`/api/accounting/trial-balance?as_of=${locked_through}`)).body.data;
    expect(accounts).toEqual([]);
  });

  test('has its value in the books, once', async () => {
    await adjust('82.50', 'opening', 3);
    await adjust('-22.00', 'adjustment');
    await adjust('0', 'adjustment');
    expect(await balances()).toEqual({
      Inventory: '60.50',
      'Opening balances': '-82.50',
      'Stock adjustments': '22.00',
    });
  });
});

describe('a till sale', () => {
  const order = (more: object = {}) => ({
    ...{
      pos_order_id: randomUUID(),
      number: 'POS-1',
      business_date: '2026-02-01',
      customer_id: '',
      subtotal: '100.00',
    },
    ...{ tax_total: '19.00', total: '119.00', cost: '40.00' },
    taxes: [{ tax_id: randomUUID(), name: 'VAT', amount: '19.00' }],
    payments: [
      { method: 'cash', amount: '50.00' },
      { method: 'card', amount: '60.00' },
      { method: 'card', amount: '9.00' },
    ],
    ...more,
  });
  const paid = (event: { pos_order_id: string }, times = 1) =>
    say(ours.workspace, 'inventory.pos_order.paid', event.pos_order_id, event, { times });

  test('is booked with its payments, once, and taken back when it is given back', async () => {
    const customer = await clerk(ours).customer();
    const event = order({ customer_id: customer.id });
    await paid(event, 3);
    expect(await balances()).toEqual({
      ...{ Cash: '50.00', 'Card and online payments in transit': '69.00', Inventory: '-40.00' },
      ...{ 'Output tax': '-19.00', Sales: '-100.00', 'Cost of goods sold': '40.00' },
    });
    const payments = (await ours.boss.get('/api/customer-payments?sort=number&expand=customer,bank_account')).body.data;
    expect(payments).toMatchObject([
      {
        number: 'PAY-2026-00001',
        method: 'cash',
        amount: '50.00',
        bank_account: { account_name: 'Cash' },
        customer: { name: 'Initech' },
      },
      { number: 'PAY-2026-00002', method: 'card', amount: '69.00', bank_account: null, unallocated: '0.00' },
    ]);
    const { pos_order_id, number, total, tax_total, cost } = event;
    const back = { pos_order_id, number, business_date: '2026-02-03', total, tax_total, cost };
    await say(ours.workspace, 'inventory.pos_order.refunded', pos_order_id, back, { version: 2, times: 2 });
    expect(Object.values(await balances()).every((balance) => balance === '0.00')).toBe(true);
    expect((await ours.boss.get('/api/customer-payments?status=voided')).body.meta.total).toBe(2);
  });

  test('that is heard of after its refund is booked and taken back all the same', async () => {
    const event = order();
    const { pos_order_id, number, total, tax_total, cost } = event;
    const back = { pos_order_id, number, business_date: '2026-02-03', total, tax_total, cost };
    await say(ours.workspace, 'inventory.pos_order.refunded', pos_order_id, back, { version: 2 });
    expect(await balances()).toEqual({});
    await paid(event);
    const left = Object.values(await balances());
    expect([left.length, new Set(left)]).toEqual([6, new Set(['0.00'])]);
    expect(await serving.sql`SELECT FROM waiting_refunds`).toEqual([]);
  });

  test('that does not add up is parked with the reason and moves nothing', async () => {
    await paid(order({ payments: [{ method: 'cash', amount: '1.00' }] }));
    expect(await balances()).toEqual({});
    const [parked] = await serving.sql`SELECT reason FROM parked_messages WHERE consumer = 'finance.book-pos-order'`;
    expect(parked!.reason).toContain('journal_entries_currency_balance_check');
    expect((await ours.boss.get('/api/customer-payments')).body.meta.total).toBe(0);
  });
});
