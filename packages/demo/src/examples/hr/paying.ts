/**
 * Factories for approved and paid payroll runs, and their example calls. `$approved_payroll` is the ID of a shared
 * record, and `$approved_payroll!` the ID of a record created for the call.
 */
import type { ExampleRecorder, ExampleCall, ExampleFactory, Row } from '../recorder/recorder.ts';
import { people } from '../platform/people.ts';
import { calculatedPayroll, slipOf } from './pay.ts';

/** Creates the account for salary payments. */
const wages: ExampleFactory = (recorder, serial) =>
  recorder.call('bankAccounts.create', {
    body: {
      bank_name: 'Third Bank',
      account_name: `Wages ${serial}`,
      holder: 'Northwind Bicycles',
      account_number: 'DE02 1203 0000 0000 2020 51',
      bic: 'BYLADEM1001',
      opening_balance: '50000.00',
      opening_date: '2026-01-02',
    },
  });

const PAID_ON = '2026-06-30';
const FORMAT = 'pain.001.001.09';

/** Creates an approved payroll run. Each factory starts at a different thousand, so that names are unique. */
const approvedPayroll = async (recorder: ExampleRecorder, serial: number, more: object = {}): Promise<Row> => {
  const { id: payroll_id } = await calculatedPayroll(recorder, serial, more);
  await recorder.call('payrollApproval.approve', { path: { payroll_id }, body: {} });
  return await recorder.call('payrolls.show', { path: { payroll_id } });
};

const paidPayroll: ExampleFactory = async (recorder, serial) => {
  const { id: payroll_id } = await approvedPayroll(recorder, serial + 2_000);
  const body = { bank_account_id: '$wages_account', paid_on: PAID_ON, method: 'file' };
  return await recorder.call('payrollPayments.pay', { path: { payroll_id }, body });
};

const finalSlip: ExampleFactory = async (recorder, serial) => slipOf(await approvedPayroll(recorder, serial + 3_000));

const withheldPayslip: ExampleFactory = async (recorder, serial) => {
  const { id: payroll_entry_id } = slipOf(await approvedPayroll(recorder, serial + 4_000));
  const body = { reason: 'The account was closed' };
  return await recorder.call('payrollPayments.withhold', { path: { payroll_entry_id }, body });
};

const paymentFile: ExampleFactory = async (recorder, serial) => {
  const { id: payroll_id } = await approvedPayroll(recorder, serial + 5_000);
  const body = { bank_account_id: '$wages_account', format: FORMAT };
  return await recorder.call('paymentFiles.make', { path: { payroll_id }, body });
};

/** Employee who signs in and sees their payslip. */
const paidEmployee: ExampleFactory = async (recorder, serial) => {
  const session = await people['person']!(recorder, serial + 7_000);
  await approvedPayroll(recorder, serial + 7_000, { user: { user_id: session.id } });
  return session;
};

export const paying = {
  wages_account: wages,
  approved_payroll: (recorder, serial) => approvedPayroll(recorder, serial + 1_000),
  paid_payroll: paidPayroll,
  final_payslip: finalSlip,
  withheld_payslip: withheldPayslip,
  payment_file: paymentFile,
  paid_clerk: paidEmployee,
} satisfies Record<string, ExampleFactory>;

export const payingCalls = {
  'payrollApproval.approve': { path: { payroll_id: '$payroll!' }, body: { journal_date: PAID_ON } },
  'payrollPayments.pay': {
    path: { payroll_id: '$approved_payroll!' },
    body: { bank_account_id: '$wages_account', paid_on: PAID_ON, method: 'file' },
  },
  'payrollPayments.withhold': {
    path: { payroll_entry_id: '$final_payslip!' },
    body: { reason: 'The account was closed' },
  },
  'payrollPayments.release': {
    path: { payroll_entry_id: '$withheld_payslip!' },
    body: { reason: 'There is a new account' },
  },
  'payrollReversal.reverse': {
    path: { payroll_id: '$paid_payroll!' },
    body: { reason: 'Paid by the parent company', money: 'returned' },
  },
  'paymentFiles.make': {
    path: { payroll_id: '$approved_payroll!' },
    body: { bank_account_id: '$wages_account', format: FORMAT },
  },
  'payslips.mine': { as: '$paid_clerk.access_token' },
  'paymentFiles.get': { path: { payment_file_id: '$payment_file' } },
} satisfies Record<string, ExampleCall>;
