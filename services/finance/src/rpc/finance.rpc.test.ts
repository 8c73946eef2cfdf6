import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Caller } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import { methodClients, runConcurrently } from '@suite/testing';
import { FinanceServiceDefinition, type PostJournalRequest } from '@suite/proto/finance/v1/finance';
import { expectCleanBooks } from '../../test/audit.ts';
import { booksFixture } from '../../test/books.ts';
import { type Company, openFinance } from '../../test/fixture.ts';
import { financeRpc } from './finance.rpc.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

type FinanceClient = Clients<{ finance: typeof FinanceServiceDefinition }>['finance'];

const clients = methodClients(serving, { ...financeRpc, definition: FinanceServiceDefinition });
const financeClient = (caller: Caller | null = ours.owner.caller): FinanceClient => clients(caller);

const line = (system_role: string, debit: string, credit: string) => ({
  account: { $case: 'system_role' as const, value: system_role },
  debit,
  credit,
  memo: '',
});
const payroll = (more: Partial<PostJournalRequest> = {}): PostJournalRequest => ({
  idempotency_key: randomUUID(),
  date: '2026-03-31',
  source_type: 'payroll',
  source_id: randomUUID(),
  purpose: 'approve',
  narration: 'March',
  lines: [
    line('salaries_expense', '2942.86', ''),
    line('salaries_payable', '', '2529.65'),
    line('payroll_liabilities', '', '413.21'),
  ],
  dry_run: false,
  ...more,
});

describe('a journal entry for another service', () => {
  test('is posted once for each purpose of its source, even concurrently', async () => {
    const request = payroll();
    const answers = await runConcurrently(20, () =>
      financeClient().postJournal({ ...request, idempotency_key: randomUUID() }),
    );
    expect(new Set(answers.map(({ number }) => number))).toEqual(new Set(['JE-000001']));
    expect((await financeClient().postJournal({ ...request, purpose: 'other' })).number).toBe('JE-000002');
  });

  test('is checked by a dry run, which changes nothing and has the same faults', async () => {
    const request = payroll();
    const dry_run = true;
    await financeClient().postJournal({ ...request, dry_run });
    const wrong = { ...payroll(), lines: [line('salaries_expense', '1.00', ''), line('receivable', '', '1.00')] };
    const rejections = await Promise.all(
      [false, true].map((tried) =>
        financeClient()
          .postJournal({ ...wrong, dry_run: tried })
          .catch((error: unknown) => error),
      ),
    );
    expect(rejections[0]).toMatchObject({ status: 422, errors: { 'lines.1.account': [expect.any(String)] } });
    expect(rejections[1]).toMatchObject({ status: 422, errors: { 'lines.1.account': [expect.any(String)] } });
    expect((await financeClient().postJournal(request)).number).toBe('JE-000001');
  });

  test('is bound to its key and its source: other content is rejected', async () => {
    const request = payroll();
    const { number } = await financeClient().postJournal(request);
    expect((await financeClient().postJournal(request)).number).toBe(number);
    const others: Partial<PostJournalRequest>[] = [
      { date: '2026-03-30' },
      { narration: 'April' },
      { lines: [line('salaries_expense', '1.00', ''), line('salaries_payable', '', '1.00')] },
    ];
    for (const other of others) {
      const [same, anew] = [
        { ...request, ...other },
        { ...request, ...other, idempotency_key: randomUUID() },
      ];
      await expect(financeClient().postJournal(same)).rejects.toMatchObject({ status: 409, code: 'key_reused' });
      await expect(financeClient().postJournal(anew)).rejects.toMatchObject({ status: 409, code: 'already_posted' });
    }
    const elsewhere = { ...request, source_id: randomUUID() };
    await expect(financeClient().postJournal(elsewhere)).rejects.toMatchObject({ status: 409, code: 'key_reused' });
  });

  test.each([
    ['if it does not balance', { lines: [line('cash', '1.00', ''), line('sales', '', '1.01')] }],
    ['with both sides in one line', { lines: [line('cash', '1.00', '1.00'), line('sales', '', '1.00')] }],
    ['on the receivable account', { lines: [line('receivable', '1.00', ''), line('sales', '', '1.00')] }],
    ['on an unknown account', { lines: [line('luck', '1.00', ''), line('sales', '', '1.00')] }],
    ['with too many decimals', { lines: [line('cash', '1.001', ''), line('sales', '', '1.001')] }],
    ['if it takes money out of a bank account', { lines: [line('sales', '1.00', ''), line('cash', '', '1.00')] }],
    ['on an invalid date', { date: '2026-02-30' }],
    ['with an invalid source', { source_id: 'x' }],
  ])('is rejected %s', async (_, more) => {
    await expect(financeClient().postJournal(payroll(more))).rejects.toMatchObject({ status: 422 });
  });

  test('is rejected in a locked period, and the check reports the lock beforehand', async () => {
    const scope = { date: '2026-03-31', scope: 'payroll' };
    expect(await financeClient().checkPeriodOpen(scope)).toMatchObject({ open: true, locked_through: '' });
    await ours.owner.post('/api/period-locks/create', {
      scope: 'payroll',
      locked_through: '2026-03-31',
      reason: 'Paid',
    });
    expect(await financeClient().checkPeriodOpen(scope)).toMatchObject({
      open: false,
      locked_through: '2026-03-31',
      reason: 'Paid',
    });
    expect(await financeClient().checkPeriodOpen({ date: '2026-04-01', scope: 'payroll' })).toMatchObject({
      open: true,
    });
    await expect(financeClient().postJournal(payroll())).rejects.toMatchObject({ status: 409, code: 'period_locked' });
  });

  test('is rejected without a workspace', async () => {
    await expect(financeClient(null).postJournal(payroll())).rejects.toMatchObject({ status: 401 });
  });
});

