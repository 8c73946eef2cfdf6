import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller, eventPublisher, freezeClock } from '@suite/testing';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { expectCleanBooks } from '../../../test/audit.ts';
import { accountId, balancesOf } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
const { say } = await eventPublisher(serving);
const deadLetterReason = () => serving.sql`SELECT reason FROM dead_letters`;
let ours: Company;
beforeEach(async () => {
  ours = await company();
  Object.assign(inventory.stock, { value: '0', accounts: [], recent: [] });
});

const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
const rpc = connectRpc({ finance: definition }, keysOf('inventory'));
afterAll(() => rpc.close());
const financeClient = () => rpc.as(forwardedCaller('inventory', ours.owner.caller), randomUUID()).finance;
const account = (code: string) => accountId(ours, code);
const integrity = async () => (await ours.owner.get('/api/accounting/integrity')).body.data;
const entryOf = async (source_id: string) =>
  (await ours.owner.get(`/api/journal-entries?source_id=${source_id}`)).body.data[0];

const sale = (more: object = {}) => ({
  pos_order_id: randomUUID(),
  number: 'POS-1',
  business_date: '2026-02-01',
  customer_id: '',
  subtotal: '90.00',
  tax_total: '0.00',
  total: '90.00',
  cost: '30.00',
  taxes: [],
  payments: [{ method: 'cash', amount: '90.00' }],
  ...more,
});
const sell = (event: { pos_order_id: string }) => say(ours.workspace, 'inventory.pos_order.paid', event);
const adjust = async (value: string, stock_account_id: string, business_date = '2026-02-01') => {
  const adjustment_id = randomUUID();
  const what = { adjustment_id, product_id: randomUUID(), warehouse_id: randomUUID(), value, reason: 'adjustment' };
  await say(ours.workspace, 'inventory.adjustment.recorded', { ...what, business_date, stock_account_id });
  return adjustment_id;
};

describe('an account', () => {
  test.each([
    ['stock', '1510', ''],
    ['stock', '1210', ''],
    ['stock', '1500', 'This account is a group. Choose one below it.'],
    ['stock', '2030', 'Choose an account of assets.'],
    ['stock', '1140', 'This account is reserved for another use. Choose another account.'],
    ['stock', '1110', 'This account is reserved for another use. Choose another account.'],
    ['income', '4040', ''],
    ['income', '4530', 'This account is reserved for another use. Choose another account.'],
    ['income', '5040', 'Choose an account of income.'],
    ['expense', '5040', ''],
    ['expense', '4010', 'Choose an account of expenses.'],
    ['payroll', '5040', ''],
    ['payroll', '4040', ''],
    ['payroll', '1500', 'This account is a group. Choose one below it.'],
    ['payroll', '1110', 'This account is reserved for another use. Choose another account.'],
  ])('is accepted for %s only with a suitable type: %s', async (use, code, reason) => {
    const { answers } = await financeClient().checkAccounts({ uses: [{ account_id: await account(code), use }] });
    expect(answers).toEqual([{ usable: reason === '', reason }]);
  });

  test('is reported as unknown in another workspace, and as archived if archived', async () => {
    const otherAccount = await accountId(await company(), '1510');
    const archived = await account('1520');
    await serving.sql`UPDATE gl_accounts SET active = FALSE WHERE id = ${archived}`;
    const uses = [otherAccount, randomUUID(), archived].map((account_id) => ({ account_id, use: 'stock' }));
    const { answers } = await financeClient().checkAccounts({ uses });
    expect(answers.map(({ reason }) => reason)).toEqual([
      'Account not found.',
      'Account not found.',
      'This account is archived. Choose another account.',
    ]);
    await expect(
      financeClient().checkAccounts({ uses: [{ account_id: otherAccount, use: 'luck' }] }),
    ).rejects.toMatchObject({
      status: 422,
    });
  });
});

