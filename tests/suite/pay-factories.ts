/** Payroll records: a paid run, a calculated one, a draft, and loans. */
import { dataOf } from '@suite/testing/http';
import { waitUntil } from '@suite/testing/waiting';
import type { FactoryContext } from './draft.ts';

/** Pays out a day of leave to an employee, by a run of that day for this employee only. */
async function payLeaveOut(
  { owner, word }: Pick<FactoryContext, 'owner' | 'word'>,
  employee_id: string,
): Promise<void> {
  const post = (path: string, body: object) => dataOf(owner.post(path, body));
  const type = { name: `${word} paid out`, code: 'paid_out', encashable: true, days_per_year: '0', accrual: 'upfront' };
  const { id: leave_type_id } = await post('/api/leave-type/create', type);
  const of = { employee_id, leave_type_id, days: '1', reason: word };
  await post('/api/leave-balance/adjust', { ...of, valid_from: '2026-01-01' });
  const { ledger_lines } = await post('/api/leave-balance/encash', of);
  const day = ledger_lines.find(({ kind }: { kind: string }) => kind === 'encash').valid_from;
  const people: { id: string }[] = await dataOf(owner.get('/api/employees?per_page=100'));
  const { id } = await post('/api/payroll/create', {
    title: word,
    period_start: day,
    period_end: day,
    pay_date: day,
    exclude_employee_ids: people.flatMap((one) => (one.id === employee_id ? [] : one.id)),
  });
  await post(`/api/payroll/run/${id}`, {});
  await waitUntil(
    'the payroll run is calculated',
    async () => (await dataOf(owner.get(`/api/payrolls/${id}`))).status === 'calculated',
  );
  await post(`/api/payroll/approve/${id}`, {});
}

/** Creates payroll runs for an employee in several states, and a loan. */
export async function createPay(
  { owner, stock, word }: Omit<FactoryContext, 'gateway'>,
  employee_id: string,
): Promise<void> {
  const post = (path: string, body: object) => dataOf(owner.post(path, body));
  const earning = { kind: 'earning', calc: 'fixed', amount: '0.00', one_off: true };
  const component = await post('/api/salary-component/create', { code: 'paid_once', name: word, ...earning });
  const june = { title: word, period_start: '2026-06-01', period_end: '2026-06-30', pay_date: '2026-06-30' };
  const one_offs = [{ employee_id, component_id: component.id, amount: '250.00', note: word }];
  // An off-cycle run pays only the employees that it names.
  const draft = async (): Promise<string> =>
    (await post('/api/payroll/create', { ...june, type: 'off_cycle', one_offs })).id;
  const calculated = async (): Promise<string> => {
    const id = await draft();
    await post(`/api/payroll/run/${id}`, {});
    const isCalculated = async () => (await dataOf(owner.get(`/api/payrolls/${id}`))).status === 'calculated';
    await waitUntil('the payroll run is calculated', isCalculated);
    return id;
  };
  // The workspace has no other user who could approve the run.
  await post('/api/hrm-settings/update', { four_eyes: false });
  // A payslip includes the earlier ones, so each run is approved before the next one is calculated.
  const approvedOne = async (): Promise<string> => {
    const id = await calculated();
    await post(`/api/payroll/approve/${id}`, {});
    return id;
  };
  const slipsOf = async (id: string): Promise<string[]> => {
    const slips: { id: string }[] = await dataOf(owner.get(`/api/payroll/entries/${id}`));
    return slips.map((slip) => slip.id);
  };
  await payLeaveOut({ owner, word }, employee_id);
  const [paid, withheld, approved] = [await approvedOne(), await approvedOne(), await approvedOne()];
  await post('/api/hrm-settings/update', { four_eyes: true });
  const held = await slipsOf(withheld);
  await post(`/api/payslip/withhold/${held[0]}`, { reason: word });
  const waiting = await calculated();
  const [{ id: bank_account_id }] = await dataOf(owner.get('/api/bank-accounts'));
  const file = await post(`/api/payroll/payment-file/${paid}`, { bank_account_id, format: 'csv' });
  await post(`/api/payroll/pay/${paid}`, { bank_account_id, paid_on: '2026-06-30', method: 'file' });
  stock.set('payment_file', [file.id]);
  stock.set('payroll_entry', await slipsOf(paid)).set('withheld_payslip', held);
  stock.set('approved_payroll', [approved]).set('calculated_payroll', [waiting]);
  stock.set('drafted_payroll', [await draft()]);
  stock.set('payroll', [await draft(), waiting, paid, await draft()]);
  const loan = {
    employee_id,
    amount: '600.00',
    instalment: '100.00',
    first_period: '2026-07-01',
    paid_from: bank_account_id,
  };
  const called = await post('/api/employee-loan/create', loan);
  await post(`/api/employee-loan/cancel/${called.id}`, { rest: 'recover', reason: word });
  const waived = await post('/api/employee-loan/create', loan);
  await post(`/api/employee-loan/cancel/${waived.id}`, { rest: 'waive', reason: word });
}