describe('customers and vendors', () => {
  test('are returned in bulk, limited to the workspace of the caller', async () => {
    const customer = await booksFixture(ours).customer({ email: 'a@example.com', billing_address: 'Here 1' });
    const otherCustomer = await booksFixture(await company()).customer();
    const { customers } = await financeClient().batchGetCustomers({
      customer_ids: [customer.id, otherCustomer.id, randomUUID()],
    });
    expect(customers).toEqual([
      {
        version: 1,
        customer_id: customer.id,
        code: 'CUS-00001',
        name: 'Initech',
        company: '',
        email: 'a@example.com',
        currency: 'EUR',
        payment_terms_days: 30,
        active: true,
        billing_address: 'Here 1',
        shipping_address: '',
        country: '',
        language: '',
        user_id: '',
      },
    ]);
    await expect(financeClient().batchGetCustomers({ customer_ids: ['x'] })).rejects.toMatchObject({ status: 422 });
  });

  test('are found by a search term, last changed first, active ones only', async () => {
    const office = booksFixture(ours);
    const ada = await office.customer({ name: 'Ada 100%', email: 'a@example.com' });
    const adam = await office.customer({ name: 'Adam', company: 'Adam & Sons' });
    await office.customer({ name: 'Grace' });
    const findNames = async (q: string, limit = 10) =>
      (await financeClient().listCustomers({ q, limit })).customers.map(({ customer_id: id }) => id);
    expect(await findNames('ADA')).toEqual([adam.id, ada.id]);
    expect([await findNames('100%'), await findNames('& sons'), await findNames('_')]).toEqual([
      [ada.id],
      [adam.id],
      [],
    ]);
    expect([(await findNames('')).length, (await findNames('', 1)).length]).toEqual([3, 1]);
    await ours.owner.post(`/api/customers/update/${adam.id}`, { active: false });
    expect(await findNames('ada')).toEqual([ada.id]);
    await expect(financeClient().listCustomers({ q: '', limit: 0 })).rejects.toMatchObject({ status: 422 });
  });
});
