import { beforeAll, describe, expect, test } from '@jest/globals';
import { dataOf } from '@suite/testing/http';
import { waitFor } from '@suite/testing/waiting';
import { type SignedIn, withIdempotencyKey } from '@suite/testing/suite/http-caller';
import { useSharedSuite } from '@suite/testing/suite/started';
import { openWorkspace, type Workspace } from '@suite/testing/suite/workspace';
import { findAllViolations } from '@suite/tools/audit';
import { waitUntilIdle } from '@suite/tools/calm';
import { EXAMPLE_COMPONENTS, FLAT_TAX_COMPONENTS } from '../suite/salary-components.ts';

/** Two employees are hired, work a month, are paid as in the example payslip and G14 to the cent, and corrected later. */
const suite = await useSharedSuite();
const JUNE = { period_start: '2025-06-01', period_end: '2025-06-30', pay_date: '2025-06-30' };
const JULY = { period_start: '2025-07-01', period_end: '2025-07-31', pay_date: '2025-07-31' };

let acme: Workspace;
let owner: SignedIn;
let hr: SignedIn;
let payrollUser: SignedIn;
let approver: SignedIn;
let accountant: SignedIn;
let employee: SignedIn;
let colleague: SignedIn;
let bank_account_id: string;
let ada: string;
let bob: string;
let june_id: string;
let july_id: string;
let loan_id: string;

const get = (path: string, by: SignedIn) => dataOf(by.get(path));
const post = (path: string, body: object, by: SignedIn) => dataOf(by.post(path, body, withIdempotencyKey()));
const show = (id: string, by = payrollUser) => get(`/api/payrolls/${id}`, by);
const attend = (employee_id: string, local_date: string, more: object) =>
  post('/api/attendance/create', { employee_id, local_date, reason: 'By the list at the door', ...more }, hr);
const entryOf = async (id: string, employee_id: string) =>
  (await get(`/api/payroll/entries/${id}?employee_id=${employee_id}`, payrollUser))[0];
const pay = (id: string, more: object = {}, query = '') =>
  approver.post(
    `/api/payroll/pay/${id}${query}`,
    { bank_account_id, paid_on: '2025-06-30', method: 'file', ...more },
    withIdempotencyKey(),
  );

async function calculated(id: string) {
  await post(`/api/payroll/run/${id}`, {}, payrollUser);
  return await waitFor(async () => {
    const run = await show(id);
    expect(run.status).toBe('calculated');
    return run;
  });
}

/** Requests a day of unpaid leave, which the owner approves. */
async function unpaidLeave(employee_id: string, day: string, more: object = {}): Promise<void> {
  const types: { id: string; code: string }[] = await get('/api/leave-types', hr);
  const leave_type_id = types.find(({ code }) => code === 'unpaid')?.id;
  const asked = { employee_id, leave_type_id, from: day, to: day, ...more };
  const { id } = await post('/api/leave-application/create', asked, hr);
  await post(`/api/leave-application/update-status/${id}`, { action: 'approve' }, owner);
}

/** Returns the ledger lines of a run's entries: memo and amount, negative for a credit. */
async function readJournalLines(source_id: string, purpose = 'approve.1'): Promise<Record<string, string>> {
  const path = `/api/journal-entries?source_type=payroll&source_id=${source_id}&purpose=${purpose}&expand=lines`;
  const [entry] = await get(path, accountant);
  return Object.fromEntries(
    entry.lines.map(({ memo, debit, credit }: Record<'memo' | 'debit' | 'credit', string>) => [
      memo,
      Number(debit) > 0 ? debit : `-${credit}`,
    ]),
  );
}

