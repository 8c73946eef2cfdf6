import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, runConcurrently } from '@suite/testing';
import { randomUUID } from 'node:crypto';
import { account, openPaymentDay } from '../../../test/payments.ts';

const { serving, finance, platform, acme, clock, hire, hireThree, entriesOf, sweep } = await openPaymentDay();
const { ledger } = finance;
const unreversedPayouts = () => [...ledger.payouts.values()].filter(({ reversed_on }) => !reversed_on);
const statesOf = async (id: string) => (await entriesOf(id)).map(({ status }) => status);
const changeWithholding = (verb: string, id: string) =>
  acme.approver.post(`/api/payslip/${verb}/${id}`, { reason: 'Asked for it' });
const reverse = (id: string, body: object = {}, query = '') =>
  acme.approver.post(`/api/payroll/reverse/${id}${query}`, { reason: 'Wrong month', ...body });

describe('paying a run', () => {
  test('creates one payout of the net pay and marks run and payslips as paid', async () => {
    await hireThree();
    const { id, number } = await acme.approved();
    const reply = await acme.pay(id);
    expect(reply.body.data).toMatchObject({ status: 'paid', pending_effects: [] });
    expect(reply.body.data.journal).toMatchObject([
      { role: 'salaries_payable', debit: '6000.00' },
      { account_id: expect.any(String), credit: '6000.00' },
    ]);
    expect(unreversedPayouts().map(({ asked: financeRequest }) => financeRequest)).toMatchObject([
      { purpose: 'pay.1', amount: '6000.00', date: '2026-06-30', reference: number, system_role: 'salaries_payable' },
    ]);
    expect(await entriesOf(id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 'paid', paid_on: '2026-06-30' })),
    );
  });

  test('makes one payout when called 50 times concurrently', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const replies = await runConcurrently(50, () => acme.pay(id));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect(unreversedPayouts()).toHaveLength(1);
    expect((await acme.pay(id)).body.data.status).toBe('paid');
    expect(unreversedPayouts()).toHaveLength(1);
    const events =
      await serving.sql`SELECT id FROM journal_events WHERE type = 'hr.payroll.paid' AND aggregate_id = ${id}`;
    expect(events).toHaveLength(1);
  });

  test('marks the run as paid only with the last of several parts', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const [first, ...others] = (await entriesOf(id)).map((entry) => entry['id']!);
    const part = await acme.pay(id, { payroll_entry_ids: [first] });
    expect(part.body.data.status).toBe('approved');
    expect(await acme.pay(id, { payroll_entry_ids: [first, others[0]] })).toMatchObject({
      status: 409,
      body: { code: 'already_paid', details: { payroll_entry_ids: [first] } },
    });
    expect((await acme.pay(id, { payroll_entry_ids: [first] })).status).toBe(200);
    expect((await acme.pay(id)).body.data.status).toBe('paid');
    expect(
      unreversedPayouts().map(({ asked: financeRequest }) => [financeRequest.purpose, financeRequest.amount]),
    ).toEqual([
      ['pay.1', '3000.00'],
      ['pay.2', '3000.00'],
    ]);
  });

  test('excludes withheld payslips, which are released and paid later', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const [first] = (await entriesOf(id)).map((entry) => entry['id']!);
    expect((await changeWithholding('withhold', first!)).body.data).toMatchObject({
      status: 'withheld',
      allowed_actions: ['release'],
    });
    expect((await entriesOf(id))[1]).toMatchObject({ status: 'finalised', allowed_actions: ['withhold'] });
    expect(await acme.pay(id, { payroll_entry_ids: [first] })).toMatchObject({ body: { code: 'payslip_withheld' } });
    const paidUp = (await acme.pay(id)).body.data;
    expect([paidUp.status, paidUp.allowed_actions]).toEqual(['paid', ['reverse']]);
    expect(await statesOf(id)).toEqual(['withheld', 'paid', 'paid']);
    expect((await changeWithholding('release', first!)).body.data.status).toBe('finalised');
    const due = ['make_payment_file', 'pay', 'reverse'];
    expect((await acme.approver.get(`/api/payrolls/${id}`)).body.data.allowed_actions).toEqual(due);
    expect((await acme.pay(id, { paid_on: '2026-07-03' })).body.data.status).toBe('paid');
    expect(await statesOf(id)).toEqual(['paid', 'paid', 'paid']);
    expect(unreversedPayouts().map(({ asked: financeRequest }) => financeRequest.amount)).toEqual([
      '3000.00',
      '3000.00',
    ]);
    expect(await changeWithholding('withhold', first!)).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect((await acme.approver.get(`/api/payrolls/${id}`)).body.data.allowed_actions).toEqual(['reverse']);
    expect((await acme.pay(id)).body.data.status).toBe('paid');
    expect(await acme.pay(id, {}, '?dry_run=true')).toMatchObject({ status: 200 });
    expect(unreversedPayouts()).toHaveLength(2);
  });

  test('uses the approved rate to the cent in another currency, however it is paid', async () => {
    const usd = (name: string, amount: string) =>
      acme.hire({ name, salary: { basis: 'monthly', amount, currency: 'USD' }, bank: account });
    const [ada] = [await usd('Ada', '1000.01'), await usd('Bob', '1000.02')];
    const run = await acme.run(await acme.draft({ currency: 'USD' }));
    const approve = (body: object) => acme.approver.post(`/api/payroll/approve/${run.id}`, body);
    expect((await approve({})).body.errors).toEqual({ rate: ['Enter the exchange rate: EUR per USD.'] });
    const approved = (await approve({ rate: '0.8765' })).body.data;
    expect(approved).toMatchObject({ status: 'approved', rate: '0.8765', currency: 'USD' });
    expect(approved.journal.map(({ debit, credit }: Record<string, string>) => [debit, credit])).toEqual([
      ['1753.03', '0.00'],
      ['0.00', '1753.03'],
    ]);
    const dollars = ledger.source({ currency: 'USD' });
    const [own] = (await entriesOf(run.id)).filter(({ employee_id }) => employee_id === ada);
    expect((await acme.pay(run.id)).body.errors).toEqual({ bank_account_id: ['Choose an account in USD.'] });
    await acme.pay(run.id, { bank_account_id: dollars, payroll_entry_ids: [own!['id']] });
    expect((await acme.pay(run.id, { bank_account_id: dollars })).body.data.status).toBe('paid');
    expect(
      unreversedPayouts().map(({ asked: financeRequest }) => [
        financeRequest.amount,
        financeRequest.currency,
        financeRequest.base_amount,
      ]),
    ).toEqual([
      ['1000.01', 'USD', '876.51'],
      ['1000.02', 'USD', '876.52'],
    ]);
    await reverse(run.id, { money: 'to_recover' });
    await sweep();
    const journal = [...ledger.journals.values()].find(
      ({ asked: financeRequest }) => financeRequest.purpose === 'recover.1',
    );
    expect(journal?.asked.lines).toMatchObject([{ debit: '1753.03' }, { credit: '1753.03' }]);
  });

  test('rejects an exchange rate if none is needed', async () => {
    await hireThree();
    const run = await acme.calculated();
    const reply = await acme.approver.post(`/api/payroll/approve/${run.id}`, { rate: '1' });
    expect(reply.body.errors).toEqual({ rate: ['The run is already in EUR. Omit the exchange rate.'] });
  });

  test('lets employees withhold their own payslip only if no other user can decide', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const [first] = await entriesOf(id);
    const { user_id } = acme.approver.caller;
    const [other, employee_id] = [randomUUID(), first!['employee_id']!];
    for (const known of [user_id, other]) {
      await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${known}, ${acme.workspace}, 'Kim', 'staff')`;
      platform.hire(acme.workspace, { user_id: known });
    }
    await serving.sql`UPDATE employees SET user_id = ${user_id} WHERE id = ${employee_id}`;
    const refused = { status: 409, body: { code: 'own_record' } };
    expect(await changeWithholding('withhold', first!['id']!)).toMatchObject(refused);
    await acme.owner.post('/api/hrm-settings/update', { four_eyes: false });
    platform.rights.set(other, { permissions: ['payroll.approve'] });
    expect(await changeWithholding('withhold', first!['id']!)).toMatchObject(refused);
    platform.rights.set(other, { permissions: ['payroll.view'] });
    expect((await changeWithholding('withhold', first!['id']!)).body.data.status).toBe('withheld');
  });

  test('rejects invalid requests with the field or code', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const dollars = ledger.source({ currency: 'USD' });
    expect((await acme.pay(id, { bank_account_id: dollars })).body.errors).toEqual({
      bank_account_id: ['Choose an account in EUR.'],
    });
    expect((await acme.pay(id, { bank_account_id: ledger.source({ active: false }) })).status).toBe(422);
    ledger.locked.through = '2026-06-30';
    expect(await acme.pay(id)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(ledger.payouts.size).toBe(0);
  });

  test('is rejected on days that are locked for banking, in a dry run too', async () => {
    await hireThree();
    const { id } = await acme.approved();
    Object.assign(ledger.locked, { through: '2026-06-30', scope: 'banking' });
    for (const query of ['', '?dry_run=true'])
      expect(await acme.pay(id, {}, query)).toMatchObject({ status: 409, body: { code: 'period_locked' } });
    expect(ledger.payouts.size).toBe(0);
  });

  test('is rejected before the period or in the future, in a dry run too', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const refused = {
      status: 422,
      body: { code: 'payment_date_out_of_range', errors: { paid_on: [expect.any(String)] } },
    };
    for (const paid_on of ['2020-11-26', '2026-05-31', '2035-01-01']) {
      expect(await acme.pay(id, { paid_on })).toMatchObject(refused);
      expect(await acme.pay(id, { paid_on }, '?dry_run=true')).toMatchObject(refused);
    }
    expect(ledger.payouts.size).toBe(0);
  });

  test('is rejected by finance with the same fault in a dry run', async () => {
    await hireThree();
    const { id } = await acme.approved();
    ledger.unusable.add(acme.bank_account_id);
    const answers = [await acme.pay(id, {}, '?dry_run=true'), await acme.pay(id)];
    ledger.unusable.clear();
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 422, body: { errors: { bank_account_id: [expect.any(String)] } } });
    expect([ledger.payouts.size, (await acme.show(id)).status]).toEqual([0, 'approved']);
  });

  test('moves no money in a dry run', async () => {
    await hireThree();
    const { id } = await acme.approved();
    const tried = await acme.pay(id, {}, '?dry_run=true');
    expect(tried.body.data).toMatchObject({ status: 'paid', journal: [{ debit: '6000.00' }, { credit: '6000.00' }] });
    expect([ledger.payouts.size, (await acme.show(id)).status]).toEqual([0, 'approved']);
  });

  describe('by a user without access to salaries', () => {
    const can = ['payroll.view', 'payroll.pay', 'payroll.approve'];
    const payRun = async (id: string, more: object, query: string) => {
      const body = { bank_account_id: acme.bank_account_id, paid_on: '2026-06-30', method: 'file', ...more };
      return await acme.member({ can }).post(`/api/payroll/pay/${id}${query}`, body);
    };
    async function hireFour(): Promise<[string, string[]]> {
      await hireThree();
      await hire('Grace Hopper', '1234.00');
      const { id } = await acme.approved();
      return [id, (await entriesOf(id)).map((entry) => entry['id']!)];
    }

    test.each(['?dry_run=true', ''])('shows the total of the whole run, with query "%s"', async (query) => {
      const [id] = await hireFour();
      const reply = await payRun(id, {}, query);
      expect(reply.body.data).toMatchObject({ net: '7234.00', journal: [{ debit: '7234.00' }, { credit: '7234.00' }] });
    });

    // The total of the run less the total of any part is the net pay of the others.
    test.each<[string, '?dry_run=true' | '', (ids: string[], id: string) => Promise<object>]>([
      ['selected payslips', '?dry_run=true', async (ids) => ({ payroll_entry_ids: ids.slice(1) })],
      ['selected payslips', '', async (ids) => ({ payroll_entry_ids: ids.slice(1) })],
      [
        'all payslips but a withheld one',
        '?dry_run=true',
        async (ids) => (await changeWithholding('withhold', ids[0]!), {}),
      ],
      ['all payslips but a withheld one', '', async (ids) => (await changeWithholding('withhold', ids[0]!), {})],
      [
        'the payslips that are not paid yet',
        '?dry_run=true',
        async (ids, id) => (await acme.pay(id, { payroll_entry_ids: [ids[0]] }), {}),
      ],
    ])('shows no amount for %s, with query "%s"', async (_, query, bodyOf) => {
      const [id, ids] = await hireFour();
      const reply = await payRun(id, await bodyOf(ids, id), query);
      expect([reply.status, reply.body.data.journal]).toEqual([200, undefined]);
    });
  });

  test('completes the same payout when repeated after finance has paid', async () => {
    await hireThree();
    const { id } = await acme.approved();
    finance.trouble.push('crashed');
    expect((await acme.pay(id)).status).toBe(500);
    expect((await acme.show(id)).pending_effects).toEqual(['post_pay']);
    expect(await acme.pay(id, { method: 'cash' })).toMatchObject({ status: 409, body: { code: 'payroll_pending' } });
    expect(await reverse(id)).toMatchObject({ status: 409, body: { code: 'payroll_pending' } });
    expect((await acme.pay(id)).body.data.status).toBe('paid');
    expect(ledger.payouts.size).toBe(1);
  });

  test('is reversed if not repeated, and can be made again', async () => {
    await hireThree();
    const { id } = await acme.approved();
    finance.trouble.push('crashed');
    expect((await acme.pay(id)).status).toBe(500);
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect([unreversedPayouts().length, (await acme.show(id)).pending_effects]).toEqual([0, []]);
    expect((await acme.pay(id, { method: 'other' })).body.data.status).toBe('paid');
    expect(unreversedPayouts().map(({ asked: financeRequest }) => financeRequest.purpose)).toEqual(['pay.2']);
  });
});
