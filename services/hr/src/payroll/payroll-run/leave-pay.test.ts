import { describe, expect, test } from '@jest/globals';
import { audit } from '@suite/auditor';
import { runConcurrently } from '@suite/testing';
import { openPaymentDay } from '../../../test/payments.ts';
import { checks } from '../payroll-postings/audit.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';
import { settleLeaver } from '../../leave/leave-jobs/settle-leaver.ts';

const { serving, acme, clock, hire, sweep } = await openPaymentDay();
const JULY = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
const AUGUST = { period_start: '2026-08-01', period_end: '2026-08-31', pay_date: '2026-08-31' };
const log = { error() {} } as never;
type ExpectedLine = { code: string; amount: string; of?: string; days?: string };

/** Creates a leave type with 24 days upfront. */
const typeOf = (policy: object = {}) =>
  acme.leaveType({ name: 'Annual', code: 'annual_paid', accrual: 'upfront', encashable: true, ...policy });
async function encash(employee_id: string, leave_type_id: string, days: string): Promise<string[]> {
  const reply = await acme.owner.post('/api/leave-balance/encash', { employee_id, leave_type_id, days });
  expect(reply.status).toBe(200);
  return reply.body.data.ledger_lines.filter(({ kind }: { kind: string }) => kind === 'encash').map(idOf);
}
const idOf = ({ id }: { id: string }) => id;
const approve = (id: string, by = acme.approver) => by.post(`/api/payroll/approve/${id}`, {});
const runOf = async (more: object = {}) => await acme.run(await acme.draft(more));
async function approvedRun(more: object = {}) {
  const run = await runOf(more);
  expect(await approve(run.id)).toMatchObject({ status: 200 });
  return await acme.show(run.id);
}
/** Returns the leave lines of an employee's payslip. */
const leaveIn = async (run: { entries: object[] }, employee_id: string) =>
  (await acme.slip(run, employee_id)).earnings
    .filter(({ code }: ExpectedLine) => code.startsWith('leave_'))
    .map(({ code, amount, days, of }: ExpectedLine) => ({ code, amount, days, of }));
const settledLines = () => serving.sql`
  SELECT line.id, line.entry_id, line.days::text FROM payslip_leave_lines AS line WHERE workspace_id = ${acme.workspace}`;
const runAudit = () => audit(serving.database_url, checks, acme.workspace);

/** Ends an employment and advances the clock past its last day. */
async function endEmployment(employee_id: string, last_day: string): Promise<void> {
  const exit_date = new Date(last_day);
  await acme.write(async (db) => {
    await db.employee.updateMany({ where: { id: employee_id }, data: { status: 'on_notice', exit_date } });
    await db.employment.updateMany({ where: { employee_id }, data: { exit_date, exit_cause: 'resigned' } });
  });
  await applyEffectiveDates({ database: serving.database as never, log }, [settleLeaver]);
}

