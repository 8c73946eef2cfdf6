import { describe, expect, test } from '@jest/globals';
import { openPaymentDay } from '../../../test/payments.ts';

const { serving, finance, acme, clock, hire, hireThree, entriesOf, sweep } = await openPaymentDay();
const { ledger } = finance;
const unreversedPayouts = () => [...ledger.payouts.values()].filter(({ reversed_on }) => !reversed_on);
const statesOf = async (id: string) => (await entriesOf(id)).map(({ status }) => status);
const reverse = (id: string, body: object = {}, query = '') =>
  acme.approver.post(`/api/payroll/reverse/${id}${query}`, { reason: 'Wrong month', ...body });
const recoveriesOf = (employee_id: string) =>
  serving.sql`SELECT status, entry_id FROM recoveries WHERE employee_id = ${employee_id}`;

describe('reversing a run', () => {
  test('reverses its journal and releases its period before payment', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const reply = await reverse(id);
    expect(reply.body.data).toMatchObject({
      status: 'reversed',
      reversal_dates: [{ date: '2026-06-30' }],
      pending_effects: ['reverse_approve'],
    });
    await sweep();
    expect((await acme.show(id)).pending_effects).toEqual([]);
    expect([...ledger.journals.values()].map(({ reversed_on }) => reversed_on)).toEqual(['2026-06-30']);
    expect(await statesOf(id)).toEqual(['reversed', 'reversed', 'reversed']);
    expect((await reverse(id)).status).toBe(200);
    const anew = await acme.approved();
    expect(anew).toMatchObject({ status: 'approved', number: 'PAY-2026-00002' });
  });

  test('reverses the payment too if the money was returned', async () => {
    await hireThree();
    const { id } = await acme.approved();
    await acme.pay(id);
    expect((await reverse(id)).body.errors).toHaveProperty('money');
    ledger.locked.through = '2026-07-31';
    expect((await reverse(id, { money: 'returned' })).body.data.reversal_dates).toMatchObject([
      { date: '2026-08-01' },
      { date: '2026-08-01' },
    ]);
    await sweep();
    expect(unreversedPayouts()).toEqual([]);
    expect([...ledger.journals.values(), ...ledger.payouts.values()].map(({ reversed_on: day }) => day)).toEqual([
      '2026-08-01',
      '2026-08-01',
    ]);
  });

  test('is rejected for a day before one of its entries', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const beforeEntryFault = (earliest: string) => ({
      status: 422,
      body: { code: 'before_entry', details: { earliest }, errors: { journal_date: [expect.any(String)] } },
    });
    for (const query of ['', '?dry_run=true'])
      expect(await reverse(id, { journal_date: '2026-06-29' }, query)).toMatchObject(beforeEntryFault('2026-06-30'));
    await acme.pay(id, { paid_on: '2026-07-02' });
    const returned = { money: 'returned', journal_date: '2026-07-01' };
    expect(await reverse(id, returned)).toMatchObject(beforeEntryFault('2026-07-02'));
    expect((await acme.show(id)).status).toBe('paid');
    expect(await reverse(id, { ...returned, journal_date: '2026-07-02' })).toMatchObject({ status: 200 });
  });

  test.each([
    ['the first payment', false, {}],
    ['a further payment, to recover', true, { money: 'to_recover' }],
    ['a further payment, returned', true, { money: 'returned' }],
  ])('is rejected if it misses %s made in the meantime', async (_, isPartlyPaid, body) => {
    await hireThree();
    const { id } = await acme.approved();
    const [first] = await entriesOf(id);
    if (isPartlyPaid) await acme.pay(id, { payroll_entry_ids: [first!.id] });
    ledger.during.check = async () => {
      delete ledger.during.check;
      expect((await acme.pay(id)).status).toBe(200);
    };
    const reply = await reverse(id, body);
    expect(reply).toMatchObject({ status: 409, body: { code: 'payroll_pending' } });
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect((await acme.show(id)).status).toBe('paid');
    expect(await reverse(id, { money: 'to_recover' })).toMatchObject({ status: 200 });
    await sweep();
    expect(
      await serving.sql`SELECT FROM recoveries WHERE workspace_id = ${acme.workspace} AND status = 'open'`,
    ).toHaveLength(3);
  });

  test('leaves recoverable money with the employees, as their debt', async () => {
    const [jurgen] = await hireThree();
    const { id } = await acme.approved();
    await acme.pay(id);
    await reverse(id, { money: 'to_recover' });
    await sweep();
    expect(unreversedPayouts()).toHaveLength(1);
    const recover = [...ledger.journals.values()].find(
      ({ asked: journalRequest }) => journalRequest.purpose === 'recover.1',
    )!;
    expect(recover.asked.lines).toMatchObject([
      { account: { value: 'employee_advances' }, debit: '6000.00' },
      { account: { value: 'salaries_payable' }, credit: '6000.00' },
    ]);
    expect(recover.reversed_on).toBeNull();
    expect(await recoveriesOf(jurgen!)).toMatchObject([{ status: 'open' }]);
    const anew = await acme.calculated();
    expect(anew.net).toBe('0.00');
    await acme.approver.post(`/api/payroll/approve/${anew.id}`, {});
    expect(await recoveriesOf(jurgen!)).toMatchObject([{ status: 'settled' }]);
    expect((await acme.pay(anew.id)).body.data.status).toBe('paid');
    expect(unreversedPayouts()).toHaveLength(1);
    await reverse(anew.id);
    expect(await recoveriesOf(jurgen!)).toMatchObject([{ status: 'open' }]);
  });

  test('is rejected after a bank reconciliation or a later dependent run', async () => {
    await hireThree();
    const june = await acme.approved();
    await acme.pay(june.id);
    const [payout] = unreversedPayouts();
    ledger.reconciled.add(payout!.id);
    expect(await reverse(june.id, { money: 'returned' })).toMatchObject({ status: 409, body: { code: 'reconciled' } });
    clock.goTo('2026-07-31T12:00:00Z');
    const dates = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
    const july = await acme.run(await acme.draft(dates));
    await acme.approver.post(`/api/payroll/approve/${july.id}`, {});
    expect(await reverse(june.id, { money: 'to_recover' })).toMatchObject({
      status: 409,
      body: { code: 'later_run', details: { payroll_ids: [july.id] } },
    });
    expect((await acme.show(june.id)).status).toBe('paid');
  });

  test('refunds loan deductions to the loan, or as a recovery if it was cancelled', async () => {
    const lent = { amount: '600.00', instalment: '100.00', first_period: '2026-06-01' };
    const people = [await hire('Ada Lovelace', '1000.00'), await hire('Alan Turing', '1000.00')];
    const [kept, ended] = await Promise.all(
      people.map(async (employee_id) => {
        const reply = await acme.approver.post('/api/employee-loan/create', { employee_id, ...lent });
        return reply.body.data.id as string;
      }),
    );
    const loans = async () => {
      const rows: Record<string, string>[] = (await acme.approver.get('/api/employee-loans')).body.data;
      return [kept, ended].map((id) => {
        const { status, left } = rows.find((row) => row['id'] === id)!;
        return [status, left];
      });
    };
    const { id } = await acme.approved();
    expect(await loans()).toEqual([
      ['open', '500.00'],
      ['open', '500.00'],
    ]);
    await acme.approver.post(`/api/employee-loan/cancel/${ended}`, { rest: 'waive' });
    expect((await reverse(id)).status).toBe(200);
    expect(await loans()).toEqual([
      ['open', '600.00'],
      ['cancelled', '500.00'],
    ]);
    expect([await recoveriesOf(people[0]!), await recoveriesOf(people[1]!)]).toMatchObject([
      [],
      [{ status: 'open', entry_id: null }],
    ]);
    const anew = await acme.calculated();
    expect(anew.net).toBe('1800.00');
  });
});
