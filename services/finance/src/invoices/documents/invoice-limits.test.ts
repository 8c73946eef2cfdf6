import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { accountId } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { inventory, company, serving } = await openFinance();
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
});

const invalidField = (field: string, words = '') => ({
  status: 422,
  body: { errors: { [field]: [expect.stringContaining(words)] } },
});
const line = { description: 'Advice', qty: '1', unit_price: '100.00' };
const invoice = async (body: object = {}) => {
  const { id: customer_id } = await trade.customer();
  return trade.make('sales-invoice', { customer_id, invoice_date: '2026-03-10', lines: [line], ...body });
};

describe('an implausible date', () => {
  test.each(['0001-01-01', '1899-12-31', '2999-01-01'])('is rejected with the reason: %s', async (day) => {
    const bank = (await ours.owner.get('/api/bank-accounts')).body.data[0].id;
    const vendor = await trade.vendor();
    const words = 'between 1900 and';
    expect(await invoice({ invoice_date: day })).toMatchObject(invalidField('invoice_date', words));
    const bill = { vendor_id: vendor.id, invoice_date: day, lines: [line] };
    expect(await trade.make('purchase-invoice', bill)).toMatchObject(invalidField('invoice_date', words));
    const back = {
      invoice_id: randomUUID(),
      return_date: day,
      reason: 'other',
      lines: [{ invoice_line_id: randomUUID(), qty: '1' }],
    };
    for (const noun of ['sales-invoice-return', 'purchase-return'])
      expect(await trade.make(noun, back)).toMatchObject(invalidField('return_date', words));
    expect(await trade.revenue({ date: day })).toMatchObject(invalidField('date', words));
    expect(await trade.expense({ date: day })).toMatchObject(invalidField('date', words));
    const transfer = { from_account_id: bank, to_account_id: randomUUID(), amount: '1.00', date: day };
    expect(await trade.make('bank-transfers', transfer)).toMatchObject(invalidField('date', words));
    const lock = { scope: 'all', locked_through: day, reason: 'Closed' };
    expect(await trade.make('period-locks', lock)).toMatchObject(invalidField('locked_through', words));
  });
});

test('accepts an exchange rate only for a foreign currency', async () => {
  expect(await invoice({ rate: '1.25' })).toMatchObject(invalidField('rate', 'Omit the exchange rate'));
  expect(await invoice({ rate: '1' })).toMatchObject({ status: 201 });
  expect(await invoice({ currency: 'USD', rate: '0.9' })).toMatchObject({
    status: 201,
    body: { data: { base_total: '90.00' } },
  });
  const { id } = (await invoice()).body.data;
  const changed = await ours.owner.post(`/api/sales-invoice/update/${id}`, { rate: '2' });
  expect(changed).toMatchObject(invalidField('rate', 'Omit the exchange rate'));
});

test.each(['profit-and-loss', 'tax-summary'])('rejects a %s period that ends before it begins', async (report) => {
  const path = `/api/accounting/${report}`;
  expect(await ours.owner.get(`${path}?from=2026-04-01&to=2026-03-31`)).toMatchObject(
    invalidField('from', '2026-03-31'),
  );
  expect(await ours.owner.get(`${path}?from=2026-03-31&to=2026-03-31`)).toMatchObject({ status: 200 });
});

test('distinguishes archived products from unknown ones', async () => {
  const product_id = trade.product({ active: false });
  const of = (id: string) => invoice({ lines: [{ product_id: id, qty: '1' }] });
  expect(await of(product_id)).toMatchObject(invalidField('lines.0.product_id', 'This product is archived.'));
  expect(await of(randomUUID())).toMatchObject(invalidField('lines.0.product_id', 'Product not found.'));
});

describe('an amount that is too large or too small at its rate', () => {
  const [most, least] = [
    { amount: '999999999999999', rate: '99999999' },
    { amount: '0.01', rate: '0.1' },
  ];
  test('is rejected for a transfer between two currencies', async () => {
    const [from, to] = [await trade.bank({ account_name: 'One' }), await trade.bank({ currency: 'USD' })];
    const accounts = { from_account_id: from.id, to_account_id: to.id };
    expect(await trade.make('bank-transfers', { ...accounts, ...most })).toMatchObject(
      invalidField('rate', 'amount is too large'),
    );
    expect(await trade.make('bank-transfers', { ...accounts, ...least })).toMatchObject(
      invalidField('rate', 'unit of USD'),
    );
    const back = { from_account_id: to.id, to_account_id: from.id };
    expect(await trade.make('bank-transfers', { ...back, ...least })).toMatchObject(
      invalidField('rate', 'unit of EUR'),
    );
  });

  test('is rejected for opening balances, revenues and expenses', async () => {
    const opening = { currency: 'USD', opening_balance: most.amount, opening_rate: most.rate };
    const few = { currency: 'USD', opening_balance: '0.01', opening_rate: '0.0001' };
    for (const [noun, names] of [
      ['customers', { name: 'Initech' }],
      ['vendors', { name: 'Globex' }],
      ['bank-accounts', { bank_name: 'Example Bank', account_name: 'Dollars' }],
    ] as const) {
      expect(await trade.make(noun, { ...names, ...opening })).toMatchObject(
        invalidField('opening_rate', 'amount is too large'),
      );
      const tiny = await trade.make(noun, { ...names, ...few });
      expect(tiny).toMatchObject({ status: 201 });
    }
    const { id: bank_account_id } = await trade.bank({ currency: 'USD' });
    expect(await trade.revenue({ bank_account_id, ...most })).toMatchObject(
      invalidField('rate', 'amount is too large'),
    );
    expect(await trade.expense({ bank_account_id, ...most })).toMatchObject(
      invalidField('rate', 'amount is too large'),
    );
  });
});