describe('paid-out leave', () => {
  test('is a payslip line with its calculation, for callers who can see salaries', async () => {
    const ada = await hire('Ada', '3150.00');
    const [line] = await encash(ada, await typeOf(), '4');
    const tried = await acme.owner.post(`/api/payroll/run/${await acme.draft()}?dry_run=true`, {});
    expect(tried.body.data).toMatchObject({ gross: '3722.73', entries: [{ gross: '3722.73' }] });
    const id = (await acme.owner.get('/api/payrolls')).body.data[0].id;
    const run = await acme.run(id);
    expect(await leaveIn(run, ada)).toEqual([{ code: 'leave_encashment', amount: '572.73', days: '4', of: line }]);
    const payslip = await acme.slip(run, ada);
    expect(payslip.explain).toContainEqual({
      component: 'leave_encashment',
      of: line,
      inputs: { salary: '3150', days: '4', working_days: '22' },
      steps: [{ text: 'round(3150.00 * 4 / 22, 2)', value: '572.73' }],
      result: '572.73',
    });
    expect(run.journal_preview).toMatchObject([
      { role: 'salaries_expense', debit: '3722.73' },
      { role: 'salaries_payable', credit: '3722.73' },
    ]);
    expect(await settledLines()).toEqual([]);
    await approve(id);
    expect(await settledLines()).toEqual([{ id: line, entry_id: payslip.id, days: '-4.00' }]);
    const manager = acme.member({ can: ['payroll.view', 'employee.view', 'leave_balance.view'] });
    expect((await manager.get(`/api/payslip/${payslip.id}`)).status).toBe(404);
    expect(JSON.stringify((await manager.get(`/api/payrolls/${id}`)).body)).not.toContain('572.73');
    expect(await runAudit()).toEqual([]);
    await serving.admin.query(`UPDATE payslip_leave_lines SET days = -3 WHERE id = '${line}'`);
    expect(await runAudit()).toMatchObject([
      { check: expect.stringContaining('one final payslip'), row: { id: line } },
    ]);
  });

  test('is paid by the next payslip if the payslip of its month is already approved', async () => {
    const ada = await hire('Ada', '3150.00');
    const type = await typeOf();
    await encash(ada, type, '4');
    await approvedRun();
    const [later] = await encash(ada, type, '2');
    const july = await approvedRun(JULY);
    expect(await leaveIn(july, ada)).toMatchObject([{ days: '2', of: later }]);
    expect(july.differences).toMatchObject([{ employee_id: ada, causes: ['leave_encashment'] }]);
    expect(await leaveIn(await runOf(AUGUST), ada)).toEqual([]);
    expect(await runAudit()).toEqual([]);
  });

  test('is detected as a change if it was added after the calculation', async () => {
    const ada = await hire('Ada', '3150.00');
    const { id } = await runOf();
    await encash(ada, await typeOf(), '4');
    const reply = await approve(id);
    expect(reply).toMatchObject({ status: 409, body: { code: 'inputs_changed' } });
    expect(reply.body.details.changes).toEqual([{ employee_id: ada, what: ['leave'] }]);
    expect(await leaveIn(await acme.run(id), ada)).toMatchObject([{ amount: '572.73' }]);
    expect((await approve(id)).status).toBe(200);
  });

  test('is paid by one of two concurrently approved runs', async () => {
    const ada = await hire('Ada', '3150.00');
    await encash(ada, await typeOf(), '4');
    const runs = [await runOf(), await runOf(JULY)];
    const both = await Promise.all(runs.map(async (run) => await leaveIn(run, ada)));
    expect(both.map((lines) => lines.length)).toEqual([1, 1]);
    const replies = await runConcurrently(2, (at) => approve(runs[at]!.id));
    expect(replies.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    const rest = runs[replies.findIndex(({ status }) => status === 409)]!;
    expect(await leaveIn(await acme.run(rest.id), ada)).toEqual([]);
    // Finance has posted the other approval and reverses it first.
    clock.goTo('2026-06-30T12:01:00Z');
    await sweep();
    expect((await approve(rest.id)).status).toBe(200);
    expect(await settledLines()).toHaveLength(1);
    expect(await runAudit()).toEqual([]);
  });

  test('remains settled by a withheld payslip, and is released by a reversal', async () => {
    const ada = await hire('Ada', '3150.00');
    await encash(ada, await typeOf(), '4');
    const june = await approvedRun();
    await acme.approver.post(`/api/payslip/withhold/${june.entries[0].id}`, { reason: 'Asked for' });
    const july = await runOf(JULY);
    expect(await leaveIn(july, ada)).toEqual([]);
    expect((await acme.approver.post(`/api/payroll/reverse/${june.id}`, { reason: 'Wrong' })).status).toBe(200);
    expect(await settledLines()).toEqual([]);
    expect(await approve(july.id)).toMatchObject({ status: 409, body: { code: 'inputs_changed' } });
    expect(await leaveIn(await acme.run(july.id), ada)).toMatchObject([{ days: '4' }]);
    await approve(july.id);
    expect(await leaveIn(await runOf(), ada)).toEqual([]);
    await sweep();
    expect(await runAudit()).toEqual([]);
  });

  test('results in arrears if the salary of its day was different', async () => {
    const ada = await hire('Ada', '3150.00');
    await encash(ada, await typeOf(), '4');
    await approvedRun();
    const salary = { basis: 'monthly', amount: '3370.00' };
    await acme.owner.post(`/api/employee/update/${ada}`, { salary, effective_from: '2026-06-01' });
    const july = await approvedRun(JULY);
    expect((await acme.slip(july, ada)).earnings).toMatchObject([
      { code: 'basic', amount: '3370.00' },
      { code: 'basic', amount: '220.00' },
      { code: 'leave_encashment', amount: '40.00', of_payroll_entry_id: expect.any(String) },
    ]);
    expect((await acme.slip(await runOf(AUGUST), ada)).earnings).toMatchObject([{ code: 'basic' }]);
  });
});

describe('an employee who leaves', () => {
  test('is paid the remaining leave with the last payslip, calculated after the exit', async () => {
    const ada = await hire('Ada', '3150.00');
    await typeOf();
    clock.goTo('2026-07-01T06:00:00Z');
    await endEmployment(ada, '2026-06-30');
    const run = await approvedRun();
    expect(await leaveIn(run, ada)).toEqual([
      { code: 'leave_encashment', amount: '1718.18', days: '12', of: expect.any(String) },
    ]);
    expect(await runAudit()).toEqual([]);
  });

  test('is paid the remaining leave once by the next run if the last payslip was final', async () => {
    const [ada] = [await hire('Ada', '3150.00'), await hire('Bob', '2000.00')];
    await typeOf();
    const { car } = await acme.components([
      { code: 'car', kind: 'deduction', calc: 'fixed', amount: '9.00', position: 1 },
    ]);
    const salary = { basis: 'monthly', amount: '3150.00', components: [{ component_id: car }] };
    await acme.owner.post(`/api/employee/update/${ada}`, { salary, effective_from: '2026-06-01' });
    await approvedRun();
    clock.goTo('2026-07-31T12:00:00Z');
    await endEmployment(ada, '2026-06-30');
    const july = await approvedRun(JULY);
    expect(july.employee_count).toBe(2);
    const payslip = await acme.slip(july, ada);
    expect(payslip).toMatchObject({ payment_days: '0', gross: '1643.48', deductions: [], net: '1643.48' });
    expect(payslip.earnings).toMatchObject([{ code: 'leave_encashment', days: '12', amount: '1643.48' }]);
    expect((await runOf(AUGUST)).employee_count).toBe(1);
    expect(await runAudit()).toEqual([]);
  });

  test('has excess days deducted from pay, and the rest becomes a debt', async () => {
    const [ada, bob] = [await hire('Ada', '3150.00'), await hire('Bob', '2000.00')];
    const leave_type_id = await typeOf({ encashable: false });
    const span = { leave_type_id, from: '2026-06-01', to: '2026-06-26' };
    for (const employee_id of [ada, bob]) {
      const { body } = await acme.owner.post('/api/leave-application/create', { employee_id, ...span });
      const path = `/api/leave-application/update-status/${body.data.id}`;
      expect(await acme.approver.post(path, { action: 'approve' })).toMatchObject({ status: 200 });
    }
    clock.goTo('2026-07-01T06:00:00Z');
    await endEmployment(ada, '2026-06-30');
    const june = await approvedRun();
    expect(await leaveIn(june, ada)).toMatchObject([{ code: 'leave_owed', amount: '-1145.45', days: '8' }]);
    expect(await acme.slip(june, ada)).toMatchObject({ gross: '2004.55', net: '2004.55' });
    clock.goTo('2026-07-31T12:00:00Z');
    await endEmployment(bob, '2026-06-30');
    const july = await approvedRun(JULY);
    const payslip = await acme.slip(july, bob);
    expect(payslip).toMatchObject({ gross: '0.00', net: '0.00' });
    expect(payslip.earnings).toMatchObject([
      { code: 'leave_owed', amount: '-695.65', days: '8' },
      { code: 'carried_over', amount: '695.65' },
    ]);
    expect(
      await serving.sql`SELECT employee_id, status FROM recoveries WHERE workspace_id = ${acme.workspace}`,
    ).toEqual([{ employee_id: bob, status: 'open' }]);
    expect(await runAudit()).toEqual([]);
  });

  test('is paid for leave that is cancelled after the last day', async () => {
    const [ada] = [await hire('Ada', '3150.00'), await hire('Bob', '2000.00')];
    const leave_type_id = await typeOf();
    const span = { leave_type_id, from: '2026-06-22', to: '2026-06-23' };
    const { body } = await acme.owner.post('/api/leave-application/create', { employee_id: ada, ...span });
    const path = `/api/leave-application/update-status/${body.data.id}`;
    await acme.approver.post(path, { action: 'approve' });
    clock.goTo('2026-07-01T06:00:00Z');
    await endEmployment(ada, '2026-06-30');
    expect(await leaveIn(await approvedRun(), ada)).toMatchObject([{ days: '10' }]);
    expect(await acme.approver.post(path, { action: 'cancel', remark: 'He was at work' })).toMatchObject({
      status: 200,
    });
    expect(await leaveIn(await approvedRun(JULY), ada)).toMatchObject([{ code: 'leave_encashment', days: '2' }]);
    expect(await runAudit()).toEqual([]);
  });
});
