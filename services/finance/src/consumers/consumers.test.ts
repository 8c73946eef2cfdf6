import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock } from '@suite/testing';
import { expectCleanBooks } from '../../test/audit.ts';
import { balancesOf } from '../../test/books.ts';
import { type Company, openFinance } from '../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
const { say } = await eventPublisher(serving);
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const balances = () => balancesOf(ours);

describe('a new workspace', () => {
  test('opens its books once after three deliveries of the event', async () => {
    freezeClock('2026-03-05T23:30:00Z');
    const workspace_id = randomUUID();
    const event = {
      workspace_id,
      name: 'Initech',
      timezone: 'Europe/Paris',
      currency: 'JPY',
      fiscal_year_start: '04-01',
      owner_id: randomUUID(),
    };
    await say(workspace_id, 'platform.workspace.provisioned', event, { times: 3 });
    await say(workspace_id, 'platform.workspace.provisioned', event, { position: 2 });
    const [books] =
      await serving.sql`SELECT base_currency, timezone, fiscal_year_start FROM books WHERE workspace_id = ${workspace_id}`;
    expect(books).toEqual({ base_currency: 'JPY', timezone: 'Europe/Paris', fiscal_year_start: '04-01' });
    const { owner } = { owner: ours.member({ workspace: workspace_id }) };
    const chart = (await owner.get('/api/chart-of-accounts')).body.data;
    expect(chart.map(({ name }: { name: string }) => name)).toContain('Cash and banks');
    expect(chart[0].accounts).toMatchObject([{ name: 'Cash', balance: '0.00', currency: 'JPY' }]);
    expect((await owner.get('/api/bank-accounts')).body.data).toMatchObject([
      // Already the next day in Paris, the time zone of the workspace.
      { account_name: 'Cash', is_cash: true, opening_date: '2026-03-06' },
    ]);
    expect((await owner.get('/api/revenue-categories')).body.data).toHaveLength(5);
    expect((await owner.get('/api/account-types')).body.data).toHaveLength(10);
  });
});

describe('a stock adjustment', () => {
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
    return say(ours.workspace, 'inventory.adjustment.recorded', event, { times });
  };

  test('is posted today if its own day is locked', async () => {
    const locked_through = '2026-02-28';
    await ours.owner.post('/api/period-locks/create', { scope: 'all', locked_through, reason: 'Year end' });
    await adjust('-22.00', 'adjustment', 2);
    expect(await serving.sql`SELECT FROM dead_letters WHERE consumer = 'finance.book-adjustment'`).toEqual([]);
    expect(await balances()).toEqual({ Inventory: '-22.00', 'Stock adjustments': '22.00' });
    const { accounts } = (await ours.owner.get(`/api/accounting/trial-balance?as_of=${locked_through}`)).body.data;
    expect(accounts).toEqual([]);
  });

  test('is posted with its value, once', async () => {
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
