import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { foreignCurrencySteps, type InvoiceAmount, SIDES } from '../../../test/foreign-currency.ts';
import { openFinance } from '../../../test/fixture.ts';
import type { Side } from '../../invoices/documents/side.ts';

const { serving, inventory, company } = await openFinance();
let ours: Awaited<ReturnType<typeof company>>;
let office: ReturnType<typeof foreignCurrencySteps>;
beforeEach(async () => {
  ours = await company();
  office = foreignCurrencySteps(ours, inventory);
});
afterEach(() => office.expectSoundBooks(serving));

const euros = (amount: string) => ({ amount, currency: 'EUR' });
const dollars = (amount: string) => ({ amount, currency: 'USD', rate: '0.90' });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
const mismatch = (field: string, currency: string) => ({
  status: 422,
  body: { code: 'currency_mismatch', details: { field, currency } },
});

/** Creates a customer with an invoice of 100 dollars. */
async function createDebtor() {
  const { id: customer_id } = await office.customer();
  return { customer_id, invoice_id: await office.createInvoice('sales', customer_id, dollars('100.00')) };
}

/** Creates a party with an advance of 90.00 euros: they paid 100.00, and 10.00 settled an invoice. */
async function withAdvance(side: Side) {
  const { party, cash } = SIDES[side];
  const { id: party_id } = await (party === 'customer' ? office.customer() : office.vendor());
  const first = await office.createInvoice(side, party_id, euros('10.00'));
  const { id } = (await office.pay(side, party_id, euros('100.00'), [{ invoice_id: first, amount: '10.00' }])).body
    .data;
  const { id: payment_id } = await office.payment(side);
  return { party_id, payment_id, reverse: () => office.act(`${cash}s`, 'reverse', id) };
}

describe('the rate of an allocation', () => {
  test('is required for different currencies', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = { invoice_id, amount: '100.00' };
    for (const rate of [{}, { rate: null }]) {
      expect(await office.draft('sales', customer_id, euros('100.00'), [{ ...part, ...rate }])).toMatchObject(
        mismatch('invoice_allocations.0.rate', 'USD'),
      );
    }
  });

  test('is rejected if the currencies are the same', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = { invoice_id, amount: '100.00', rate: '1' };
    expect(await office.draft('sales', customer_id, dollars('100.00'), [part])).toMatchObject(
      invalidField('invoice_allocations.0.rate'),
    );
  });

  test.each([
    ['nothing', '0', 'rate'],
    ['nothing, at length', '0.0000000000', 'rate'],
    ['less than nothing', '-0.93', 'rate'],
    ['more than ten decimals', '0.12345678901', 'rate'],
    ['no decimal', '1,08', 'rate'],
    ['a rate at which it takes less than a cent', '0.00001', 'amount'],
  ])('is not %s', async (_, rate, field) => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = { invoice_id, amount: '100.00', rate };
    expect(await office.draft('sales', customer_id, euros('500.00'), [part])).toMatchObject(
      invalidField(`invoice_allocations.0.${field}`),
    );
  });

  test.each([
    ['of nothing', { amount: '0', rate: '0.93' }],
    ['more precise than the invoice’s currency', { amount: '1.001', rate: '0.93' }],
    ['of amount is too large', { amount: '999999999999999', rate: '999999999' }],
  ])('is rejected for an amount %s', async (_, part) => {
    const { customer_id, invoice_id } = await createDebtor();
    expect(await office.draft('sales', customer_id, euros('500.00'), [{ invoice_id, ...part }])).toMatchObject(
      invalidField('invoice_allocations.0.amount'),
    );
  });

  test('determines the used amount, which never exceeds the payment', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = (rate: string) => [{ invoice_id, amount: '100.00', rate }];
    expect(await office.draft('sales', customer_id, euros('92.99'), part('0.93'))).toMatchObject(
      invalidField('invoice_allocations'),
    );
    // Half a cent is rounded up.
    expect(await office.draft('sales', customer_id, euros('93.00'), part('0.93005'))).toMatchObject(
      invalidField('invoice_allocations'),
    );
    expect(await office.draft('sales', customer_id, euros('93.01'), part('0.93005'))).toMatchObject({ status: 201 });
    const other = await office.createInvoice('sales', customer_id, dollars('100.00'));
    const both = [invoice_id, other].map((id) => ({ invoice_id: id, amount: '999999999999999', rate: '1' }));
    expect(await office.draft('sales', customer_id, euros('999999999999999'), both)).toMatchObject(
      invalidField('invoice_allocations'),
    );
  });

  test('is checked again when a draft moves to an account in another currency', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = { invoice_id, amount: '100.00', rate: '0.93' };
    const { id } = (await office.draft('sales', customer_id, euros('93.00'), [part])).body.data;
    const change = (body: object) => ours.owner.post(`/api/revenues/update/${id}`, body);
    const moved = { bank_account_id: await office.findOrOpenBank('USD'), rate: '0.91' };
    expect(await change(moved)).toMatchObject(invalidField('invoice_allocations.0.rate'));
    const allocations = [{ invoice_id, amount: '93.00' }];
    expect(await change({ ...moved, invoice_allocations: allocations })).toMatchObject({
      body: {
        data: { currency: 'USD', invoice_allocations: [{ rate: null, amount: '93.00', credit_amount: '93.00' }] },
      },
    });
    expect(await change({ bank_account_id: await office.findOrOpenBank('EUR') })).toMatchObject(
      mismatch('invoice_allocations.0.rate', 'USD'),
    );
  });
});

