import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { jobTransaction } from '@suite/chassis/service';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock, runConcurrently } from '@suite/testing';
import { FLAT_TAX_COMPONENTS, openPayroll, type PayrollFixture } from '../../../test/payroll.ts';
import { calculateBatch } from './calculate.ts';
import { changedInputs } from './input-changes.ts';
import type { CalculatedRun } from './inputs.ts';

const { payroll, calculate, serving, finance, tools } = await openPayroll();
let acme: PayrollFixture;
let clock: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  clock = freezeClock('2026-06-30T12:00:00Z');
  finance.ledger.locked.through = '';
  acme = await payroll();
});
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const june = { period_start: '2026-06-01', period_end: '2026-06-30', pay_date: '2026-06-30' };
const july = { period_start: '2026-07-01', period_end: '2026-07-31', pay_date: '2026-07-31' };
const statusesOf = (replies: { status: number }[]) =>
  replies.map(({ status }) => status).toSorted((one, other) => one - other);
const startRun = (id: string, by = acme.owner) => by.post(`/api/payroll/run/${id}`, {});
const monthlySalary = (amount: string, more: object = {}) => ({ basis: 'monthly', amount, ...more });

describe('a period', () => {
  test('pays an employee in one regular run, even with concurrent requests', async () => {
    await acme.hire();
    const replies = await runConcurrently(50, () => acme.owner.post('/api/payroll/create', june));
    expect(statusesOf(replies)).toEqual([201, ...Array.from({ length: 49 }, () => 409)]);
    const late = replies.filter(({ status }) => status === 409);
    const [{ id }] = (await acme.owner.get('/api/payrolls')).body.data;
    for (const reply of late) {
      expect(reply).toMatchObject(faultResponse(409, 'period_overlaps'));
      expect(reply.body.details.payroll_ids).toEqual([id]);
    }
  });

  test('is available again after its run is cancelled or deleted', async () => {
    await acme.hire();
    const first = await acme.draft();
    await acme.owner.post(`/api/payroll/cancel/${first}`, { reason: 'Wrong month' });
    const second = await acme.draft();
    expect(await acme.owner.delete(`/api/payroll/delete/${second}`)).toMatchObject({ status: 200 });
    expect(await acme.owner.post('/api/payroll/create', june)).toMatchObject({ status: 201 });
    expect(await acme.owner.delete(`/api/payroll/delete/${first}`)).toMatchObject(
      faultResponse(409, 'invalid_transition'),
    );
  });

  test('is rejected with the day if finance has locked the period', async () => {
    await acme.hire();
    finance.ledger.locked.through = '2026-06-30';
    expect(await acme.owner.post('/api/payroll/create', june)).toMatchObject({
      ...faultResponse(409, 'period_locked'),
      body: { details: { locked_through: '2026-06-30' } },
    });
    const id = await acme.draft(july);
    expect(await acme.owner.post(`/api/payroll/update/${id}`, june)).toMatchObject(faultResponse(409, 'period_locked'));
  });

  test('ends after its start and is not longer than its frequency', async () => {
    await acme.hire();
    const wrong = { ...june, period_end: '2026-05-31' };
    const long = { ...june, frequency: 'weekly' };
    for (const body of [wrong, long])
      expect(await acme.owner.post('/api/payroll/create', body)).toMatchObject({
        status: 422,
        body: { errors: { period_end: [expect.any(String)] } },
      });
  });

  test('has no run without employees', async () => {
    expect(await acme.owner.post('/api/payroll/create', june)).toMatchObject(faultResponse(422, 'nobody_to_pay'));
  });
});