test('rejects a rate or a day without its amount', async () => {
  const [one, two] = [await trade.bank({ account_name: 'One' }), await trade.bank({ account_name: 'Two' })];
  const among = { from_account_id: one.id, to_account_id: two.id, amount: '1.00' };
  expect(await trade.make('bank-transfers', { ...among, rate: '2' })).toMatchObject(
    invalidField('rate', 'Omit the exchange rate'),
  );
  expect(await trade.make('bank-transfers', { ...among, base_rate: '2' })).toMatchObject(
    invalidField('base_rate', 'Omit'),
  );
  const bank = { bank_name: 'Example Bank', account_name: 'Dollars', currency: 'USD' };
  expect(await trade.make('bank-accounts', { ...bank, opening_rate: '2' })).toMatchObject(invalidField('opening_rate'));
  for (const noun of ['customers', 'vendors']) {
    const make = (body: object) => trade.make(noun, { name: 'Initech', ...body });
    expect(await make({ opening_date: '2026-01-01' })).toMatchObject(invalidField('opening_date', 'Omit this field'));
    expect(await make({ opening_rate: '2' })).toMatchObject(invalidField('opening_rate', 'Omit this field'));
    const balance = { opening_balance: '5.00', opening_rate: '2' };
    expect(await make(balance)).toMatchObject(invalidField('opening_rate', 'Omit the exchange rate'));
  }
});

test('rejects an expense for an unknown project', async () => {
  expect(await trade.expense({ project_id: randomUUID() })).toMatchObject(
    invalidField('project_id', 'Project not found'),
  );
  expect(await trade.expense({ project_id: null })).toMatchObject({ status: 201 });
});

test('the credit limit fault shows amounts only to callers who can view invoices', async () => {
  await ours.owner.post('/api/accounting/settings/update', { credit_limit: 'block' });
  const customer = await trade.customer({ credit_limit: '50.00' });
  const { id } = (await invoice({ customer_id: customer.id })).body.data;
  const details = { credit_limit: '50.00', balance: '0.00' };
  expect(await trade.act('sales-invoice', 'post', id)).toMatchObject({
    status: 409,
    body: { code: 'credit_limit_exceeded', details },
  });
  const poster = ours.member({ can: ['sales_invoice.post'] });
  const { status, body } = await poster.post(`/api/sales-invoice/post/${id}`);
  expect([status, body.code, body.details]).toEqual([409, 'credit_limit_exceeded', undefined]);
});

test('an idempotency key of a third party is valid for the same body only', async () => {
  const post = (path: string, body: object) => ours.owner.post(`/api/v1/${path}`, body);
  const body = { name: 'Initech', external_id: 'X-1', phone: '+49 30 1234' };
  const { id } = (await post('customers', body)).body.data;
  expect(await post('customers', body)).toMatchObject({ status: 200, body: { data: { id } } });
  expect(await post('customers', { ...body, name: 'Globex' })).toMatchObject({
    status: 409,
    body: { code: 'external_id_taken', details: { external_id: 'X-1', id, fields: ['name'] } },
  });
  const draft = {
    customer_id: id,
    invoice_date: '2026-03-10',
    external_id: 'I-1',
    lines: [{ ...line, unit_price: '100' }],
  };
  expect(await post('invoices', draft)).toMatchObject({ status: 201 });
  expect(await post('invoices', draft)).toMatchObject({ status: 200 });
  expect(await post('invoices', { ...draft, lines: [{ ...line, qty: '2' }] })).toMatchObject({
    status: 409,
    body: { code: 'external_id_taken', details: { external_id: 'I-1', fields: ['lines'] } },
  });
});

test('initial records of a workspace have the same kind of IDs as others', async () => {
  await accountId(ours, '1010');
  const rows = await serving.sql<{ id: string }>`
    SELECT id FROM bank_accounts UNION ALL SELECT id FROM gl_accounts UNION ALL SELECT id FROM revenue_categories`;
  expect(rows.filter(({ id }) => id[14] !== '7')).toEqual([]);
});