async function hire(name: string, user: SignedIn | undefined, more: object): Promise<string> {
  const [designation] = await get('/api/designations', hr);
  const departments: { id: string; branch_id: string }[] = await get('/api/departments', hr);
  const { department_id, id: designation_id } = designation;
  const place = {
    designation_id,
    department_id,
    branch_id: departments.find(({ id }) => id === department_id)?.branch_id,
  };
  const account = { account_number: 'DE02120300000000202051', bank_code: 'BYLADEM1001' };
  const bank = { bank_name: 'Example Bank', holder: name, ...account };
  const terms = { joining_date: '2025-01-01', employment_type: 'full', bank };
  const asked = { name, ...terms, ...place, ...(user && { user: { user_id: user.user.id } }), ...more };
  return (await post('/api/employee/create', asked, hr)).id;
}

async function componentsOf(parts: readonly object[]): Promise<{ component_id: string }[]> {
  const made = [];
  for (const part of parts) made.push({ component_id: (await post('/api/salary-component/create', part, hr)).id });
  return made;
}

beforeAll(async () => {
  acme = await openWorkspace(suite);
  ({ owner } = acme);
  const roles = ['hr', 'payroll', 'payroll', 'accountant', 'staff', 'staff'];
  [hr, payrollUser, approver, accountant, employee, colleague] = (await Promise.all(
    roles.map((role) => acme.hire(role)),
  )) as [SignedIn, SignedIn, SignedIn, SignedIn, SignedIn, SignedIn];
  const account = { bank_name: 'Third Bank', account_name: 'Wages', account_number: 'DE89370400440532013000' };
  const opening = { opening_balance: '50000.00', opening_date: '2025-01-02' };
  ({ id: bank_account_id } = await post('/api/bank-accounts/create', { ...account, ...opening }, owner));
}, 180_000);

describe('two employees', () => {
  test('are hired by hr, with their salaries', async () => {
    const salary = async (amount: string, parts: readonly object[]) => ({
      salary: { basis: 'monthly', amount, components: await componentsOf(parts) },
    });
    const opening = { ytd_opening: { taxable: '19668.10', tax: '3650.44' } };
    ada = await hire('Ada Lovelace', employee, { ...(await salary('4250.00', EXAMPLE_COMPONENTS)), ...opening });
    bob = await hire('Bob Noyce', colleague, await salary('3000.00', FLAT_TAX_COMPONENTS));
    expect(await get(`/api/employees?sort=name&fields=name,status`, hr)).toMatchObject([
      { name: 'Ada Lovelace', status: 'active' },
      { name: 'Bob Noyce', status: 'active' },
    ]);
  });

  test('include one who receives a loan from the bank account', async () => {
    const terms = { amount: '600.00', instalment: '150.00', first_period: '2025-06-01', paid_from: bank_account_id };
    const loan = await post('/api/employee-loan/create', { employee_id: ada, ...terms }, payrollUser);
    expect(loan).toMatchObject({ status: 'open', left: '600.00', paid_from: bank_account_id });
    loan_id = loan.id;
    const path = `/api/journal-entries?source_type=payroll_loan&source_id=${loan_id}&expand=lines`;
    const [{ lines }] = await get(path, accountant);
    expect(lines).toMatchObject([{ debit: '600.00' }, { credit: '600.00' }]);
  });
});

describe('a month of work', () => {
  test('includes unpaid leave, half a day missed, and approved overtime', async () => {
    await unpaidLeave(ada, '2025-06-10');
    await attend(ada, '2025-06-11', { status: 'half_day' });
    const late = { first_in: '2025-06-16T09:00:00Z', last_out: '2025-06-16T20:00:00Z' };
    const { id } = await attend(ada, '2025-06-16', late);
    await post(`/api/attendance/update/${id}`, { reason: 'Launch', overtime_approved: true }, hr);
    for (const day of ['2025-06-09', '2025-06-10']) await unpaidLeave(bob, day);
    await attend(bob, '2025-06-11', { first_in: '2025-06-11T09:00:00Z', last_out: '2025-06-11T14:00:00Z' });
    await unpaidLeave(bob, '2025-06-11', { half_day: 'first' });
    const days = await get(`/api/attendances?employee_id=${bob}&sort=local_date`, hr);
    expect(days.map(({ status }: { status: string }) => status)).toEqual(['on_leave', 'on_leave', 'half_day']);
  });
});