describe('a run', () => {
  test('reports failed employees with reasons, and recalculates only these', async () => {
    const [ada, bob] = [await acme.hire(), await acme.hire({ name: 'Bob', salary: undefined })];
    const { odd } = await acme.components([
      { code: 'odd', kind: 'deduction', calc: 'formula', formula: '1 / (basic - 3000)', position: 1 },
    ]);
    const cy = await acme.hire({
      name: 'Cy',
      salary: monthlySalary('3000.00', { components: [{ component_id: odd }] }),
    });
    const id = await acme.draft();
    const failed = await acme.run(id);
    expect(failed).toMatchObject({ status: 'failed', progress: { total: 2, done: 1, failed: 1 }, gross: '3000.00' });
    expect(failed.failures).toMatchObject([
      { employee_id: cy, code: 'formula_failed', message: 'The formula divides by zero.' },
    ]);
    expect(failed.warnings).toMatchObject([{ employee_id: bob, code: 'salary_missing' }]);
    const entryOfAda = (run: typeof failed) =>
      run.entries.find((one: { employee_id: string }) => one.employee_id === ada);
    clock.goTo('2026-06-30T13:00:00Z');
    const other = { salary: monthlySalary('2000.00'), effective_from: '2026-01-01' };
    await acme.owner.post(`/api/employee/update/${cy}`, other);
    const run = await acme.run(id);
    expect(run).toMatchObject({
      status: 'calculated',
      progress: { done: 2, failed: 0 },
      gross: '5000.00',
      failures: [],
    });
    expect(entryOfAda(run).calculated_at).toBe(entryOfAda(failed).calculated_at);
  });

  test('starts once when started repeatedly', async () => {
    await acme.hire();
    const id = await acme.draft();
    const replies = await runConcurrently(50, () => startRun(id));
    expect(new Set(replies.map(({ body }) => [body.data.status, body.data.calculation_no].join()))).toEqual(
      new Set(['processing,1']),
    );
    await runConcurrently(3, calculate);
    expect(await acme.show(id)).toMatchObject({ status: 'calculated', gross: '3000.00', progress: { done: 1 } });
    const rows =
      await serving.sql`SELECT count(*)::int FROM journal_events WHERE type = 'hr.payroll.calculated' AND aggregate_id = ${id}`;
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('continues with the remaining employees after its process failed', async () => {
    await acme.hire();
    await acme.write((db) =>
      db.rows({
        text: `WITH model AS (SELECT * FROM employees LIMIT 1), made AS (
          INSERT INTO employees (id, code, name, status, branch_id, department_id, designation_id, shift_id, employment_type, joining_date)
          SELECT gen_random_uuid(), 'N' || n, 'N' || n, status, branch_id, department_id, designation_id, shift_id, employment_type, joining_date
          FROM model, generate_series(1, 230) AS n RETURNING id, joining_date)
          INSERT INTO employments (id, employee_id, joining_date) SELECT gen_random_uuid(), id, joining_date FROM made`,
        values: [],
      } as never),
    );
    const id = await acme.draft();
    await startRun(id);
    // The employee had a salary when the run started, and has none at calculation.
    await acme.write(async (db) => {
      await db.rows(sql`
        INSERT INTO payroll_entries (id, payroll_id, employee_id, regular, period_start, period_end, pay_date, currency)
        SELECT gen_random_uuid(), payroll_id, person.id, regular, period_start, period_end, pay_date, currency
        FROM payroll_entries, employees AS person WHERE payroll_id = ${id}::uuid AND person.id <> employee_id`);
      await db.payroll.updateMany({ where: { id }, data: { employee_count: 231 } });
    });
    const context = jobTransaction('test', acme.workspace);
    const half = () =>
      tools.database.write(context, async (db, emit) => {
        await calculateBatch({ db, emit, keys: tools.keys }, id);
        throw new Error('killed');
      });
    await expect(half()).rejects.toThrow('killed');
    expect(await acme.show(id)).toMatchObject({ progress: { done: 0, failed: 0 } });
    await tools.database.write(context, (db, emit) => calculateBatch({ db, emit, keys: tools.keys }, id));
    expect(await acme.show(id)).toMatchObject({ status: 'processing' });
    await calculate();
    const run = await acme.show(id);
    expect(run).toMatchObject({ status: 'failed', progress: { total: 231, done: 1, failed: 230 }, gross: '3000.00' });
    expect([run.entries.length, run.entries_total]).toEqual([100, 231]);
    const listed = (await acme.owner.get(`/api/payroll/entries/${id}?status=draft&per_page=5`)).body;
    expect([listed.meta.total, listed.data[0].net]).toEqual([1, '3000.00']);
  });

  test('stops calculating when it is cancelled', async () => {
    await acme.hire();
    const id = await acme.draft();
    await startRun(id);
    await acme.owner.post(`/api/payroll/cancel/${id}`, { reason: 'Too early' });
    await calculate();
    expect(await acme.show(id)).toMatchObject({ status: 'cancelled', progress: { done: 0 }, reason: 'Too early' });
  });

  test('gives identical payslips and hashes for identical input data only', async () => {
    const ids = await acme.components(FLAT_TAX_COMPONENTS);
    const codes = Object.values(ids);
    const ada = await acme.hire({
      salary: monthlySalary('3000.00', { components: codes.map((component_id) => ({ component_id })) }),
    });
    const hashes = () =>
      serving.sql`SELECT inputs_hash FROM payroll_entries WHERE employee_id = ${ada} AND calculated_at IS NOT NULL`;
    const first = await acme.run(await acme.draft());
    const [hash] = await hashes();
    const payslip = await acme.slip(first, ada);
    await acme.owner.post(`/api/employee/update/${ada}`, {
      salary: monthlySalary('3000.00', { components: codes.toReversed().map((component_id) => ({ component_id })) }),
      effective_from: '2026-01-01',
    });
    const again = await acme.run(first.id);
    expect(again.calculation_no).toBe(2);
    expect(await hashes()).toEqual([hash]);
    const { calculated_at: _, updated_at: __, version: ___, ...same } = payslip;
    expect(await acme.slip(again, ada)).toMatchObject(same);
    await acme.leave(ada, '2026-06-08', { paid: false });
    await acme.run(first.id);
    expect(await hashes()).not.toEqual([hash]);
  });

  test('lists employees whose inputs have changed since the calculation', async () => {
    const [ada] = [await acme.hire(), await acme.hire({ name: 'Bob' })];
    const run = await acme.run(await acme.draft());
    const changes = () =>
      acme.write(async (db) => {
        const [row] = await db.rows<CalculatedRun>(sql`
          SELECT id, type, frequency, period_start, period_end, pay_date, currency, settings FROM payrolls WHERE id = ${run.id}::uuid`);
        return await changedInputs({ db, keys: tools.keys }, row!);
      });
    expect(await changes()).toEqual([]);
    await acme.leave(ada, '2026-06-08', { paid: false });
    expect(await changes()).toEqual([{ employee_id: ada, what: ['days'] }]);
  });

  test('returns payslips and stores nothing in a dry run', async () => {
    const ada = await acme.hire();
    const id = await acme.draft();
    const tried = await acme.owner.post(`/api/payroll/run/${id}?dry_run=true`, {});
    expect(tried).toMatchObject({
      status: 200,
      body: { data: { status: 'calculated', net: '3000.00', entries: [{ employee_id: ada, net: '3000.00' }] } },
    });
    expect(await acme.show(id)).toMatchObject({ status: 'draft', calculation_no: 0, entries: [{ net: null }] });
    // The update that set the salary also returned it.
    const seen = await serving.sql`SELECT fields FROM sensitive_accesses WHERE employee_id = ${ada} ORDER BY at, id`;
    expect(seen).toEqual([{ fields: ['salary'] }, { fields: ['payslip'] }]);
  });

  test('pays one-off amounts separately, to the named employees only', async () => {
    const { bonus } = await acme.components([
      { code: 'bonus', kind: 'earning', calc: 'fixed', amount: '0.00', one_off: true, prorated: false, position: 9 },
    ]);
    const [ada] = [await acme.hire(), await acme.hire({ name: 'Bob' })];
    const extra = { ...june, type: 'off_cycle' };
    expect(await acme.owner.post('/api/payroll/create', extra)).toMatchObject({
      status: 422,
      body: { errors: { one_offs: [expect.any(String)] } },
    });
    await acme.draft();
    const one_offs = [{ employee_id: ada, component_id: bonus, amount: '500.00', note: 'Launch' }];
    const run = await acme.run(await acme.draft({ ...extra, one_offs }));
    expect(run).toMatchObject({ employee_count: 1, gross: '500.00', one_offs: [{ amount: '500.00', note: 'Launch' }] });
    expect(
      await acme.owner.post('/api/payroll/create', { ...july, exclude_employee_ids: [ada], one_offs }),
    ).toMatchObject({
      status: 422,
      body: {
        errors: { 'one_offs.0.employee_id': ['This employee is not paid by this run. Choose another employee.'] },
      },
    });
    const unknown = { ...july, exclude_employee_ids: [ada, randomUUID()] };
    expect((await acme.owner.post('/api/payroll/create', unknown)).body.errors).toEqual({
      'exclude_employee_ids.1': ['Employee not found.'],
    });
  });

  test('becomes a draft without amounts after a change', async () => {
    await acme.hire();
    const run = await acme.run(await acme.draft());
    const changed = await acme.owner.post(`/api/payroll/update/${run.id}`, { title: 'June', pay_date: '2026-07-01' });
    expect(changed).toMatchObject({ status: 200, body: { data: { status: 'draft', title: 'June', net: '0.00' } } });
    expect(await acme.show(run.id)).toMatchObject({ entries: [{ net: null }], totals: [], journal_preview: [] });
  });

  test('previews a balanced journal', async () => {
    const ids = await acme.components(FLAT_TAX_COMPONENTS);
    await acme.hire({
      salary: monthlySalary('3000.00', { components: Object.values(ids).map((component_id) => ({ component_id })) }),
    });
    const run = await acme.run(await acme.draft());
    expect(
      run.journal_preview.map(({ role, memo, debit, credit }: Record<string, string>) => [role, memo, debit, credit]),
    ).toEqual(
      expect.arrayContaining([
        ['salaries_expense', 'Salaries', '3300.00', '0.00'],
        ['salaries_payable', 'Net pay', '0.00', '2835.00'],
        ['payroll_liabilities', 'pension', '0.00', '150.00'],
        ['payroll_liabilities', 'flat_tax', '0.00', '315.00'],
      ]),
    );
  });
});
