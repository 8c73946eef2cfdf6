import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { runConcurrently } from '@suite/testing';
import { expectCleanBooks } from '../../../test/audit.ts';
import { type Company, openFinance } from '../../../test/fixture.ts';

const { serving, company } = await openFinance();
afterEach(() => expectCleanBooks(serving));
let ours: Company;
beforeEach(async () => {
  ours = await company();
});

const open = async (body: object) => {
  const given = { bank_name: 'Example Bank', account_name: 'Main', ...body };
  return (await ours.owner.post('/api/bank-accounts/create', given)).body.data;
};
const move = (body: object) => ours.owner.post('/api/bank-transfers/create', { date: '2026-03-02', ...body });
const show = async (id: string) =>
  (await ours.owner.get('/api/bank-accounts')).body.data.find((bank: { id: string }) => bank.id === id);
const balances = async () => {
  const { data } = (await ours.owner.get('/api/gl-accounts?per_page=100')).body;
  const found = data.filter(({ balance }: { balance: string }) => balance !== '0.00');
  return Object.fromEntries(found.map(({ name, balance }: { name: string; balance: string }) => [name, balance]));
};

describe('bank accounts', () => {
  test('return the exchange rate of their opening balance', async () => {
    const opening = { opening_balance: '100.00', opening_date: '2026-01-01', opening_rate: '0.9' };
    const bank = await open({ currency: 'USD', ...opening });
    expect(bank).toMatchObject(opening);
    expect(await show(bank.id)).toMatchObject(opening);
    expect(await open({ account_name: 'Empty' })).toMatchObject({ opening_balance: '0.00', opening_rate: null });
  });

  test('offer their actions, without the deletion of the cash box', async () => {
    await open({ account_name: 'Second' });
    const actions = async (query: string) =>
      (await ours.owner.get(`/api/bank-accounts?${query}`)).body.data.map(
        ({ allowed_actions }: { allowed_actions: string[] }) => allowed_actions,
      );
    expect(await actions('is_cash=true')).toEqual([['update']]);
    expect(await actions('is_cash=false')).toEqual([['update', 'delete']]);
  });

  test('have a separate ledger account, and their opening balance is posted', async () => {
    const bank = await open({
      account_number: 'DE89370400440532013000',
      opening_balance: '250.00',
      opening_date: '2026-01-01',
    });
    expect(bank).toMatchObject({ account_number: '••••3000', current_balance: '250.00', currency: 'EUR', version: 1 });
    expect(await balances()).toEqual({ 'Example Bank Main': '250.00', 'Opening balances': '250.00' });
    const { data } = (await ours.owner.get(`/api/bank-transactions?bank_account_id=${bank.id}&expand=bank_account`))
      .body;
    expect(data).toMatchObject([
      { direction: 'in', amount: '250.00', running_balance: '250.00', bank_account: { account_name: 'Main' } },
    ]);
  });

  test('are masked everywhere, including the audit log', async () => {
    const { id } = await open({ account_number: 'DE89370400440532013000' });
    await ours.owner.post(`/api/bank-accounts/update/${id}`, { holder: 'Kim' });
    const log = await serving.sql`SELECT before, after FROM journal_changes WHERE table_name = 'bank_accounts'`;
    expect(JSON.stringify(log)).not.toContain('DE8937');
  });

  test('can be archived when empty, but not deleted if they have entries', async () => {
    const full = await open({ opening_balance: '5.00', opening_date: '2026-01-01' });
    const empty = await open({ account_name: 'Second' });
    expect(await ours.owner.delete(`/api/bank-accounts/delete/${full.id}`)).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { transactions: 1 } },
    });
    const archive = () => ours.owner.post(`/api/bank-accounts/update/${full.id}`, { active: false });
    expect(await archive()).toMatchObject({ status: 409, body: { details: { current_balance: '5.00' } } });
    await move({ from_account_id: full.id, to_account_id: empty.id, amount: '5.00' });
    expect(await archive()).toMatchObject({ status: 200, body: { data: { active: false } } });
    const returnTransfer = await move({ from_account_id: empty.id, to_account_id: full.id, amount: '1.00' });
    expect(returnTransfer).toMatchObject({ status: 422, body: { errors: { to_account_id: [expect.any(String)] } } });
    const third = await open({ account_name: 'Third' });
    expect(await ours.owner.delete(`/api/bank-accounts/delete/${third.id}`)).toMatchObject({ status: 200 });
    const [cash] = (await ours.owner.get('/api/bank-accounts?is_cash=true')).body.data;
    expect(await ours.owner.delete(`/api/bank-accounts/delete/${cash.id}`)).toMatchObject({
      status: 409,
      body: { code: 'system_account' },
    });
  });
});

