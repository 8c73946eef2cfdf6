import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../../test/audit.ts';
import { booksFixture } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let office: ReturnType<typeof booksFixture>;
beforeEach(async () => {
  ours = await company();
  office = booksFixture(ours);
});

const report = async (path: string) => (await ours.owner.get(`/api/accounting/${path}`)).body.data;
const post = async (path: string, body: object) => (await ours.owner.post(path, body)).body.data;

/** Creates and posts a revenue or expense. */
async function book(kind: 'revenues' | 'expenses', body: object): Promise<void> {
  const { id } = await post(`/api/${kind}/create`, body);
  await ours.owner.post(`/api/${kind}/approve/${id}`);
  await ours.owner.post(`/api/${kind}/post/${id}`);
}

/** Creates a bank account with 1 000.00, a revenue of 300.00 in February and rent of 120.00 in March. */
async function quarter() {
  const bank = await office.bank({ opening_balance: '1000.00', opening_date: '2025-12-31' });
  const bank_account_id = bank.id;
  await book('revenues', {
    date: '2026-02-10',
    category_id: await office.revenueCategory(),
    bank_account_id,
    amount: '300.00',
  });
  await book('expenses', {
    date: '2026-03-10',
    category_id: await office.expenseCategory(),
    bank_account_id,
    amount: '120.00',
  });
  return bank;
}

describe('the statements from the journal', () => {
  test('show equal sides of the trial balance, now and on a past day', async () => {
    await quarter();
    expect(await report('trial-balance?as_of=2026-02-28')).toMatchObject({
      debit_total: '1300.00',
      credit_total: '1300.00',
      difference: '0.00',
      currency: 'EUR',
      accounts: [
        { name: 'Example Bank Main', balance: '1300.00' },
        { name: 'Opening balances', balance: '-1000.00' },
        { name: 'Services', balance: '-300.00', class: 'revenue' },
      ],
    });
    expect(await report('trial-balance?as_of=2026-03-31')).toMatchObject({
      debit_total: '1420.00',
      difference: '0.00',
    });
  });

  test('show the profit and loss of a period', async () => {
    await quarter();
    expect(await report('profit-and-loss?from=2026-02-01&to=2026-02-28')).toMatchObject({
      net_profit: '300.00',
      expenses: [],
    });
    expect(await report('profit-and-loss?to=2026-03-31')).toMatchObject({
      from: '2026-01-01',
      revenue_total: '300.00',
      gross_profit: '300.00',
      expenses_total: '120.00',
      net_profit: '180.00',
      expenses: [{ name: 'Rent', amount: '120.00' }],
    });
  });

  test('show assets that equal liabilities and equity in the balance sheet', async () => {
    await quarter();
    expect(await report('balance-sheet?as_of=2026-03-31')).toMatchObject({
      assets_total: '1180.00',
      liabilities_total: '0.00',
      equity_total: '1180.00',
      difference: '0.00',
      earnings: '180.00',
      earnings_before: '0.00',
    });
    expect(await report('balance-sheet?as_of=2027-01-15')).toMatchObject({
      earnings: '0.00',
      earnings_before: '180.00',
      difference: '0.00',
    });
  });
});

