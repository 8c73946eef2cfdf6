import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Clients } from '@suite/chassis/rpc';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, forwardedCaller, freezeClock, runConcurrently } from '@suite/testing';
import { FinanceServiceDefinition, type RecordPayoutRequest } from '@suite/proto/finance/v1/finance';
import { expectCleanBooks } from '../../../test/audit.ts';
import { balancesOf, booksFixture } from '../../../test/books.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
let bank: { id: string };
beforeEach(async () => {
  ours = await company();
  bank = await booksFixture(ours).bank({
    account_number: 'DE89370400440532013000',
    holder: 'Northwind GmbH',
    bic: 'COBADEFFXXX',
    opening_balance: '5000.00',
    opening_date: '2026-01-01',
  });
});

type FinanceClient = Clients<{ finance: typeof FinanceServiceDefinition }>['finance'];
const definition = { definition: FinanceServiceDefinition, address: `127.0.0.1:${serving.grpc_port}` };
function financeClient(service = 'hr'): FinanceClient {
  const rpc = connectRpc({ finance: definition }, keysOf(service));
  return rpc.as(forwardedCaller(service, ours.owner.caller), randomUUID()).finance;
}

const payout = (more: Partial<RecordPayoutRequest> = {}): RecordPayoutRequest => ({
  idempotency_key: randomUUID(),
  date: '2026-03-31',
  source_type: 'payroll',
  source_id: randomUUID(),
  purpose: 'pay.1',
  narration: 'PAY-2026-00001',
  bank_account_id: bank.id,
  system_role: 'salaries_payable',
  amount: '2529.65',
  currency: 'EUR',
  base_amount: '',
  counterparty: '',
  reference: 'PAY-2026-00001',
  dry_run: false,
  ...more,
});

const transactions = async () =>
  (await ours.owner.get(`/api/bank-transactions?bank_account_id=${bank.id}&source_type=payroll`)).body.data;
const lockThrough = (locked_through: string, scope = 'payroll') =>
  ours.owner.post('/api/period-locks/create', { scope, locked_through, reason: 'Closed' });

describe('a payout', () => {
  test('creates one entry and one bank transaction from concurrent requests', async () => {
    const request = payout();
    const answers = await runConcurrently(20, () => financeClient().recordPayout(request));
    expect(new Set(answers.map(({ journal_entry_id }) => journal_entry_id)).size).toBe(1);
    expect(await transactions()).toMatchObject([
      { id: answers[0]!.bank_transaction_id, direction: 'out', amount: '2529.65', reference: 'PAY-2026-00001' },
    ]);
    expect(await balancesOf(ours)).toMatchObject({
      'Salaries payable': '2529.65',
      'Example Bank Main': '2470.35',
    });
  });

  test('is made once for each purpose of its source, under any key', async () => {
    const request = payout();
    await financeClient().recordPayout(request);
    const repeated = { ...request, idempotency_key: randomUUID() };
    await expect(financeClient().recordPayout(repeated)).rejects.toMatchObject({ status: 409, code: 'already_exists' });
    await financeClient().recordPayout({ ...repeated, purpose: 'pay.2', amount: '1.00' });
    expect(await transactions()).toHaveLength(2);
  });

  test('is posted with the requested base amount in another currency', async () => {
    const foreign = await booksFixture(ours).bank({ account_name: 'Dollars', currency: 'USD' });
    const dollars = { bank_account_id: foreign.id, currency: 'USD', amount: '100.00' };
    await financeClient().recordPayout(payout({ ...dollars, base_amount: '91.23' }));
    expect(await balancesOf(ours)).toMatchObject({ 'Salaries payable': '91.23' });
    await expect(financeClient().recordPayout(payout(dollars))).rejects.toMatchObject({
      errors: { base_amount: [/worth in EUR/] },
    });
  });

  test.each([
    ['from no account', { bank_account_id: randomUUID() }, 'bank_account_id'],
    ['in another currency than the account', { currency: 'USD', base_amount: '1.00' }, 'bank_account_id'],
    ['for sales', { system_role: 'sales' }, 'system_role'],
    ['with an amount of zero', { amount: '0.00' }, 'amount'],
    ['with too many decimals', { amount: '1.001' }, 'amount'],
  ])('is rejected %s', async (_, more, field) => {
    await expect(financeClient().recordPayout(payout(more))).rejects.toMatchObject({
      status: 422,
      errors: { [field]: [expect.any(String)] },
    });
  });

  test('is rejected in a locked period', async () => {
    await lockThrough('2026-03-31');
    await expect(financeClient().recordPayout(payout())).rejects.toMatchObject({ status: 409, code: 'period_locked' });
  });
});