describe('a transfer', () => {
  test('moves money from one account to the other, with the bank fee', async () => {
    const [from, to] = [await open({ opening_balance: '100.00', opening_date: '2026-01-01' }), await open({})];
    const reply = await move({ from_account_id: from.id, to_account_id: to.id, amount: '40.00', fee: '1.50' });
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { number: 'TRF-2026-00001', allowed_actions: ['reverse'] } },
    });
    expect((await show(from.id)).current_balance).toBe('58.50');
    expect((await show(to.id)).current_balance).toBe('40.00');
    const { id } = reply.body.data;
    const reverse = () => ours.owner.post(`/api/bank-transfers/reverse/${id}`);
    expect(await reverse()).toMatchObject({ status: 200, body: { data: { status: 'reversed', allowed_actions: [] } } });
    expect(await reverse()).toMatchObject({ status: 200, body: { data: { version: 2 } } });
    expect((await show(from.id)).current_balance).toBe('100.00');
  });

  test('keeps the base value and accepts no rate within a foreign currency', async () => {
    const facts = { currency: 'USD', opening_balance: '100.00', opening_rate: '1.1', opening_date: '2026-01-01' };
    const [from, to] = [await open(facts), await open({ currency: 'USD', account_name: 'Second' })];
    const all = { from_account_id: from.id, to_account_id: to.id, amount: '100.00' };
    expect(await move({ ...all, base_rate: '1.3' })).toMatchObject({
      status: 422,
      body: { errors: { base_rate: ['Both accounts are in USD, and the money keeps its base value. Omit the rate.'] } },
    });
    expect(await move(all)).toMatchObject({ status: 201 });
    expect((await balances())['Example Bank Second']).toBe('110.00');
  });

  test('is not reversed after the bank has confirmed it', async () => {
    const [from, to] = [await open({ opening_balance: '9.00', opening_date: '2026-01-01' }), await open({})];
    const { id } = (await move({ from_account_id: from.id, to_account_id: to.id, amount: '4.00' })).body.data;
    const [out] = (await ours.owner.get(`/api/bank-transactions?source_id=${id}&direction=out`)).body.data;
    const mark = (action: string) => ours.owner.post(`/api/bank-transactions/${action}/${out.id}`);
    expect(await mark('reconcile')).toMatchObject({
      status: 200,
      body: { data: { status: 'reconciled', running_balance: '5.00', allowed_actions: ['unreconcile'] } },
    });
    const reverse = () => ours.owner.post(`/api/bank-transfers/reverse/${id}`);
    expect(await reverse()).toMatchObject({ status: 409, body: { code: 'reconciled' } });
    expect(await mark('unreconcile')).toMatchObject({ body: { data: { status: 'unreconciled' } } });
    expect(await reverse()).toMatchObject({ status: 200, body: { data: { status: 'reversed' } } });
  });

  test('posts the exchange gain or loss if the currencies differ', async () => {
    const dollars = await open({
      currency: 'USD',
      opening_balance: '110.00',
      opening_rate: '0.9',
      opening_date: '2026-01-01',
    });
    const euros = await open({});
    expect(await move({ from_account_id: dollars.id, to_account_id: euros.id, amount: '110.00' })).toMatchObject({
      status: 422,
      body: { errors: { rate: [expect.any(String)] } },
    });
    await move({ from_account_id: dollars.id, to_account_id: euros.id, amount: '110.00', rate: '0.92' });
    expect(await balances()).toEqual({
      'Example Bank Main': '101.20',
      'Opening balances': '99.00',
      'Gains by exchange rates': '2.20',
    });
    expect((await show(dollars.id)).current_balance).toBe('0.00');
  });

  test('moves every cent once in fifty concurrent transfers in both directions', async () => {
    const [one, other] = [
      await open({ opening_balance: '100.00', opening_date: '2026-01-01' }),
      await open({ opening_balance: '100.00', opening_date: '2026-01-01' }),
    ];
    const replies = await runConcurrently(50, (at) => {
      const [from, to] = at % 2 ? [one, other] : [other, one];
      return move({ from_account_id: from.id, to_account_id: to.id, amount: at % 2 ? '1.00' : '0.50' });
    });
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]));
    expect((await show(one.id)).current_balance).toBe('87.50');
    expect((await show(other.id)).current_balance).toBe('112.50');
    const numbers = replies.map(({ body }) => body.data.number as string).toSorted();
    expect(numbers.at(-1)).toBe('TRF-2026-00050');
  });
});
