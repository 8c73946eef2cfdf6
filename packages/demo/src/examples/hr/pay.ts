/**
 * Factories for employees with a salary, and example calls for their pay. `$payroll_draft` is the ID of a shared
 * record, and `$payroll_draft!` the ID of a record created for the call.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { createEmployee } from './staff.ts';

/** Salary components that are deductions. Every workspace has them from the start. */
const KEPT_BACK = ['flat_pension', 'flat_tax'];

/**
 * Creates an employee with a salary and a bank account, alone in a department. A run for this department pays no other
 * employee.
 */
const hireCrew = async (recorder: ExampleRecorder, serial: number, more: object = {}): Promise<Row> => {
  const { id: branch_id } = await recorder.first('branches.list');
  const { id: department_id } = await recorder.call('departments.create', {
    body: { name: `Night shift ${serial}`, branch_id },
  });
  const { id: designation_id } = await recorder.call('designations.create', {
    body: { name: 'Rigger', department_id },
  });
  const found = await Promise.all(KEPT_BACK.map((code) => recorder.first('salaryComponents.list', { code })));
  const components = found.map(({ id: component_id }) => ({ component_id }));
  const salary = { basis: 'monthly', amount: '4250.00', currency: 'EUR', components };
  const bank = { bank_name: 'Commerzbank', account_number: 'DE89 3704 0044 0532 0130 00' };
  return await createEmployee(recorder, serial + 400, {
    branch_id,
    department_id,
    designation_id,
    salary,
    bank,
    ...more,
  });
};

const crew: ExampleFactory = (recorder, serial) => hireCrew(recorder, serial);

const JUNE = { period_start: '2026-06-01', period_end: '2026-06-30', pay_date: '2026-06-30' };

const draftOf = async (recorder: ExampleRecorder, { department_id }: Row): Promise<Row> =>
  await recorder.call('payrolls.create', { body: { ...JUNE, scope: { department_id } } });

const draft: ExampleFactory = async (recorder, serial) => draftOf(recorder, await crew(recorder, serial + 500));

const TRIES = 60;
const WAIT_MS = 500;

/**
 * Creates a calculated payroll run, which a schedule calculates. A user other than the owner starts it, so that the
 * owner may approve it.
 */
export const calculatedPayroll = async (recorder: ExampleRecorder, serial: number, more: object = {}): Promise<Row> => {
  const { id: payroll_id } = await draftOf(recorder, await hireCrew(recorder, serial + 600, more));
  const { access_token } = await recorder.shared('joint_owner');
  await recorder.call('payrollRuns.start', { as: String(access_token), path: { payroll_id } });
  for (let tries = 0; tries < TRIES; tries += 1) {
    const shown = await recorder.call('payrolls.show', { path: { payroll_id } });
    if (shown['status'] === 'calculated') return shown;
    await pause(WAIT_MS);
  }
  throw new Error('Payroll run not calculated. Check that the hr schedules run.');
};

/** Returns the payslip of the only employee in a payroll run. */
export const slipOf = ({ entries }: Row): Row => (entries as Row[])[0]!;

export const pay = {
  crew,
  payroll_draft: draft,
  payroll: calculatedPayroll,
  payslip: async (recorder, serial) => slipOf(await calculatedPayroll(recorder, serial + 200)),
} satisfies Record<string, ExampleFactory>;

export const payCalls = {
  'payrolls.create': {
    body: { title: 'Night shift, June', ...JUNE, scope: { department_id: '$crew!.department_id' } },
  },
  'payrolls.show': { path: { payroll_id: '$payroll' } },
  'payrolls.entries': { path: { payroll_id: '$payroll' } },
  'payrolls.update': { path: { payroll_id: '$payroll_draft!' }, body: { pay_date: '2026-06-29' } },
  'payrolls.remove': { path: { payroll_id: '$payroll_draft!' } },
  'payrolls.cancel': { path: { payroll_id: '$payroll_draft!' }, body: { reason: 'Paid by the parent company' } },
  'payrollRuns.start': { path: { payroll_id: '$payroll_draft!' } },
  'payslips.show': { path: { payroll_entry_id: '$payslip' } },
} satisfies Record<string, ExampleCall>;