describe('a payment in another currency', () => {
  test('does not pay more than the outstanding amount of the invoice', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const pay = (amount: string) =>
      office.pay('sales', customer_id, euros('200.00'), [{ invoice_id, amount, rate: '0.93' }]);
    expect(await pay('60.00')).toMatchObject({ status: 200 });
    const over = [{ invoice_id, amount: '40.01', rate: '0.93' }];
    expect(await office.draft('sales', customer_id, euros('200.00'), over)).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { open: '40.00' } },
    });
    expect(await pay('40.00')).toMatchObject({ status: 200 });
  });

  test('restores both sides when it is reversed', async () => {
    const { customer_id, invoice_id } = await createDebtor();
    const part = { invoice_id, amount: '60.00', rate: '0.93' };
    const { id } = (await office.pay('sales', customer_id, euros('100.00'), [part])).body.data;
    expect(await office.balance('receivable')).toBe('36.00');
    expect(await office.balance('customer_advances')).toBe('44.20');
    const replies = await runConcurrently(5, () => office.act('revenues', 'reverse', id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await office.balance('receivable')).toBe('90.00');
    for (const role of ['customer_advances', 'fx_gain', 'fx_loss', 'currency_exchange'])
      expect(await office.balance(role)).toBe('0.00');
    expect(await office.payment('sales')).toMatchObject({ status: 'voided', unallocated: '0.00', allocations: [] });
    expect((await office.show('sales-invoice', invoice_id)).body.data).toMatchObject({
      status: 'posted',
      paid: '0.00',
      balance_due: '100.00',
    });
    const items = await serving.sql`
      SELECT settled, base_settled FROM open_items WHERE workspace_id = ${ours.workspace}`;
    expect(items).toEqual([
      { settled: '0.0000', base_settled: '0.0000' },
      { settled: '0.0000', base_settled: '0.0000' },
    ]);
    // The invoice can be paid again, even in its own currency.
    const again = [{ invoice_id, amount: '100.00' }];
    expect(await office.pay('sales', customer_id, dollars('100.00'), again)).toMatchObject({ status: 200 });
    expect(await office.balance('receivable')).toBe('0.00');
  });
});

