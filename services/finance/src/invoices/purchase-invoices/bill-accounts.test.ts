/** Tests of the accounts of bill lines: from the request, the product, or the default. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { expectCleanBooks } from '../../../test/audit.ts';
import { accountId } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { stockSettlement } from '../../../test/stock-settlement.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const { settle } = stockSettlement(serving);
const account = (code: string) => accountId(ours, code);

/** Drafts a bill with these lines. Each costs 45.00 unless it has a price. */
async function createDraft(...lines: object[]) {
  const body = {
    vendor_id: (await trade.vendor()).id,
    invoice_date: '2026-03-10',
    lines: lines.map((line) => ({ qty: '1', unit_price: '45.00', ...line })),
  };
  return await trade.make('purchase-invoice', body);
}

/** Returns the debits of a bill by account code. */
const debitsOf = ({ effects }: { effects: { journal_lines: { account: { code: string }; debit: string }[] } }) =>
  Object.fromEntries(
    effects.journal_lines.filter(({ debit }) => debit !== '0.00').map((line) => [line.account.code, line.debit]),
  );

describe('a bill line', () => {
  test.each([
    ['5050', 'an expense'],
    ['1510', 'an asset'],
    ['6090', 'bank charges'],
  ])('is posted to the given account: %s, %s', async (code) => {
    const account_id = await account(code);
    const draft = (await createDraft({ description: 'Freight', account_id })).body.data;
    expect(draft.lines[0].account_id).toBe(account_id);
    const rehearsed = await trade.act('purchase-invoice', 'post', draft.id, '?dry_run=true');
    expect(debitsOf(rehearsed.body.data)).toEqual({ [code]: '45.00' });
    const posted = await trade.act('purchase-invoice', 'post', draft.id);
    expect(debitsOf(posted.body.data)).toEqual({ [code]: '45.00' });
  });

  test('is a purchased service if it has no product and no account', async () => {
    const draft = (await createDraft({ description: 'Cleaning' })).body.data;
    expect(draft.lines[0].account_id).toBe(await account('5040'));
    const posted = await trade.act('purchase-invoice', 'post', draft.id);
    expect(debitsOf(posted.body.data)).toEqual({ 5040: '45.00' });
  });

  test('prefers its own account to the account of its product', async () => {
    const product_id = trade.product({ type: 'service', expense_account_id: await account('6040') });
    const draft = (await createDraft({ product_id }, { product_id, account_id: await account('6050') })).body.data;
    const posted = await trade.act('purchase-invoice', 'post', draft.id);
    expect(debitsOf(posted.body.data)).toEqual({ 6040: '45.00', 6050: '45.00' });
  });

  test('keeps its account in an update of the draft, unless lines are sent', async () => {
    const [first, second] = [await account('5050'), await account('6030')];
    const draft = (await createDraft({ description: 'Freight', account_id: first })).body.data;
    const update = (body: object) => ours.owner.post(`/api/purchase-invoice/update/${draft.id}`, body);
    expect((await update({ reference: 'R-1' })).body.data.lines[0].account_id).toBe(first);
    const lines = [{ description: 'Rent', qty: '1', unit_price: '45.00', account_id: second }];
    expect((await update({ lines })).body.data.lines[0].account_id).toBe(second);
  });

  test('reduces the same account when it is returned', async () => {
    const draft = (await createDraft({ description: 'Freight', account_id: await account('5050') })).body.data;
    const { id: invoice_id, lines } = (await trade.act('purchase-invoice', 'post', draft.id)).body.data;
    const returnLine = { invoice_line_id: lines[0].id, qty: '1' };
    const body = { invoice_id, return_date: '2026-03-20', reason: 'other', lines: [returnLine] };
    const { id } = (await trade.make('purchase-return', body)).body.data;
    await trade.act('purchase-return', 'approve', id);
    await trade.act('purchase-return', 'complete', id);
    await settle();
    const { data } = (await ours.owner.get('/api/accounting/trial-balance?as_of=2026-03-31')).body;
    const row = data.accounts.find(({ code }: { code: string }) => code === '5050');
    expect(row?.balance ?? '0.00').toBe('0.00');
  });
});

