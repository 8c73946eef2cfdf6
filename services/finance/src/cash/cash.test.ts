import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { statuses, together } from '@suite/harness';
import { clerk } from '../../test/books.ts';
import { expectCleanBooks } from '../../test/audit.ts';
import { type Company, openFinance } from '../../test/ground.ts';

const { serving, inventory, company } = await openFinance({ replicas: 2 });
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let office: ReturnType<typeof clerk>;
let bank: { id: string };
beforeEach(async () => {
  ours = await company();
  office = clerk(ours);
  bank = await office.bank();
});

const revenue = async (body: object = {}) => {
  const [category_id, bank_account_id] = [await office.revenueCategory(), bank.id];
  return ours.boss.post('/api/revenues/create', {
    date: '2026-03-10',
    category_id,
    bank_account_id,
    amount: '119.00',
    ...body,
  });
};
const expense = async (body: object = {}) => {
  const [category_id, bank_account_id] = [await office.expenseCategory(), bank.id];
  return ours.boss.post('/api/expenses/create', {
    date: '2026-03-10',
    category_id,
    bank_account_id,
    amount: '80.00',
    ...body,
  });
};
const act = (verb: string, id: string, kind = 'revenues', query = '') =>
  ours.boss.post(`/api/${kind}/${verb}/${id}${query}`);
const approved = async (body: object = {}, kind = 'revenues') => {
  const { id } = (await (kind === 'revenues' ? revenue(body) : expense(body))).body.data;
  await act('approve', id, kind);
  return id as string;
};
const sides = async (id: string) => {
  const rows = await serving.sql`
    SELECT account.name, line.debit - line.credit AS amount FROM journal_lines AS line
    JOIN gl_accounts AS account ON account.id = line.account_id JOIN journal_entries AS entry ON entry.id = line.entry_id
    WHERE entry.source_id = ${id} ORDER BY line.position`;
  return Object.fromEntries(rows.map(({ name, amount }) => [name, amount]));
};
const tax = () => {
  const tax_id = randomUUID();
  const vat = { tax_id, name: 'VAT', rate: '19', kind: 'percent', inclusive: false, compound: false, active: true };
  inventory.taxes.set(tax_id, vat);
  return tax_id;
};

