/**
 * Factories for salary components and employee loans, and their example calls. `$salary_component` is the ID of a
 * shared record, and `$salary_component!` the ID of a record created for the call.
 */
import type { ExampleCall, ExampleFactory } from '../recorder/recorder.ts';
import { pay } from './pay.ts';

/** Returns a serial number as characters a to j: codes of components have no digits. */
const toLetters = (serial: number): string => String(serial).replaceAll(/\d/g, (digit) => 'abcdefghij'[Number(digit)]!);

const component: ExampleFactory = (recorder, serial) =>
  recorder.call('salaryComponents.create', {
    body: {
      code: `meals_${toLetters(serial)}`,
      name: `Meals ${serial}`,
      kind: 'earning',
      calc: 'fixed',
      amount: '60.00',
    },
  });

const LOAN = { amount: '1200.00', instalment: '100.00', first_period: '2026-07-01' };

const loan: ExampleFactory = async (recorder, serial) => {
  const { id: employee_id } = await pay.crew(recorder, serial + 6_000);
  return await recorder.call('employeeLoans.create', { body: { employee_id, ...LOAN } });
};

export const salaries = { salary_component: component, employee_loan: loan } satisfies Record<string, ExampleFactory>;

export const salaryCalls = {
  'salaryComponents.create': {
    body: {
      code: 'length_of_service',
      name: 'Length of service',
      kind: 'earning',
      calc: 'formula',
      formula: 'min(service_years * 20, 200)',
    },
  },
  'salaryComponents.update': { path: { id: '$salary_component!' }, body: { amount: '65.00' } },
  'salaryComponents.remove': { path: { id: '$salary_component!' } },
  'salaryComponents.check': {
    body: { formula: 'min(basic * 0.005, 15)', example: { basic: '3946.43' } },
  },
  'payrollPacks.install': { body: { code: 'progressive' } },
  'employeeLoans.create': { body: { employee_id: '$crew!', ...LOAN } },
  'employeeLoans.cancel': {
    path: { id: '$employee_loan!' },
    body: { rest: 'waive', reason: 'A present for ten years' },
  },
} satisfies Record<string, ExampleCall>;
