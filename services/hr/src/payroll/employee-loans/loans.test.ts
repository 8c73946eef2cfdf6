import { beforeEach, describe, expect, test } from '@jest/globals';
import { openEncryption } from '@suite/field-encryption';
import { keysOf, type Member, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { applyInstalments } from './loan.ts';

const { serving, company } = await openHr();
const keys = keysOf('hr');
let acme: TestWorkspace;
let ada: string;
beforeEach(async () => {
  freezeClock('2026-06-15T10:00:00Z');
  acme = await company();
  ada = await acme.employ();
});

const LOAN = { amount: '900.00', instalment: '150', first_period: '2026-07-01' };
const create = (body: object = {}, by: Member = acme.owner) =>
  by.post('/api/employee-loan/create', { employee_id: ada, ...LOAN, ...body });
const createdLoan = async (body: object = {}) => (await create(body)).body.data;
const cancel = (id: string, body: object = {}, by: Member = acme.owner) =>
  by.post(`/api/employee-loan/cancel/${id}`, body);
const list = async (query = '', by: Member = acme.owner) => (await by.get(`/api/employee-loans${query}`)).body.data;
const deductInstalment = (loan_id: string, amount: string) =>
  acme.write((db) => applyInstalments(db, { keys }, [{ loan_id, amount }]));
const recoveries = () =>
  acme.write(async (db) => {
    const cipher = await openEncryption(db, keys.master);
    const rows = await db.recovery.findMany({ orderBy: { created_at: 'asc' } });
    return rows.map(({ id, left_sealed, loan_id, entry_id }) => ({
      loan_id,
      entry_id,
      left: cipher.open(
        {
          table: 'recoveries',
          column: 'left_sealed',
          id,
        },
        left_sealed,
      ),
    }));
  });

describe('a loan', () => {
  test('encrypts its amounts and logs each access by callers with salary access', async () => {
    const loan = await createdLoan();
    expect(loan).toMatchObject({
      employee_id: ada,
      amount: '900.00',
      instalment: '150.00',
      left: '900.00',
      first_period: '2026-07-01',
      status: 'open',
      allowed_actions: ['cancel'],
      employee: { name: 'Ada Lovelace' },
    });
    const payrollUser = acme.member({ can: ['employee.view', 'employee.salary'] });
    expect(await list('?expand=employee&status=open', payrollUser)).toMatchObject([
      { id: loan.id, left: '900.00', allowed_actions: [], employee: { name: 'Ada Lovelace' } },
    ]);
    expect(await list('?fields=id,status', payrollUser)).toEqual([{ id: loan.id, status: 'open' }]);
    expect((await acme.owner.get('/api/sensitive-accesses')).body.data).toMatchObject([
      { by: payrollUser.caller.user_id, employee_id: ada, fields: ['loan'] },
    ]);
    const logged = JSON.stringify(
      await serving.sql`
      SELECT before, after FROM journal_changes WHERE workspace_id = ${acme.workspace} AND table_name = 'employee_loans'`,
    );
    expect(logged).toContain('[sealed]');
    // Word boundaries exclude matches within an ID.
    expect(logged).not.toMatch(/\b900\b/);
  });

  test.each([
    [{ amount: '0' }, 'amount'],
    [{ amount: '900.001' }, 'amount'],
    [{ instalment: '900.01' }, 'instalment'],
    [{ instalment: '0.00' }, 'instalment'],
    [{ first_period: '2025-12-31' }, undefined],
    [{ first_period: '2031-06-16' }, undefined],
    [{ employee_id: '018f0000-0000-7000-8000-000000000000' }, 'employee_id'],
  ])('is rejected for %j and created after a correction', async (body, field) => {
    const reply = await create(body);
    expect(reply.status).toBe(422);
    expect(field ? Object.keys(reply.body.errors) : reply.body.code).toEqual(
      field ? [field] : 'first_period_out_of_range',
    );
    expect(await create()).toMatchObject({ status: 201 });
    expect(await list()).toHaveLength(1);
  });

  test('is created by payroll users, for other active employees only', async () => {
    const user_id = serving.member().caller.user_id;
    const own = await acme.employ({ user_id });
    const payrollUser = acme.member({ user_id });
    expect(await create({ employee_id: own }, payrollUser)).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
    expect(await create({}, acme.member({ can: ['payroll.view', 'employee.salary'] }))).toMatchObject({ status: 403 });
    const gone = await acme.employ({ status: 'left' });
    expect(await create({ employee_id: gone })).toMatchObject({ status: 409, body: { code: 'employment_ended' } });
    const other = await company();
    expect(await create({ employee_id: await other.employ() })).toMatchObject({ status: 422 });
    expect(await list('', other.owner)).toEqual([]);
  });

  test('is hidden from managers without the salary permission', async () => {
    await createdLoan();
    expect(await acme.member({ can: ['employee.view', 'payroll.view'] }).get('/api/employee-loans')).toMatchObject({
      status: 403,
    });
    const own = acme.member({ can: ['employee.salary', 'employee.view'], record_scopes: { employee: 'own' } });
    expect(await list('', own)).toEqual([]);
    expect(await acme.member({ kind: 'client', can: ['employee.salary'] }).get('/api/employee-loans')).toMatchObject({
      body: { data: [] },
    });
  });
});

describe('the currency of a loan', () => {
  const setSalary = (currency: string, effective_from: string) =>
    acme.owner.post(`/api/employee/update/${ada}`, {
      salary: { basis: 'monthly', amount: '4000', currency },
      effective_from,
    });

  test('defaults to the salary on the first day, then to the workspace currency', async () => {
    expect(await createdLoan()).toMatchObject({ currency: 'EUR' });
    await setSalary('USD', '2026-07-01');
    expect(await createdLoan()).toMatchObject({ currency: 'USD' });
    expect(await createdLoan({ first_period: '2026-06-30' })).toMatchObject({ currency: 'EUR' });
    expect(await createdLoan({ currency: 'CHF' })).toMatchObject({ currency: 'CHF' });
    expect((await list()).map(({ currency }: { currency: string }) => currency)).toEqual(['CHF', 'EUR', 'USD', 'EUR']);
  });

  test('limits the decimals of amounts', async () => {
    await setSalary('JPY', '2026-07-01');
    expect(await create({ amount: '900.50' })).toMatchObject({
      status: 422,
      body: { errors: { amount: ['Enter an amount with at most 0 decimals.'] } },
    });
    expect(await create()).toMatchObject({ status: 201, body: { data: { currency: 'JPY' } } });
    expect(Object.keys((await create({ currency: 'XXQ' })).body.errors)).toEqual(['currency']);
  });
});

describe('instalments', () => {
  test('are deducted until the loan is settled, and refunded by reversed payslips', async () => {
    const { id } = await createdLoan();
    await deductInstalment(id, '150.00');
    expect(await list()).toMatchObject([{ left: '750.00', status: 'open' }]);
    await deductInstalment(id, '750.00');
    expect(await list()).toMatchObject([{ left: '0.00', status: 'settled', allowed_actions: [] }]);
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'invalid_transition' } });
    await expect(deductInstalment(id, '0.01')).rejects.toThrow('The deduction exceeds the outstanding loan');
    await deductInstalment(id, '-750.00');
    expect(await list()).toMatchObject([{ left: '750.00', status: 'open' }]);
    await expect(deductInstalment(id, '-150.01')).rejects.toThrow('or the refund exceeds the loan');
  });

  test('are each deducted once for 50 concurrent payslips', async () => {
    const { id } = await createdLoan();
    await runConcurrently(50, () => deductInstalment(id, '10.00'));
    expect(await list()).toMatchObject([{ left: '400.00' }]);
  });
});