describe('the account of a vendor', () => {
  const vendorWith = async (expense_account_id: string | null) =>
    (await ours.owner.post('/api/vendors/create', { name: 'Freight Ltd', expense_account_id })).body.data;
  const createBill = async (vendor_id: string, ...lines: object[]) => {
    const priced = lines.map((line) => ({ qty: '1', unit_price: '45.00', ...line }));
    return (await trade.make('purchase-invoice', { vendor_id, invoice_date: '2026-03-10', lines: priced })).body.data;
  };
  const accountsOf = ({ lines }: { lines: { account_id: string }[] }) => lines.map(({ account_id }) => account_id);

  test('is used for bill lines without a product and an account', async () => {
    const [own, other, cogs] = [await account('5050'), await account('6030'), await account('5010')];
    const { id, expense_account_id } = await vendorWith(own);
    expect(expense_account_id).toBe(own);
    const product_id = trade.product({ type: 'service' });
    const draft = await createBill(
      id,
      { description: 'Freight' },
      { description: 'Rent', account_id: other },
      { product_id },
    );
    expect(accountsOf(draft)).toEqual([own, other, cogs]);
    const posted = await trade.act('purchase-invoice', 'post', draft.id);
    expect(debitsOf(posted.body.data)).toEqual({ 5050: '45.00', 6030: '45.00', 5010: '45.00' });
  });

  test('is copied to the bill, and read again when lines are sent', async () => {
    const [first, second, usual] = [await account('5050'), await account('6030'), await account('5040')];
    const { id } = await vendorWith(first);
    const line = { description: 'Freight', qty: '1', unit_price: '45.00' };
    const draft = await createBill(id, line);
    const set = (expense_account_id: string | null) =>
      ours.owner.post(`/api/vendors/update/${id}`, { expense_account_id });
    expect((await set(second)).body.data.expense_account_id).toBe(second);
    const update = async (body: object) =>
      accountsOf((await ours.owner.post(`/api/purchase-invoice/update/${draft.id}`, body)).body.data);
    expect(await update({ reference: 'R-1' })).toEqual([first]);
    expect(await update({ lines: [line] })).toEqual([second]);
    const { id: vendor_id } = await vendorWith(null);
    expect(await update({ vendor_id, lines: [line] })).toEqual([usual]);
    expect((await set(null)).body.data.expense_account_id).toBeNull();
    expect(accountsOf(await createBill(id, line))).toEqual([usual]);
  });

  test('is replaced by the default account when it no longer allows entries', async () => {
    const own = await account('5050');
    const { id } = await vendorWith(own);
    await serving.sql`UPDATE gl_accounts SET active = FALSE WHERE id = ${own}`;
    expect(accountsOf(await createBill(id, { description: 'Freight' }))).toEqual([await account('5040')]);
  });

  test.each([
    ['a group', '5000', 'This account is a group. Choose one below it.'],
    ['income', '4040', 'Choose an account of expenses or assets.'],
    ['an account of the suite', '1110', 'This account is reserved for another use. Choose another account.'],
  ])('is not %s', async (_, code, reason) => {
    const expense_account_id = await account(code);
    const refused = { status: 422, body: { errors: { expense_account_id: [reason] } } };
    expect(await ours.owner.post('/api/vendors/create', { name: 'Freight Ltd', expense_account_id })).toMatchObject(
      refused,
    );
    const { id } = await vendorWith(null);
    expect(await ours.owner.post(`/api/vendors/update/${id}`, { expense_account_id })).toMatchObject(refused);
  });

  test('is not visible to customers and other workspaces', async () => {
    const expense_account_id = await account('5050');
    const wrong = { status: 422, body: { errors: { expense_account_id: [expect.any(String)] } } };
    expect(await ours.owner.post('/api/customers/create', { name: 'Ada', expense_account_id })).toMatchObject(wrong);
    const other = await company();
    expect(await other.owner.post('/api/vendors/create', { name: 'Freight Ltd', expense_account_id })).toMatchObject(
      wrong,
    );
  });
});

describe('an account of a bill line', () => {
  test.each([
    ['if it is a group', '5000', 'This account is a group. Choose one below it.'],
    ['if it is an income account', '4040', 'Choose an account of expenses or assets.'],
    ['if the suite uses it', '1110', 'This account is reserved for another use. Choose another account.'],
    ['if it is a bank account', '1010', 'This account is reserved for another use. Choose another account.'],
  ])('is rejected %s', async (_, code, reason) => {
    const reply = await createDraft(
      { description: 'Rent' },
      { description: 'Freight', account_id: await account(code) },
    );
    expect(reply).toMatchObject({ status: 422, body: { errors: { 'lines.1.account_id': [reason] } } });
  });

  test('is rejected if it is unknown', async () => {
    const reply = await createDraft({ description: 'Freight', account_id: randomUUID() });
    expect(reply).toMatchObject({ status: 422, body: { errors: { 'lines.0.account_id': [expect.any(String)] } } });
  });

  test('is rejected for stock goods', async () => {
    const product_id = trade.product({}, { on_hand: 1, value: '5.00' });
    const reply = await createDraft({ product_id, account_id: await account('5050') });
    const reason = 'Stock items are posted to the stock account of the product. Omit the account.';
    expect(reply).toMatchObject({ status: 422, body: { errors: { 'lines.0.account_id': [reason] } } });
  });
});
