import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { openTestBooks } from '../../../test/books.ts';

const { serving, ours, office, bank } = await openTestBooks();
const act = (verb: string, id: string, kind = 'revenues') => office.act(verb, id, kind);
const createApproved = (body: object = {}): Promise<string> => {
  return office.approvedRevenue({ bank_account_id: bank.id, ...body });
};
describe('a payment of invoices', () => {
  test('settles them, and rejects more than the outstanding amount', async () => {
    const customer = await office.customer();
    const invoice_id = await office.invoice(customer.id, '184.76');
    const pay = async (amount: string) => {
      const part = {
        amount,
        customer_id: customer.id,
        bank_account_id: bank.id,
        invoice_allocations: [{ invoice_id, amount }],
      };
      const draft = await office.revenue(part);
      if (draft.status !== 201) return draft;
      await act('approve', draft.body.data.id);
      return act('post', draft.body.data.id);
    };
    expect(await pay('100.00')).toMatchObject({ status: 200 });
    expect(await pay('84.77')).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { open: '84.76' } },
    });
    expect(await pay('84.76')).toMatchObject({ status: 200 });
    expect(await pay('0.01')).toMatchObject({
      status: 409,
      body: { code: 'over_allocated', details: { open: '0.00' } },
    });
    const events = await serving.sql`
      SELECT data ->> 'payment_status' AS status, data ->> 'balance_due' AS due FROM journal_events
      WHERE aggregate_id = ${invoice_id} ORDER BY position`;
    expect(events).toEqual([
      { status: 'partial', due: '84.76' },
      { status: 'paid', due: '0.00' },
    ]);
    const [shown] = (await ours.owner.get('/api/customers')).body.data;
    expect(shown.balance).toBe('0.00');
  });

  test('settles exactly the open amount in fifty concurrent requests', async () => {
    const customer = await office.customer();
    const invoice_id = await office.invoice(customer.id, '20.00');
    const ids = await runConcurrently(50, () =>
      createApproved({
        amount: '1.00',
        customer_id: customer.id,
        invoice_allocations: [{ invoice_id, amount: '1.00' }],
      }),
    );
    const replies = await runConcurrently(50, (at) => act('post', ids[at]!));
    expect(sortedStatuses(replies)).toEqual([
      ...Array.from({ length: 20 }, () => 200),
      ...Array.from({ length: 30 }, () => 409),
    ]);
    expect(await serving.sql`SELECT amount, settled FROM open_items WHERE document_id = ${invoice_id}`).toEqual([
      { amount: '20.0000', settled: '20.0000' },
    ]);
    const [payments] = await serving.sql`
      SELECT count(*)::int AS count, max(number) AS last FROM payments WHERE workspace_id = ${ours.workspace}`;
    expect(payments).toEqual({ count: 20, last: 'PAY-2026-00020' });
  });

  test('posts the exchange gain or loss to the last cent in another currency', async () => {
    const customer = await office.customer({ currency: 'USD' });
    const dollars = await office.bank({ account_name: 'Dollars', currency: 'USD' });
    const invoice_id = await office.invoice(customer.id, '100.00', { currency: 'USD', rate: '0.90', base: '90.00' });
    for (const amount of ['33.33', '33.33', '33.34']) {
      const allocations = [{ invoice_id, amount }];
      const id = await createApproved({
        amount,
        bank_account_id: dollars.id,
        rate: '0.93',
        customer_id: customer.id,
        invoice_allocations: allocations,
      });
      await act('post', id);
    }
    const [item] = await serving.sql`
      SELECT settled, base_settled FROM open_items WHERE document_id = ${invoice_id}`;
    expect(item).toEqual({ settled: '100.0000', base_settled: '90.0000' });
    const [account] = (await ours.owner.get('/api/gl-accounts?system_role=fx_gain')).body.data;
    expect(account.balance).toBe('3.01');
    expect(
      await createApproved({ amount: '1.00', customer_id: customer.id }).then((id) => act('post', id)),
    ).toMatchObject({
      status: 200,
    });
  });

  test('reopens its invoices and undoes later allocations when it is reversed', async () => {
    const customer = await office.customer();
    const [first, second] = [await office.invoice(customer.id, '60.00'), await office.invoice(customer.id, '50.00')];
    const paid = { amount: '100.00', customer_id: customer.id };
    const id = await createApproved({ ...paid, invoice_allocations: [{ invoice_id: first, amount: '60.00' }] });
    const { payment_id } = (await act('post', id)).body.data;
    const allocate = (amount: string) =>
      ours.owner.post(`/api/customer-payments/allocate/${payment_id}`, {
        date: '2026-04-01',
        allocations: [{ invoice_id: second, amount }],
      });
    expect(await allocate('40.01')).toMatchObject({ status: 409, body: { code: 'over_allocated' } });
    const early = { date: '2026-03-09', allocations: [{ invoice_id: second, amount: '1.00' }] };
    expect(await ours.owner.post(`/api/customer-payments/allocate/${payment_id}`, early)).toMatchObject({
      status: 422,
    });
    const set = await runConcurrently(10, () => allocate('8.00'));
    expect(sortedStatuses(set)).toEqual([
      ...Array.from({ length: 5 }, () => 200),
      ...Array.from({ length: 5 }, () => 409),
    ]);
    const [shown] = (await ours.owner.get('/api/customer-payments')).body.data;
    expect(shown).toMatchObject({
      status: 'posted',
      unallocated: '0.00',
      allowed_actions: ['allocate', 'deallocate', 'refund'],
    });
    const [moved] = (await ours.owner.get(`/api/bank-transactions?journal_id=${shown.journal_id}`)).body.data;
    await ours.owner.post(`/api/bank-transactions/reconcile/${moved.id}`);
    const [confirmed] = (await ours.owner.get('/api/customer-payments?status=reconciled')).body.data;
    expect(confirmed.id).toBe(payment_id);
    expect(await act('reverse', id)).toMatchObject({ status: 409, body: { code: 'reconciled' } });
    await ours.owner.post(`/api/bank-transactions/unreconcile/${moved.id}`);
    const balance = async () => (await ours.owner.get('/api/customers')).body.data[0].balance;
    expect(await balance()).toBe('10.00');
    const replies = await runConcurrently(10, () => act('reverse', id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(await balance()).toBe('110.00');
    const [payment] = (await ours.owner.get('/api/customer-payments?expand=allocations')).body.data;
    expect(payment).toMatchObject({ status: 'voided', unallocated: '0.00', allocations: [] });
    expect(await allocate('1.00')).toMatchObject({ status: 422 });
    expect((await ours.owner.get('/api/accounting/balance-sheet')).body.data).toMatchObject({ assets_total: '110.00' });
  });

  test('can be reversed as plain revenue too, but not in a locked period', async () => {
    const id = await createApproved({ amount: '7.00' });
    await act('post', id);
    const lock = await ours.owner.post('/api/period-locks/create', {
      scope: 'all',
      locked_through: '2026-03-31',
      reason: 'Closed',
    });
    expect(await act('reverse', id)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    await ours.owner.delete(`/api/period-locks/delete/${lock.body.data.id}`);
    expect(await act('reverse', id)).toMatchObject({ status: 200, body: { data: { status: 'reversed' } } });
  });
});

describe('a settlement', () => {
  test('is rejected before the date of either document, with the first possible day', async () => {
    const { id: customer_id } = await office.customer();
    const first = await office.invoice(customer_id, '1.00', { date: '2026-07-01' });
    const later = await office.invoice(customer_id, '1000.00', { date: '2026-09-10' });
    const paymentFields = { customer_id, bank_account_id: bank.id, date: '2026-07-02', amount: '1001.00' };
    const parts = { invoice_allocations: [{ invoice_id: first, amount: '1.00' }] };
    await office.act('post', await office.approvedRevenue({ ...paymentFields, ...parts }));
    const [payment] = (await ours.owner.get('/api/customer-payments')).body.data;
    const allocate = (date?: string) =>
      ours.owner.post(`/api/customer-payments/allocate/${payment.id}`, {
        allocations: [{ invoice_id: later, amount: '1000.00' }],
        ...(date && { date }),
      });
    for (const date of ['2026-07-05', '2026-09-09', '2026-06-30']) {
      expect(await allocate(date)).toMatchObject({
        status: 422,
        body: { code: 'before_document', errors: { date: [expect.stringContaining('2026-09-10')] } },
      });
    }
    const sheet = async () => (await ours.owner.get('/api/accounting/balance-sheet?as_of=2026-07-31')).body.data;
    const accounts = (assets: { name: string; amount: string }[]) =>
      Object.fromEntries(assets.map(({ name, amount }) => [name, amount]));
    expect(accounts((await sheet()).liabilities)).toMatchObject({ 'Advances from customers': '1000.00' });
    expect(await allocate('2026-09-10')).toMatchObject({ status: 200 });
    expect(accounts((await sheet()).liabilities)).toMatchObject({ 'Advances from customers': '1000.00' });
  });

  test('takes effect on the date of the invoice for an earlier advance', async () => {
    const { id: customer_id } = await office.customer();
    const invoice_id = await office.invoice(customer_id, '100.00', { date: '2026-09-10' });
    const paymentFields = { customer_id, bank_account_id: bank.id, date: '2026-07-02', amount: '100.00' };
    const id = await office.approvedRevenue({
      ...paymentFields,
      invoice_allocations: [{ invoice_id, amount: '100.00' }],
    });
    expect(await office.act('post', id)).toMatchObject({ status: 200 });
    const [payment] = (await ours.owner.get('/api/customer-payments?expand=allocations')).body.data;
    expect(payment).toMatchObject({ unallocated: '0.00', allocations: [{ invoice_id, date: '2026-09-10' }] });
    const balances = async (day: string) =>
      Object.fromEntries(
        (await ours.owner.get(`/api/accounting/trial-balance?as_of=${day}`)).body.data.accounts.map(
          ({ name, balance }: { name: string; balance: string }) => [name, balance],
        ),
      );
    expect(await balances('2026-07-31')).toEqual({
      'Example Bank Main': '100.00',
      'Advances from customers': '-100.00',
    });
    expect(await balances('2026-09-30')).toMatchObject({
      'Trade receivables': '0.00',
      'Advances from customers': '0.00',
    });
    expect(await office.act('reverse', id)).toMatchObject({ status: 200 });
  });
});

describe('a customer payment before any invoice', () => {
  const paymentFields = async () => ({
    customer_id: (await office.customer()).id as string,
    bank_account_id: bank.id,
  });

  test('is an advance for later invoices, or revenue if it has no customer', async () => {
    const input = { ...(await paymentFields()), amount: '100.00', date: '2026-03-01' };
    for (const more of [{}, { invoice_allocations: [] }, { kind: 'payment' }]) {
      const id = await office.approvedRevenue({ ...input, ...more });
      const posted = (await office.act('post', id)).body.data;
      expect(posted).toMatchObject({ kind: 'payment', payment_id: expect.any(String) });
      expect(await office.sides(id)).toEqual({ 'Example Bank Main': '100.00', 'Advances from customers': '-100.00' });
    }
    const income = await office.approvedRevenue({ ...input, kind: 'income' });
    expect((await office.act('post', income)).body.data).toMatchObject({ kind: 'income', payment_id: null });
    expect(await office.sides(income)).toEqual({ 'Example Bank Main': '100.00', Services: '-100.00' });
    const [payment] = (await ours.owner.get('/api/customer-payments?sort=number')).body.data;
    expect(payment).toMatchObject({ unallocated: '100.00' });
    const invoice_id = await office.invoice(input.customer_id, '100.00', { date: '2026-03-05' });
    const allocations = [{ invoice_id, amount: '100.00' }];
    const path = `/api/customer-payments/allocate/${payment.id}`;
    expect(await ours.owner.post(path, { allocations, date: '2026-03-05' })).toMatchObject({ status: 200 });
  });

  test('is of one kind: a payment has a party and no tax', async () => {
    const input = { ...(await paymentFields()), amount: '100.00' };
    const invoice_id = await office.invoice(input.customer_id, '100.00');
    const invoice_allocations = [{ invoice_id, amount: '100.00' }];
    const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
    expect(await office.revenue({ ...input, kind: 'income', invoice_allocations })).toMatchObject(invalidField('kind'));
    const { customer_id: _, ...nobody } = input;
    expect(await office.revenue({ ...nobody, kind: 'payment' })).toMatchObject(invalidField('customer_id'));
    expect(await office.expense({ bank_account_id: bank.id, kind: 'payment' })).toMatchObject(
      invalidField('vendor_id'),
    );
  });

  test('is an advance to a vendor if the caller requests it', async () => {
    const { id: vendor_id } = await office.vendor();
    const id = await office.approvedExpense({ vendor_id, bank_account_id: bank.id, kind: 'payment' });
    expect(await office.act('post', id, 'expenses')).toMatchObject({ status: 200 });
    expect(await office.sides(id)).toEqual({ 'Example Bank Main': '-80.00', 'Advances to vendors': '80.00' });
  });
});