describe('cancelling a loan', () => {
  test('turns the balance into one recovery for concurrent requests', async () => {
    const { id } = await createdLoan();
    await deductInstalment(id, '150.00');
    const replies = await runConcurrently(50, () => cancel(id, { reason: 'Agreed' }));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await list()).toMatchObject([{ status: 'cancelled', reason: 'Agreed', allowed_actions: [] }]);
    expect(await recoveries()).toEqual([{ loan_id: id, entry_id: null, left: '750.00' }]);
    await deductInstalment(id, '-150.00');
    expect((await recoveries())[1]).toEqual({ loan_id: id, entry_id: null, left: '150.00' });
    await expect(deductInstalment(id, '150.00')).rejects.toThrow('A cancelled loan has no deductions');
  });

  test('can waive the balance, and changes nothing in a dry run', async () => {
    const { id } = await createdLoan();
    const tried = await acme.owner.post(`/api/employee-loan/cancel/${id}?dry_run=true`, {});
    expect(tried.body.data).toMatchObject({ status: 'cancelled' });
    expect(await list()).toMatchObject([{ status: 'open' }]);
    expect(await cancel(id, { rest: 'waive' })).toMatchObject({ status: 200 });
    expect(await recoveries()).toEqual([]);
  });

  test('is rejected for the borrower, and returns 404 from another workspace', async () => {
    const user_id = serving.member().caller.user_id;
    const { id } = await createdLoan({ employee_id: await acme.employ({ user_id }) });
    expect(await cancel(id, {}, acme.member({ user_id }))).toMatchObject({ body: { code: 'own_record' } });
    expect(await cancel(id, {}, (await company()).owner)).toMatchObject({ status: 404 });
  });
});