describe('the payroll of the new employees', () => {
  test('is run, and pays 2,948.47 for 19.5 days and 2,529.65 for 18.5 days', async () => {
    ({ id: june_id } = await post('/api/payroll/create', JUNE, payrollUser));
    const run = await calculated(june_id);
    expect(run).toMatchObject({ employee_count: 2, gross: '7495.88', employer_cost: '772.07', net: '5478.12' });
    const slips = await Promise.all(
      [ada, bob].map(async (id) => await get(`/api/payslip/${(await entryOf(june_id, id)).id}`, payrollUser)),
    );
    expect(slips).toMatchObject([
      { payment_days: '19.5', gross: '4553.02', total_deductions: '1604.55', net: '2948.47', tax: '720.68' },
      { payment_days: '18.5', gross: '2942.86', net: '2529.65', tax: '281.07' },
    ]);
  });

  test('is hidden from its employees until it is final', async () => {
    const entry = await entryOf(june_id, ada);
    expect((await employee.get(`/api/payslip/${entry.id}`)).status).toBe(404);
    expect((await employee.get('/api/payrolls')).status).toBe(403);
  });

  test('is approved by another user than its author', async () => {
    const own = await payrollUser.post(`/api/payroll/approve/${june_id}`, {});
    expect(own).toMatchObject({ status: 409, body: { code: 'four_eyes' } });
    expect((await hr.post(`/api/payroll/approve/${june_id}`, {})).status).toBe(403);
    const tried = await approver.post(`/api/payroll/approve/${june_id}?dry_run=true`, {});
    expect(await get(`/api/journal-entries?source_id=${june_id}`, accountant)).toEqual([]);
    const approved = await post(`/api/payroll/approve/${june_id}`, {}, approver);
    expect(approved).toMatchObject({ status: 'approved', number: 'PAY-2025-00001', journal: tried.body.data.journal });
  });

  test('is posted to the cent, without names of employees', async () => {
    expect(await readJournalLines(june_id)).toEqual({
      Salaries: '7495.88',
      "Employer's contributions": '772.07',
      'Net pay': '-5478.12',
      Pension: '-956.68',
      Health: '-613.20',
      Accident: '-53.20',
      'Income tax': '-1001.75',
      Union: '-15.00',
      'Loan instalment': '-150.00',
    });
    expect(await get('/api/accounting/trial-balance', accountant)).toMatchObject({ difference: '0.00' });
  });

  test('shows the accountant its totals, without the pay of employees', async () => {
    const seen = await show(june_id, accountant);
    for (const field of ['one_offs', 'differences']) expect(seen).not.toHaveProperty(field);
    for (const entry of seen.entries) for (const field of ['net', 'employee']) expect(entry).not.toHaveProperty(field);
    const entry = await entryOf(june_id, ada);
    expect((await accountant.get(`/api/payslip/${entry.id}`)).status).toBe(404);
  });

  test('shows employees their own payslips, including as PDF', async () => {
    const [own] = await get('/api/hrm/payslips', employee);
    expect(own).toMatchObject({
      net: '2948.47',
      status: 'finalised',
      number: expect.stringMatching(/^PSL-2025-00000/),
    });
    const letter = await employee.get(`/api/payslip/${own.id}`, { headers: { accept: 'application/pdf' } });
    expect(letter.headers.get('content-type')).toBe('application/pdf');
    expect((await colleague.get(`/api/payslip/${own.id}`)).status).toBe(404);
    const [loan] = (await get('/api/employee-loans', payrollUser)) as { left: string }[];
    expect(loan).toMatchObject({ id: loan_id, left: '450.00' });
  });
});

