/** The work of a payroll user: off-cycle runs that are calculated, approved and paid. */
import { dataOf, type HttpCaller } from '@suite/testing/http';
import { waitUntil } from '@suite/testing/waiting';
import type { Task } from './load-worker.ts';

/** A workspace that pays its employees. */
export interface Payroll {
  employee_ids: string[];
  component_id: string;
  bank_account_id: string;
}

const PERIOD = { period_start: '2026-03-01', period_end: '2026-03-31', pay_date: '2026-03-31' };
/** Longer than a calculation that another process continues after a crash. */
const CALCULATED_MS = 120_000;

/** Employs people. One user may run, approve and pay. @param employees number of employees */
export async function openPayroll(owner: HttpCaller, employees: number): Promise<Payroll> {
  const post = (path: string, body: object) => dataOf(owner.post(path, body));
  const list = async (path: string): Promise<Record<string, string>[]> => await dataOf(owner.get(path));
  await waitUntil('hr has opened the workspace', async () => (await list('/api/designations')).length > 0);
  await post('/api/hrm-settings/update', { four_eyes: false });
  const [designation] = await list('/api/designations');
  const departments = await list('/api/departments?per_page=100');
  const { id: designation_id, department_id } = designation!;
  const branch_id = departments.find(({ id }) => id === department_id)?.['branch_id'];
  const component = {
    code: 'extra_pay',
    name: 'Extra pay',
    kind: 'earning',
    calc: 'fixed',
    amount: '0.00',
    one_off: true,
  };
  const { id: component_id } = await post('/api/salary-component/create', component);
  const employee_ids: string[] = [];
  for (let number = 1; number <= employees; number += 1) {
    const terms = { joining_date: '2025-01-01', employment_type: 'full', designation_id, department_id, branch_id };
    const salary = { basis: 'monthly', amount: '3000.00' };
    const employee = await post('/api/employee/create', { name: `Employee ${number}`, ...terms, salary });
    employee_ids.push(employee.id);
  }
  const [account] = await list('/api/bank-accounts');
  return { employee_ids, component_id, bank_account_id: String(account?.['id']) };
}

/** Amounts of employees are encrypted, so they are not kept for a repeated request. */
const withoutAmounts = ({ data }: { data: object }): unknown => ({ ...data, one_offs: undefined });

/** Pays a bonus to one employee. A payslip includes the earlier ones, so an employee has one run at a time. */
export const payBonus =
  ({ component_id, bank_account_id }: Payroll, employee_id: string): Task =>
  async ({ marker, step, look }) => {
    const one_offs = [{ employee_id, component_id, amount: '10.00', note: 'Extra pay' }];
    const run = { title: marker, ...PERIOD, type: 'off_cycle', one_offs };
    const { id } = await step('payroll', '/api/payroll/create', run, { gist: withoutAmounts });
    await step('payroll run', `/api/payroll/run/${id}`);
    const isCalculated = async () => (await look(`/api/payrolls?id[in]=${id}`))[0]?.status === 'calculated';
    await waitUntil('the payroll run is calculated', isCalculated, CALCULATED_MS);
    await step('payroll approval', `/api/payroll/approve/${id}`);
    const payment = { bank_account_id, paid_on: PERIOD.pay_date, method: 'file' };
    await step('payroll payment', `/api/payroll/pay/${id}`, payment);
  };
