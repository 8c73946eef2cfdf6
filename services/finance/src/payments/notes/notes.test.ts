import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';
import { tradingSteps } from '../../../test/trade.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let trade: ReturnType<typeof tradingSteps>;
let bank_account_id: string;
beforeEach(async () => {
  ours = await company();
  trade = tradingSteps(ours, inventory);
  bank_account_id = (await ours.owner.get('/api/bank-accounts')).body.data[0].id;
});

const spend = (kind: string, verb: string, id: string, body: object) =>
  ours.owner.post(`/api/${kind}/${verb}/${id}`, body);
const credited = (verb: string, id: string, body: object) => spend('credit-notes', verb, id, body);
const read = async (kind: string, number: string) =>
  (await ours.owner.get(`/api/${kind}?number=${number}&expand=applications,refunds`)).body.data[0];
const balanceOf = async (kind: string, code: string) =>
  (await ours.owner.get(`/api/${kind}?code=${code}`)).body.data[0].balance;
const inBank = async () => (await ours.owner.get('/api/bank-accounts')).body.data[0].current_balance;

const invalidField = (field: string) => ({ errors: { [field]: [expect.any(String)] } });

/** Creates a posted invoice of 100.00 for a customer. */
async function invoiced(customer_id: string, more: object = {}) {
  const lines = [{ description: 'Advice', qty: '1', unit_price: '100.00' }];
  const body = { customer_id, invoice_date: '2026-03-01', lines, ...more };
  const invoice = (await trade.make('sales-invoice', body)).body.data;
  await trade.act('sales-invoice', 'post', invoice.id);
  return invoice;
}

/** Creates a customer with a paid invoice and a full return, and therefore a credit of 100.00. */
async function withCredit() {
  const customer = await trade.customer();
  const { id: invoice_id, lines } = await invoiced(customer.id);
  const paid = { bank_account_id, customer_id: customer.id, amount: '100.00' };
  const settles = { invoice_allocations: [{ invoice_id, amount: '100.00' }] };
  await trade.act('revenues', 'post', await trade.approvedRevenue({ ...paid, ...settles }));
  const back = { invoice_id, return_date: '2026-03-05', reason: 'other' };
  const part = [{ invoice_line_id: lines[0].id, qty: '1' }];
  const { id } = (await trade.make('sales-invoice-return', { ...back, lines: part })).body.data;
  await trade.act('sales-invoice-return', 'approve', id);
  const { credit_note_id } = (await trade.act('sales-invoice-return', 'complete', id)).body.data;
  return { customer, note_id: credit_note_id as string };
}