describe('a revenue', () => {
  test('is written down, approved and posted, with the tax that is in it', async () => {
    const reply = await revenue({ tax_id: tax(), reference: 'R-1' });
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { status: 'draft', net: '100.00', tax_amount: '19.00', number: null, currency: 'EUR' } },
    });
    const { id, allowed_actions } = reply.body.data;
    expect(allowed_actions).toEqual(['approve', 'update', 'delete']);
    expect(await act('post', id)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', action: 'post', allowed: ['approve'] } },
    });
    expect((await act('approve', id)).body.data).toMatchObject({
      status: 'approved',
      allowed_actions: ['unapprove', 'post'],
    });
    const posted = await act('post', id);
    expect(posted).toMatchObject({
      status: 200,
      body: {
        data: { status: 'posted', number: 'REV-2026-00001', allowed_actions: [], journal: { number: 'JE-000001' } },
      },
    });
    expect(await sides(id)).toEqual({
      'Example Bank Main': '119.0000',
      Services: '-100.0000',
      'Output tax': '-19.0000',
    });
    expect((await serving.sql`SELECT type FROM outbox WHERE aggregate_id = ${id}`).map(({ type }) => type)).toEqual([
      'finance.revenue.posted',
    ]);
  });

  test('that is posted by fifty at once over two replicas is posted once', async () => {
    const id = await approved();
    const replies = await together(50, () => act('post', id));
    expect(new Set(statuses(replies))).toEqual(new Set([200]));
    expect(await serving.sql`SELECT FROM journal_entries WHERE source_id = ${id}`).toHaveLength(1);
    expect(new Set(replies.map(({ body }) => body.data.number))).toEqual(new Set(['REV-2026-00001']));
  });

  test('that is rehearsed shows its entry and leaves no trace', async () => {
    const id = await approved();
    const rehearsed = await act('post', id, 'revenues', '?dry_run=true');
    expect(rehearsed.body.data).toMatchObject({
      status: 'posted',
      journal: { lines: [{ debit: '119.00' }, { credit: '119.00' }] },
    });
    expect(await serving.sql`SELECT FROM journal_entries WHERE source_id = ${id}`).toEqual([]);
    expect((await act('post', id)).body.data.number).toBe('REV-2026-00001');
  });

  test('is changed and deleted only as a draft', async () => {
    const id = await approved();
    const refused = { status: 409, body: { code: 'invalid_transition', details: { from: 'approved' } } };
    expect(await ours.boss.post(`/api/revenues/update/${id}`, { amount: '1.00' })).toMatchObject(refused);
    expect(await ours.boss.delete(`/api/revenues/delete/${id}`)).toMatchObject(refused);
    expect((await act('unapprove', id)).body.data).toMatchObject({ status: 'draft', approved_by: null });
    const changed = await ours.boss.post(`/api/revenues/update/${id}`, { amount: '7.00', tax_id: tax() });
    expect(changed.body.data).toMatchObject({ amount: '7.00', net: '5.88', tax_amount: '1.12' });
    expect(await ours.boss.post(`/api/revenues/update/${id}`, { amount: '8.00', version: 1 })).toMatchObject({
      status: 412,
    });
    expect(await ours.boss.delete(`/api/revenues/delete/${id}`)).toMatchObject({ status: 200 });
  });

  test.each([
    ['of nothing', { amount: '0' }, 'amount'],
    ['too precise', { amount: '1.001' }, 'amount'],
    ['into no bank account', { bank_account_id: randomUUID() }, 'bank_account_id'],
    ['of no category', { category_id: randomUUID() }, 'category_id'],
    ['with no such tax', { tax_id: randomUUID() }, 'tax_id'],
    ['of nobody', { customer_id: randomUUID() }, 'customer_id'],
    [
      'that settles nobody’s invoices',
      { invoice_allocations: [{ invoice_id: randomUUID(), amount: '1.00' }] },
      'customer_id',
    ],
  ])('%s is refused', async (_, body, field) => {
    expect(await revenue(body)).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('is approved by somebody else where the books want four eyes', async () => {
    await serving.sql`UPDATE books SET four_eyes = TRUE WHERE workspace_id = ${ours.workspace}`;
    const { id } = (await revenue()).body.data;
    expect(await act('approve', id)).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    expect(await ours.member().post(`/api/revenues/approve/${id}`)).toMatchObject({ status: 200 });
  });
});

describe('an expense', () => {
  test('takes its tax from the amount and leaves the bank', async () => {
    const id = await approved({ tax_id: tax(), amount: '119.00' }, 'expenses');
    expect((await act('post', id, 'expenses')).body.data.number).toBe('EXP-2026-00001');
    expect(await sides(id)).toEqual({ Rent: '100.0000', 'Input tax': '19.0000', 'Example Bank Main': '-119.0000' });
  });

  test('that settles what was open with a vendor is a payment', async () => {
    const vendor = await office.vendor({ opening_balance: '50.00', opening_date: '2026-01-01' });
    const id = await approved(
      { vendor_id: vendor.id, bill_allocations: [{ invoice_id: vendor.id, amount: '50.00' }] },
      'expenses',
    );
    await act('post', id, 'expenses');
    expect(await sides(id)).toEqual({
      'Trade payables': '50.0000',
      'Advances to vendors': '30.0000',
      'Example Bank Main': '-80.0000',
    });
    const [payment] = (await ours.boss.get('/api/vendor-payments?expand=allocations,vendor')).body.data;
    expect(payment).toMatchObject({
      ...{ number: 'VPAY-2026-00001', amount: '80.00', unallocated: '30.00', vendor: { name: 'Globex' } },
      allocations: [{ document_type: 'opening_balance', amount: '50.00' }],
    });
    const [shown] = (await ours.boss.get('/api/vendors')).body.data;
    expect(shown).toMatchObject({ balance: '-30.00', opening_balance: '50.00' });
  });
});