describe('a reversed payout', () => {
  const reversed = (request: RecordPayoutRequest, date = '') =>
    financeClient().reversePayout({ idempotency_key: request.idempotency_key, date });

  test('returns the money, and its key cannot create another payout', async () => {
    const request = payout();
    await financeClient().recordPayout(request);
    expect(await reversed(request)).toMatchObject({ date: '2026-03-31' });
    expect((await transactions()).map((one: { direction: string }) => one.direction).toSorted()).toEqual(['in', 'out']);
    expect(await balancesOf(ours)).toMatchObject({ 'Example Bank Main': '5000.00' });
    await expect(financeClient().recordPayout(request)).rejects.toMatchObject({ code: 'key_reversed' });
    await reversed(request);
    expect(await transactions()).toHaveLength(2);
  });

  test('is dated in an open period', async () => {
    freezeClock('2026-04-10T10:00:00Z');
    const request = payout();
    await financeClient().recordPayout(request);
    await lockThrough('2026-04-30');
    expect(await reversed(request)).toMatchObject({ date: '2026-05-01' });
  });

  test('cannot be reversed after reconciliation, which the check reports beforehand', async () => {
    const request = payout();
    const { journal_entry_id } = await financeClient().recordPayout(request);
    const check = () => financeClient().checkReversal({ journal_entry_ids: [journal_entry_id] });
    expect((await check()).refusals).toEqual([]);
    const [moved] = await transactions();
    await ours.owner.post(`/api/bank-transactions/reconcile/${moved.id}`);
    expect((await check()).refusals).toEqual([{ journal_entry_id, reason: 'reconciled' }]);
    await expect(reversed(request)).rejects.toMatchObject({ status: 409, code: 'reconciled' });
    await ours.owner.post(`/api/bank-transactions/unreconcile/${moved.id}`);
    await reversed(request);
    expect((await check()).refusals).toEqual([{ journal_entry_id, reason: 'already_reversed' }]);
    const unknown = randomUUID();
    expect((await financeClient().checkReversal({ journal_entry_ids: [unknown] })).refusals).toEqual([
      { journal_entry_id: unknown, reason: 'unknown' },
    ]);
  });
});

test('a requested entry is reversed by its key', async () => {
  const line = (value: string, debit: string, credit: string) => ({
    account: { $case: 'system_role' as const, value },
    debit,
    credit,
    memo: 'Advance',
  });
  const key = randomUUID();
  await financeClient().postJournal({
    idempotency_key: key,
    date: '2026-03-31',
    source_type: 'payroll',
    source_id: randomUUID(),
    purpose: 'approve.1',
    narration: 'March',
    lines: [line('salaries_payable', '150.00', ''), line('employee_advances', '', '150.00')],
  });
  expect(await balancesOf(ours)).toMatchObject({ 'Advances to employees': '-150.00' });
  expect(await financeClient().reverseJournal({ idempotency_key: key, date: '2026-04-02' })).toMatchObject({
    number: 'JE-000003',
    date: '2026-04-02',
  });
  expect(await balancesOf(ours)).not.toHaveProperty('Advances to employees', '-150.00');
});

describe('the bank account of a payout', () => {
  test('is returned with its full number', async () => {
    expect(await financeClient().getPaymentSource({ bank_account_id: bank.id })).toMatchObject({
      bank_name: 'Example Bank',
      account_name: 'Main',
      holder: 'Northwind GmbH',
      account_number: 'DE89370400440532013000',
      bic: 'COBADEFFXXX',
      currency: 'EUR',
      is_cash: false,
      active: true,
    });
  });

  test('belongs to the workspace of the caller', async () => {
    const otherBank = await booksFixture(await company()).bank();
    await expect(financeClient().getPaymentSource({ bank_account_id: otherBank.id })).rejects.toMatchObject({
      errors: { bank_account_id: ['Bank account not found.'] },
    });
  });

  test('accepts only a valid BIC', async () => {
    const reply = await ours.owner.post(`/api/bank-accounts/update/${bank.id}`, { bic: 'cobade' });
    expect([reply.status, Object.keys(reply.body.errors)]).toEqual([422, ['bic']]);
  });
});
