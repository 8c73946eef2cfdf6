import { describe, expect, test } from '@jest/globals';
import { withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { openPaymentDay } from '../../../test/payments.ts';

const { finance, acme, clock, hire, sweep } = await openPaymentDay();
const { ledger } = finance;
const LOAN = { amount: '600.00', instalment: '150.00', first_period: '2026-07-01' };
const createLoan = async (employee_id: string, body: object = {}, query = '', options = {}) =>
  await acme.approver.post(
    `/api/employee-loan/create${query}`,
    { employee_id, ...LOAN, paid_from: acme.bank_account_id, ...body },
    options,
  );
const loans = async () => (await acme.approver.get('/api/employee-loans')).body.data;
const payouts = () =>
  [...ledger.payouts.values()].map(({ asked: payoutRequest, reversed_on }) => [payoutRequest.amount, reversed_on]);

describe('a loan from a bank account', () => {
  test('is paid by finance once for each key, and shows the bank account', async () => {
    const ada = await hire('Ada Lovelace', '3000.00');
    const key = withIdempotencyKey();
    const created = await createLoan(ada, {}, '', key);
    expect(created).toMatchObject({
      status: 201,
      body: { data: { left: '600.00', paid_from: acme.bank_account_id, paid_on: '2026-06-30' } },
    });
    expect((await createLoan(ada, {}, '', key)).body).toEqual(created.body);
    expect(payouts()).toEqual([['600.00', null]]);
    const { asked: payoutRequest, id } = [...ledger.payouts.values()][0]!;
    expect(payoutRequest).toMatchObject({ system_role: 'employee_advances', currency: 'EUR', date: '2026-06-30' });
    expect(JSON.stringify(payoutRequest)).not.toContain('Ada');
    expect(created.body.data.journal_id).toBe(id);
  });

  test('moves no money in a dry run', async () => {
    const tried = await createLoan(await hire('Ada', '3000.00'), {}, '?dry_run=true');
    expect(tried).toMatchObject({ status: 201, body: { data: { left: '600.00', journal_id: null } } });
    expect([await loans(), payouts()]).toEqual([[], []]);
  });

  test('is rejected before the payment, naming the invalid field', async () => {
    const ada = await hire('Ada', '3000.00');
    for (const [body, field] of [
      [{ instalment: '700.00' }, 'instalment'],
      [{ paid_from: ledger.source({ currency: 'USD' }) }, 'paid_from'],
      [{ paid_from: ledger.source({ active: false }) }, 'paid_from'],
      [{ paid_from: '01890000-0000-7000-8000-000000000000' }, 'paid_from'],
    ] as const)
      expect(await createLoan(ada, body)).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.any(String)] } },
      });
    ledger.locked.through = '2026-06-30';
    expect(await createLoan(ada)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(payouts()).toEqual([]);
  });

  test('must be paid another way in a foreign currency, or lent in base currency', async () => {
    const salary = { basis: 'monthly', amount: '4000.00', currency: 'USD' };
    const kim = await acme.hire({ name: 'Kim', salary });
    const dollars = ledger.source({ currency: 'USD' });
    for (const paid_from of [dollars, acme.bank_account_id])
      expect(await createLoan(kim, { paid_from })).toMatchObject({
        status: 422,
        body: { errors: { paid_from: [expect.stringContaining('This loan is in USD')] } },
      });
    expect(await createLoan(kim, { paid_from: null })).toMatchObject({
      status: 201,
      body: { data: { currency: 'USD' } },
    });
    expect(await createLoan(kim, { currency: 'EUR' })).toMatchObject({
      status: 201,
      body: { data: { currency: 'EUR' } },
    });
    expect(payouts()).toEqual([['600.00', null]]);
  });

  test('is reversed after a lost response, and can be created again', async () => {
    const ada = await hire('Ada', '3000.00');
    finance.trouble.push('crashed');
    expect((await createLoan(ada)).status).toBe(500);
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect(await loans()).toEqual([]);
    expect(payouts().filter(([, reversed_on]) => reversed_on === null)).toEqual([]);
    expect((await createLoan(ada)).status).toBe(201);
    expect(payouts().filter(([, reversed_on]) => reversed_on === null)).toHaveLength(1);
  });
});