describe('the ageing of customer balances', () => {
  /** Creates invoices of 100.00, 50.00 and 30.00. A payment in April settles 40.00 of the first. */
  async function createOpenItems() {
    const customer = await office.customer();
    const first = await office.invoice(customer.id, '100.00', { date: '2026-01-10', due_date: '2026-01-31' });
    await office.invoice(customer.id, '50.00', { date: '2026-02-10', due_date: '2026-03-10' });
    await office.invoice(customer.id, '30.00', { date: '2026-03-20', due_date: '2026-04-20' });
    const bank = await office.bank();
    await book('revenues', {
      date: '2026-04-01',
      category_id: await office.revenueCategory(),
      bank_account_id: bank.id,
      amount: '45.00',
      customer_id: customer.id,
      invoice_allocations: [{ invoice_id: first, amount: '40.00' }],
    });
    return customer;
  }

  test('follows the due dates on any day', async () => {
    await createOpenItems();
    expect((await report('ageing?as_of=2026-03-31')).totals).toEqual({
      not_due: '30.00',
      days_1_30: '50.00',
      days_31_60: '100.00',
      days_61_90: '0.00',
      days_over_90: '0.00',
      credits: '0.00',
      total: '180.00',
    });
    expect(await report('ageing?as_of=2026-06-30&kind=customer')).toMatchObject({
      parties: [{ name: 'Initech', days_61_90: '30.00', days_over_90: '110.00', credits: '5.00', total: '135.00' }],
    });
    expect((await report('ageing?kind=vendor')).parties).toEqual([]);
  });

  test('is read in pages by name, with the totals of all pages', async () => {
    for (const [name, amount] of [
      ['Carla', '3.00'],
      ['Anna', '10.00'],
      ['Bert', '200.00'],
    ] as const)
      await office.invoice((await office.customer({ name })).id, amount, {
        date: '2026-01-10',
        due_date: '2026-01-31',
      });
    const bert = await office.customer({ name: 'Bert', currency: 'USD' });
    await office.invoice(bert.id, '50.00', {
      date: '2026-01-10',
      due_date: '2026-01-31',
      currency: 'USD',
      rate: '0.5',
      base: '25.00',
    });
    const pages = [];
    for (const page of [1, 2, 3]) pages.push(await report(`ageing?as_of=2026-03-01&per_page=2&page=${page}`));
    const totals = { days_1_30: '238.00', total: '238.00' };
    expect(pages).toMatchObject(
      [1, 2, 3].map((page) => ({ page, per_page: 2, party_count: 4, totals, currency: 'EUR' })),
    );
    expect(pages.map(({ parties }) => parties.map(({ name }: { name: string }) => name))).toEqual([
      ['Anna', 'Bert'],
      ['Bert', 'Carla'],
      [],
    ]);
    expect(pages.flatMap(({ parties }) => parties).find(({ id }) => id === bert.id)).toMatchObject({
      total: '25.00',
      by_currency: [{ currency: 'USD', days_1_30: '50.00', total: '50.00' }],
    });
    for (const wrong of ['page=0', 'per_page=501', 'page=x'])
      expect(await ours.owner.get(`/api/accounting/ageing?${wrong}`)).toMatchObject({ status: 422 });
  });

  test('is listed line by line in a statement', async () => {
    const customer = await createOpenItems();
    const statement = await report(`customer-statement/${customer.id}?from=2026-02-01&to=2026-04-30`);
    expect(statement).toMatchObject({
      opening_balance: '100.00',
      closing_balance: '135.00',
      party: { name: 'Initech' },
    });
    expect(
      statement.lines.map(({ debit, credit, balance }: Record<string, string>) => [debit, credit, balance]),
    ).toEqual([
      ['50.00', '0.00', '150.00'],
      ['30.00', '0.00', '180.00'],
      ['0.00', '45.00', '135.00'],
    ]);
    const [shown] = (await ours.owner.get('/api/customers')).body.data;
    expect(shown).toMatchObject({ balance: '135.00' });
    expect(await ours.owner.get(`/api/accounting/vendor-statement/${customer.id}`)).toMatchObject({ status: 404 });
  });
});