describe('a payment of invoices', () => {
  test('settles them, and pays no more than is open', async () => {
    const customer = await office.customer();
    const invoice_id = await office.invoice(customer.id, '184.76');
    const pay = async (amount: string) => {
      const id = await approved({ amount, customer_id: customer.id, invoice_allocations: [{ invoice_id, amount }] });
      return act('post', id);
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
    const told = await serving.sql`
      SELECT data ->> 'payment_status' AS status, data ->> 'balance_due' AS due FROM outbox
      WHERE aggregate_id = ${invoice_id} ORDER BY position`;
    expect(told).toEqual([
      { status: 'partial', due: '84.76' },
      { status: 'paid', due: '0.00' },
    ]);
    const [shown] = (await ours.boss.get('/api/customers')).body.data;
    expect(shown.balance).toBe('0.00');
  });

  test('of fifty at once settles exactly what was open', async () => {
    const customer = await office.customer();
    const invoice_id = await office.invoice(customer.id, '20.00');
    const ids = await together(50, () =>
      approved({ amount: '1.00', customer_id: customer.id, invoice_allocations: [{ invoice_id, amount: '1.00' }] }),
    );
    const replies = await together(50, (at) => act('post', ids[at]!));
    expect(statuses(replies)).toEqual([
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

  test('in another currency books what the rate won or lost, to the last cent', async () => {
    const customer = await office.customer({ currency: 'USD' });
    const dollars = await office.bank({ account_name: 'Dollars', currency: 'USD' });
    const invoice_id = await office.invoice(customer.id, '100.00', { currency: 'USD', rate: '0.90', base: '90.00' });
    for (const amount of ['33.33', '33.33', '33.34']) {
      const allocations = [{ invoice_id, amount }];
      const id = await approved({
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
    const [account] = (await ours.boss.get('/api/gl-accounts?system_role=fx_gain')).body.data;
    expect(account.balance).toBe('3.01');
    expect(await approved({ amount: '1.00', customer_id: customer.id }).then((id) => act('post', id))).toMatchObject({
      status: 200,
    });
  });
});

describe('a locked period', () => {
  test('takes nothing in, but for its exception', async () => {
    const id = await approved();
    const lock = await ours.boss.post('/api/period-locks/create', {
      scope: 'sales',
      locked_through: '2026-03-31',
      reason: 'First quarter',
    });
    expect(lock).toMatchObject({ status: 201 });
    expect(await act('post', id)).toMatchObject({
      status: 409,
      body: {
        code: 'period_locked',
        details: { scope: 'sales', locked_through: '2026-03-31', reason: 'First quarter' },
      },
    });
    const spent = await approved({}, 'expenses');
    expect(await act('post', spent, 'expenses')).toMatchObject({ status: 200 });
    const except = { exception_until: '2999-01-01T00:00:00Z', exception_reason: 'A late bill' };
    await ours.boss.post(`/api/period-locks/update/${lock.body.data.id}`, except);
    expect(await act('post', id)).toMatchObject({ status: 200 });
  });

  test('that is locked while fifty post lets in whoever came before, and nobody after', async () => {
    const ids = await together(50, () => approved());
    const locked = ours.boss.post('/api/period-locks/create', {
      scope: 'all',
      locked_through: '2026-12-31',
      reason: 'Year',
    });
    const replies = await together(50, (at) => act('post', ids[at]!));
    expect(await locked).toMatchObject({ status: 201 });
    expect(new Set([...statuses(replies), 200, 409])).toEqual(new Set([200, 409]));
    const [late] = await serving.sql`
      SELECT count(*)::int AS count FROM journal_entries AS entry JOIN period_locks AS lock USING (workspace_id)
      WHERE entry.workspace_id = ${ours.workspace} AND entry.created_at > lock.created_at + interval '1 second'`;
    expect(late!.count).toBe(0);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(
      (await serving.sql`SELECT FROM journal_entries WHERE workspace_id = ${ours.workspace}`).length,
    );
  });
});