describe.each(['sales', 'purchase'] as const)('an advance (%s)', (side) => {
  const [control, advances] =
    side === 'sales' ? (['receivable', 'customer_advances'] as const) : (['payable', 'vendor_advances'] as const);

  test('is allocated to a later invoice in another currency, and reversed exactly', async () => {
    const { party_id, payment_id, reverse } = await withAdvance(side);
    const invoice_id = await office.createInvoice(side, party_id, {
      amount: '100.00',
      currency: 'USD',
      rate: '0.9137',
    });
    const allocate = (part: Omit<InvoiceAmount, 'invoice_id'>) =>
      office.allocate(side, payment_id, [{ invoice_id, ...part }]);
    expect(await allocate({ amount: '33.33' })).toMatchObject(mismatch('allocations.0.rate', 'USD'));
    expect(await allocate({ amount: '33.33', rate: '0' })).toMatchObject(invalidField('allocations.0.rate'));
    expect(await allocate({ amount: '33.33', rate: '0.90' })).toMatchObject({
      body: { data: { unallocated: '60.00' } },
    });
    expect(await allocate({ amount: '66.68', rate: '0.80' })).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { open: '66.67' } },
    });
    expect(await allocate({ amount: '66.67', rate: '0.90013' })).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { left: '60.00' } },
    });
    const last = await allocate({ amount: '66.67', rate: '0.9' });
    expect(last).toMatchObject({ status: 200, body: { data: { unallocated: '0.00' } } });
    expect(await office.payment(side)).toMatchObject({
      allocations: [
        { amount: '10.00', rate: null, credit_amount: '10.00' },
        { amount: '33.33', rate: '0.9', credit_amount: '30.00' },
        { amount: '66.67', rate: '0.9', credit_amount: '60.00' },
      ],
    });
    for (const role of [control, advances, 'currency_exchange']) expect(await office.balance(role)).toBe('0.00');
    expect(await office.balance(side === 'sales' ? 'fx_loss' : 'fx_gain')).toBe('1.37');
    expect(await reverse()).toMatchObject({ status: 200 });
    expect(await office.balance(control)).toBe('101.37');
    for (const role of [advances, 'fx_loss', 'fx_gain']) expect(await office.balance(role)).toBe('0.00');
  });

  test('is allocated once in concurrent requests', async () => {
    const { party_id, payment_id } = await withAdvance(side);
    const invoice_id = await office.createInvoice(side, party_id, { amount: '20000', currency: 'JPY', rate: '0.0061' });
    const part = { invoice_id, amount: '1000', rate: '0.018' };
    const replies = await runConcurrently(10, () => office.allocate(side, payment_id, [part]));
    expect(sortedStatuses(replies)).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 5 }, () => 409),
    ]);
    expect(await office.payment(side)).toMatchObject({ unallocated: '0.00' });
  });
});

test('a credit note can be applied to an invoice in another currency', async () => {
  const { customer_id, invoice_id } = await createDebtor();
  const returned = await office.createInvoice('sales', customer_id, euros('100.00'));
  await office.pay('sales', customer_id, euros('100.00'), [{ invoice_id: returned, amount: '100.00' }]);
  const { lines } = (await office.show('sales-invoice', returned)).body.data;
  const returnInput = { invoice_id: returned, return_date: '2026-03-20', reason: 'other' };
  const part = { invoice_line_id: lines[0].id, qty: '1' };
  const { id } = (await office.make('sales-invoice-return', { ...returnInput, lines: [part] })).body.data;
  await office.act('sales-invoice-return', 'approve', id);
  const { credit_note_id } = (await office.act('sales-invoice-return', 'complete', id)).body.data;
  const apply = (more: object) =>
    ours.owner.post(`/api/credit-notes/apply/${credit_note_id}`, {
      date: '2026-04-01',
      allocations: [{ invoice_id, amount: '50.00', ...more }],
    });
  expect(await apply({})).toMatchObject(mismatch('allocations.0.rate', 'USD'));
  expect(await apply({ rate: '0.93' })).toMatchObject({ body: { data: { applied: '46.50', remaining: '53.50' } } });
  expect((await office.read('/api/credit-notes?expand=applications'))[0].applications).toMatchObject([
    { invoice_id, amount: '50.00', rate: '0.93', credit_amount: '46.50' },
  ]);
  expect((await office.show('sales-invoice', invoice_id)).body.data).toMatchObject({
    credited: '50.00',
    paid: '0.00',
    balance_due: '50.00',
    status: 'partially_paid',
  });
});