describe('a statement', () => {
  test.each([
    ['customer', 'sales_invoice.view'],
    ['vendor', 'purchase_invoice.view'],
  ] as const)('is shown for a %s only with the permission %s', async (party, permission) => {
    const { id } = await office[party]({ name: 'Initech' });
    const show = async (...can: string[]) =>
      (await ours.member({ can }).get(`/api/accounting/${party}-statement/${id}`)).status;
    expect(await show(`${party}.view`)).toBe(403);
    expect(await show(permission)).toBe(403);
    expect(await show(`${party}.view`, permission)).toBe(200);
  });

  test('is rejected if it exceeds 2,000 lines, and can be read in parts', async () => {
    const { id } = await office.customer({ opening_balance: '100.00', opening_date: '2026-01-01' });
    const admin = await serving.admin.connect();
    // Bypasses the triggers: posting this many entries takes minutes.
    await admin.query('SET session_replication_role = replica');
    const filler = `WITH entry AS (
      INSERT INTO journal_entries (id, workspace_id, sequence, number, date, scope, source_type, source_id, purpose, line_count, prev_hash, hash)
      SELECT gen_random_uuid(), $1, 1000 + n, 'FILLER-' || n, CASE WHEN n <= 2000 THEN date '2026-02-01' ELSE date '2026-02-02' END, 'sales',
        'filler', gen_random_uuid(), 'filler', 2, sha256('a'), sha256('b') FROM generate_series(1, 2001) AS n RETURNING *)
      INSERT INTO journal_lines (id, workspace_id, entry_id, position, line_count, date, account_id, debit, currency, amount, party_kind, party_id, open_item_id)
      SELECT gen_random_uuid(), $1, entry.id, 1, 2, entry.date, known.account_id, 1, 'EUR', 1, 'customer', $2, known.open_item_id
      FROM entry, (SELECT account_id, open_item_id FROM journal_lines WHERE party_id = $2 AND open_item_id IS NOT NULL LIMIT 1) AS known`;
    await admin.query(filler, [ours.owner.caller.workspace_id, id]);
    const path = `/api/accounting/customer-statement/${id}`;
    const whole = await ours.owner.get(`${path}?from=2026-02-01&to=2026-02-02`);
    const part = await ours.owner.get(`${path}?from=2026-02-02&to=2026-02-02`);
    await admin.query(
      `DELETE FROM journal_lines WHERE entry_id IN (SELECT id FROM journal_entries WHERE source_type = 'filler')`,
    );
    await admin.query(`DELETE FROM journal_entries WHERE source_type = 'filler'`);
    await admin.query('SET session_replication_role = origin');
    admin.release();
    expect(whole).toMatchObject({ status: 422, body: { code: 'statement_too_long' } });
    const totals = { opening_balance: '2100.00', closing_balance: '2101.00' };
    expect(part).toMatchObject({ status: 200, body: { data: { ...totals, lines: [{ balance: '2101.00' }] } } });
  });
});

describe('the integrity report', () => {
  test('checks the books, including the stock value', async () => {
    await quarter();
    await office.customer({ opening_balance: '70.00', opening_date: '2026-01-01' });
    inventory.stock.value = '0.0000';
    const proof = await report('integrity');
    expect(proof).toMatchObject({
      sound: true,
      inventory: { difference: '0.00' },
      trial_balance: { difference: '0.00' },
      entries: 4,
    });
    expect(proof.control_accounts).toContainEqual({
      role: 'receivable',
      code: '1110',
      booked: '70.00',
      open: '70.00',
      difference: '0.00',
    });
    expect(proof.checks.every(({ holds }: { holds: boolean }) => holds)).toBe(true);
    inventory.stock.value = '12.30';
    expect(await report('integrity')).toMatchObject({
      sound: false,
      inventory: { booked: '0.00', stock: '12.30', difference: '-12.30' },
    });
  });

  test('continues with the requested check', async () => {
    const { checks, next } = await report('integrity');
    expect(next).toBeNull();
    expect(checks.map(({ number }: { number: number }) => number)).toEqual(
      Array.from({ length: checks.length }, (_, at) => at + 1),
    );
    const rest = (await ours.owner.get('/api/accounting/integrity?from=20')).body.data;
    expect(rest).toMatchObject({ sound: true, next: null, checks: checks.slice(19) });
    const none = (await ours.owner.get('/api/accounting/integrity?from=900')).body.data;
    expect(none).toMatchObject({ sound: null, next: null, checks: [] });
  });

  test('covers one workspace only, and works without any entries', async () => {
    inventory.stock.value = '0';
    await quarter();
    const outsider = ours.member({ workspace: '01931d2e-7c4a-7b3e-9f00-5b2c8e1d4a11' });
    expect((await outsider.get('/api/accounting/integrity')).body.data).toMatchObject({ sound: true, entries: 0 });
    expect((await outsider.get('/api/accounting/balance-sheet')).body.data).toMatchObject({ assets_total: '0.00' });
    expect((await outsider.get('/api/chart-of-accounts')).body.data).toEqual([]);
  });
});