describe('a credit note', () => {
  test('remains open for a paid invoice, and is applied to another or refunded', async () => {
    const { customer, note_id } = await withCredit();
    const other = await invoiced(customer.id, { lines: [{ description: 'More', qty: '1', unit_price: '30.00' }] });
    expect(await read('credit-notes', 'CN-2026-00001')).toMatchObject({
      id: note_id,
      status: 'open',
      remaining: '100.00',
      allowed_actions: ['apply', 'refund'],
      refunds: [],
    });
    const against = { allocations: [{ invoice_id: other.id, amount: '30.00' }], date: '2026-03-06' };
    expect((await credited('apply', note_id, against)).body.data).toMatchObject({
      status: 'partially_applied',
      remaining: '70.00',
    });
    expect((await trade.show('sales-invoice', other.id)).body.data).toMatchObject({
      status: 'credited',
      credited: '30.00',
    });
    const before = Number(await inBank());
    const paid = { bank_account_id, date: '2026-03-07', reference: 'R-1' };
    expect((await credited('refund', note_id, paid)).body.data).toMatchObject({
      status: 'refunded',
      remaining: '0.00',
      allowed_actions: ['unapply'],
    });
    expect(before - Number(await inBank())).toBe(70);
    expect(await balanceOf('customers', customer.code)).toBe('0.00');
    expect(await read('credit-notes', 'CN-2026-00001')).toMatchObject({
      applications: [{ invoice_id: other.id, amount: '30.00' }],
      refunds: [{ number: 'REF-2026-00001', date: '2026-03-07', amount: '70.00', method: 'bank', reference: 'R-1' }],
    });
  });

  test('is refunded once by fifty concurrent requests', async () => {
    const { note_id } = await withCredit();
    const before = Number(await inBank());
    const replies = await runConcurrently(50, () =>
      credited('refund', note_id, { bank_account_id, date: '2026-03-07' }),
    );
    expect(sortedStatuses(replies)).toEqual([200, ...Array(49).fill(409)]);
    expect(before - Number(await inBank())).toBe(100);
  });

  test('is not used twice by concurrent refunds and applications', async () => {
    const { customer, note_id } = await withCredit();
    const other = await invoiced(customer.id);
    const against = { allocations: [{ invoice_id: other.id, amount: '60.00' }], date: '2026-03-06' };
    const back = { bank_account_id, amount: '60.00', date: '2026-03-06' };
    const replies = await runConcurrently(20, (at) =>
      at % 2 ? credited('apply', note_id, against) : credited('refund', note_id, back),
    );
    expect(sortedStatuses(replies)).toEqual([200, ...Array(19).fill(409)]);
    expect(await read('credit-notes', 'CN-2026-00001')).toMatchObject({ remaining: '40.00' });
  });

  test.each([
    ['more than is left', () => ({ bank_account_id, amount: '100.01' }), 409, { code: 'over_allocated' }],
    ['nothing', () => ({ bank_account_id, amount: '0' }), 422, invalidField('amount')],
    ['parts of a cent', () => ({ bank_account_id, amount: '1.001' }), 422, invalidField('amount')],
    ['from an unknown account', () => ({ bank_account_id: randomUUID() }), 422, invalidField('bank_account_id')],
    ['before it was issued', () => ({ bank_account_id, date: '2026-03-04' }), 422, invalidField('date')],
  ])('is not refunded: %s', async (_, body, status, what) => {
    const { note_id } = await withCredit();
    expect(await credited('refund', note_id, { date: '2026-03-08', ...body() })).toMatchObject({ status, body: what });
    expect(await read('credit-notes', 'CN-2026-00001')).toMatchObject({
      status: 'open',
      remaining: '100.00',
      refunds: [],
    });
  });

  test('is not applied for another customer, nor refunded in a locked period', async () => {
    const { note_id } = await withCredit();
    const invoiceOfOtherCustomer = await invoiced((await trade.customer()).id);
    const against = { allocations: [{ invoice_id: invoiceOfOtherCustomer.id, amount: '1.00' }] };
    expect(await credited('apply', note_id, against)).toMatchObject({
      status: 422,
      body: { errors: { 'allocations.0.invoice_id': [expect.any(String)] } },
    });
    await ours.owner.post('/api/period-locks/create', {
      scope: 'sales',
      locked_through: '2026-03-31',
      reason: 'Filed',
    });
    expect(await credited('refund', note_id, { bank_account_id, date: '2026-03-08' })).toMatchObject({
      status: 409,
      body: { code: 'period_locked' },
    });
    expect(await spend('debit-notes', 'refund', note_id, { bank_account_id })).toMatchObject({ status: 404 });
  });
});

describe('a debit note', () => {
  test('returns the money of a paid bill', async () => {
    const vendor = await trade.vendor();
    const lines = [{ description: 'Cleaning', qty: '1', unit_price: '80.00' }];
    const bill = (await trade.make('purchase-invoice', { vendor_id: vendor.id, invoice_date: '2026-03-01', lines }))
      .body.data;
    await trade.act('purchase-invoice', 'post', bill.id);
    const paid = { bank_account_id, vendor_id: vendor.id, amount: '80.00' };
    const settles = { bill_allocations: [{ invoice_id: bill.id, amount: '80.00' }] };
    await trade.act('expenses', 'post', await trade.approvedExpense({ ...paid, ...settles }));
    const back = { invoice_id: bill.id, return_date: '2026-03-05', reason: 'other' };
    const part = [{ invoice_line_id: bill.lines[0].id, qty: '1' }];
    const { id } = (await trade.make('purchase-return', { ...back, lines: part })).body.data;
    await trade.act('purchase-return', 'approve', id);
    const { debit_note_id } = (await trade.act('purchase-return', 'complete', id)).body.data;
    const before = Number(await inBank());
    const refund = await spend('debit-notes', 'refund', debit_note_id, {
      bank_account_id,
      method: 'cash',
      date: '2026-03-09',
    });
    expect(refund.body.data).toMatchObject({ status: 'refunded', remaining: '0.00' });
    expect(Number(await inBank()) - before).toBe(80);
    expect(await balanceOf('vendors', vendor.code)).toBe('0.00');
  });
});