describe('the pay of the new employees', () => {
  test('is one bank transaction, without the withheld payslip', async () => {
    const { id } = await entryOf(june_id, bob);
    await post(`/api/payslip/withhold/${id}`, { reason: 'The account was closed' }, approver);
    const replies = await Promise.all(Array.from({ length: 5 }, () => pay(june_id)));
    for (const reply of replies) expect([200, 409]).toContain(reply.status);
    const run = (await pay(june_id)).body.data;
    expect(run).toMatchObject({ status: 'paid' });
    expect(run.allowed_actions).not.toContain('pay');
    const moved = async () =>
      (await get(`/api/bank-transactions?bank_account_id=${bank_account_id}`, owner)).map(
        ({ amount }: { amount: string }) => Number(amount),
      );
    expect((await moved()).filter((amount: number) => Math.abs(amount) === 2948.47)).toHaveLength(1);
    const released = await post(`/api/payslip/release/${id}`, { reason: 'There is a new one' }, approver);
    expect(released.status).toBe('finalised');
    expect((await show(june_id, approver)).allowed_actions).toContain('pay');
    expect((await pay(june_id)).body.data.allowed_actions).not.toContain('pay');
    expect((await moved()).filter((amount: number) => Math.abs(amount) === 2529.65)).toHaveLength(1);
  });
});

describe('a wrong payslip', () => {
  test('is corrected by the next payroll', async () => {
    const { salary: before } = await get(`/api/employee/show/${bob}?expand=salary`, hr);
    const components = before.components.map(({ component_id }: { component_id: string }) => ({ component_id }));
    const salary = { basis: 'monthly', amount: '3300.00', components };
    await post(`/api/employee/update/${bob}`, { salary, effective_from: '2025-06-01' }, hr);
    ({ id: july_id } = await post('/api/payroll/create', JULY, payrollUser));
    await calculated(july_id);
    const slip = await get(`/api/payslip/${(await entryOf(july_id, bob)).id}`, payrollUser);
    const { id: of_payroll_entry_id } = await entryOf(june_id, bob);
    expect(slip.earnings).toContainEqual(
      expect.objectContaining({ code: 'basic', amount: '264.28', of_payroll_entry_id }),
    );
    await post(`/api/payroll/approve/${july_id}`, {}, approver);
  });

  test('is reversed, the last run first, and negated in the books', async () => {
    const reverse = (id: string, more: object = {}) =>
      approver.post(`/api/payroll/reverse/${id}`, { reason: 'Of the wrong company', ...more }, withIdempotencyKey());
    expect(await reverse(june_id, { money: 'returned' })).toMatchObject({ status: 409, body: { code: 'later_run' } });
    expect((await reverse(july_id)).body.data.status).toBe('reversed');
    expect((await reverse(june_id)).body.errors).toHaveProperty('money');
    expect((await reverse(june_id, { money: 'returned' })).body.data.status).toBe('reversed');
    await waitUntilIdle(suite);
    expect((await show(june_id)).pending_effects).toEqual([]);
    const left = await suite.sql(
      'finance',
      `SELECT account.system_role, sum(line.debit - line.credit)::float AS balance FROM journal_lines AS line
       JOIN gl_accounts AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
       WHERE line.workspace_id = $1 AND account.system_role IN ('salaries_payable', 'salaries_expense', 'payroll_liabilities',
         'employee_advances') GROUP BY 1 HAVING sum(line.debit - line.credit) <> 0`,
      [acme.id],
    );
    // The whole loan is outstanding again.
    expect(left).toEqual([{ system_role: 'employee_advances', balance: 600 }]);
    expect(await get(`/api/employee-loans?status=open`, payrollUser)).toMatchObject([{ left: '600.00' }]);
  });
});

test('the auditor finds no fault', async () => {
  expect(await findAllViolations(suite)).toEqual([]);
}, 240_000);