describe('a POS order or stock adjustment', () => {
  test('is posted to the default account if the product account accepts no entries', async () => {
    for (const id of [randomUUID(), await account('2030')]) {
      const entry = await entryOf(await adjust('10.00', id));
      expect(entry.narration).toContain('the account of the product takes no entries');
    }
    expect(await balancesOf(ours)).toEqual({ Inventory: '20.00', 'Stock adjustments': '-20.00' });
    expect(await deadLetterReason()).toEqual([]);
  });

  test('is posted to the accounts of the products', async () => {
    const own = {
      income_account_id: await account('4040'),
      expense_account_id: await account('5040'),
      stock_account_id: await account('1510'),
    };
    const usual = { income_account_id: '', expense_account_id: '', stock_account_id: '' };
    const event = sale({
      shares: [
        { ...own, net: '60.00', cost: '20.00' },
        { ...usual, net: '30.00', cost: '10.00' },
      ],
    });
    await adjust('50.00', own.stock_account_id);
    await adjust('10.00', '');
    await sell(event);
    expect(await balancesOf(ours)).toMatchObject({
      Services: '-60.00',
      Sales: '-30.00',
      'Purchased services': '20.00',
      'Cost of goods sold': '10.00',
      Equipment: '30.00',
      Inventory: '0.00',
    });
    const order = { pos_order_id: event.pos_order_id, number: 'POS-1', business_date: '2026-02-03' };
    const part = { refund_id: randomUUID(), refund_number: 'POS-1-R1', partial: true, status: 'partially_refunded' };
    const figures = { total: '20.00', cost: '7.00', restocked_cost: '7.00', customer_id: '', taxes: [] };
    await say(
      ...([ours.workspace, 'inventory.pos_order.refunded'] as const),
      {
        ...order,
        tax_total: '0.00',
        ...part,
        ...figures,
        payments: [{ method: 'cash', amount: '20.00' }],
        shares: [{ ...own, net: '20.00', cost: '7.00' }],
      },
      { position: 2 },
    );
    expect(await balancesOf(ours)).toMatchObject({
      Services: '-40.00',
      'Purchased services': '13.00',
      Equipment: '37.00',
    });
    Object.assign(inventory.stock, {
      value: '37',
      accounts: [{ stock_account_id: own.stock_account_id, value: '37' }],
    });
    expect(await integrity()).toMatchObject({ sound: true, inventory: { booked: '37.00', stock: '37.00' } });
    // The same total on the wrong account is inconsistent.
    inventory.stock.accounts = [{ stock_account_id: '', value: '37' }];
    const { sound, checks } = await integrity();
    expect([sound, checks.find(({ holds }: { holds: boolean }) => !holds)]).toMatchObject([
      false,
      { name: expect.stringContaining('stock accounts'), violations: ['1210 Inventory: 0.00 booked, 37.00 in stock'] },
    ]);
  });

  test('is rebooked to the new account when the account of the product changes', async () => {
    const [from_account_id, to_account_id] = [await account('1510'), await account('1520')];
    await adjust('25.00', from_account_id);
    const change = { product_id: randomUUID(), change_id: randomUUID(), value: '25', business_date: '2026-02-02' };
    const event = { ...change, from_account_id, to_account_id };
    await say(ours.workspace, 'inventory.product.stock_account_changed', event, { times: 2 });
    expect(await balancesOf(ours)).toMatchObject({ Equipment: '0.00', Vehicles: '25.00' });
  });

  test('is posted on the first open day, with a note, while the books are locked', async () => {
    freezeClock('2026-02-01T10:00:00Z');
    await ours.owner.post('/api/period-locks/create', { scope: 'all', locked_through: '2026-02-28', reason: 'Closed' });
    const event = sale();
    await sell(event);
    const note = '(of 2026-02-01, for which the books are locked)';
    expect(await entryOf(event.pos_order_id)).toMatchObject({
      date: '2026-03-01',
      narration: `POS order POS-1 ${note}`,
    });
    const entry = await entryOf(await adjust('30.00', ''));
    expect(entry).toMatchObject({ date: '2026-03-01', narration: `Stock adjustment ${note}` });
    expect([await deadLetterReason(), (await integrity()).sound]).toEqual([[], true]);
  });

  test('is pending while it is not yet posted, and breaks no check', async () => {
    const id = await adjust('30.00', '');
    const adjustment = { type: 'adjustment', number: '', business_date: '2026-02-01' };
    const pending = randomUUID();
    inventory.stock.value = '20';
    inventory.stock.recent = [
      { ...adjustment, id, source_id: id, value: '30' },
      {
        type: 'pos_order',
        id: pending,
        source_id: pending,
        number: 'POS-7',
        business_date: '2026-02-01',
        value: '-10',
      },
    ];
    expect(await integrity()).toMatchObject({
      sound: true,
      inventory: { booked: '30.00', pending: '-10.00', stock: '20.00', difference: '0.00' },
      pending: [{ type: 'pos_order', id: pending, number: 'POS-7', value: '-10.00' }],
    });
  });
});

test('an invoice posts to the account of its goods at issue, regardless of the draft', async () => {
  const trade = tradingSteps(ours, inventory);
  const product_id = trade.product({}, { on_hand: 10, value: '50.00' });
  const customer = await trade.customer();
  const lines = [{ product_id, qty: '2', unit_price: '30.00' }];
  const { body } = await trade.make('sales-invoice', { customer_id: customer.id, invoice_date: '2026-03-10', lines });
  inventory.products.get(product_id)!.stock_account_id = await account('1510');
  await trade.act('sales-invoice', 'post', body.data.id);
  expect(await balancesOf(ours)).toMatchObject({ Equipment: '-10.00', 'Cost of goods sold': '10.00' });
});
