/** Payment of payslips. Withheld payslips await their release. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { soleApproverFor } from '../../employment/employment/own-record.ts';
import { command } from '../../operations.ts';
import { linesInCurrency, PayrollBooked } from '../payroll-approval/payroll-approval.schema.ts';
import { PayrollPending } from '../payroll-postings/posting-step.ts';
import { PeriodLocked } from '../payroll-postings/open-days.ts';
import { payrollStates, PaymentDateOutOfRange } from '../payrolls/payroll.rules.ts';
import { PayrollEntry } from '../payrolls/payroll.schema.ts';
import { readPayroll, canSeeTotals } from '../payrolls/payroll.view.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { AlreadyPaid, PayslipWithheld } from './payment.rules.ts';
import { completePayment, preparePayment } from './payment.ts';
import { PayrollPayment, PayslipReason } from './payroll-payment.schema.ts';
import { changeWithholding } from './withholding.ts';

const ADDITION = 'The specification only reads runs and payslips: without these, payroll could not pay employees.';

export const pay = command('POST /api/payroll/pay/{payroll_id}', {
  summary: 'Pay a payroll run',
  description:
    'Records the payment of all payslips or selected ones, as one bank transaction. The run is paid once all payslips except withheld ones are paid. Returns `payslip_withheld` or `already_paid` for selected payslips.',
  addition: ADDITION,
  access: payrollStates.can('pay'),
  params: { payroll_id: idOf('payrolls') },
  query: { dry_run: DryRun },
  body: PayrollPayment,
  reply: ok(PayrollBooked),
  faults: [PaymentDateOutOfRange, PeriodLocked, PayrollPending, PayslipWithheld, AlreadyPaid],
  prepare: ({ params, query: { dry_run }, body, ...context }) =>
    preparePayment(context, params.payroll_id, body, dry_run),
  async handle({ params: { payroll_id }, body: { paid_on }, prepared, ...context }) {
    await completePayment(context, payroll_id, { prepared, paid_on });
    const { db, caller } = context;
    const run = await readPayroll(db, caller, payroll_id);
    // The sums of a run and of a part of it differ by the net pay of the others, possibly a single employee.
    const employee_count = prepared?.pays_run ? prepared.slip_ids.length : 1;
    const isShown = prepared && canSeeTotals(caller, { employee_count });
    return { ...run, ...(isShown && { journal: linesInCurrency(run.currency, prepared.journal) }) };
  },
});

export const withhold = command('POST /api/payslip/withhold/{payroll_entry_id}', {
  summary: 'Withhold a payslip',
  description:
    'Excludes a final payslip from payment until it is released. Requires a reason. Returns `payroll_pending` while a payment of the run is being posted.',
  addition: ADDITION,
  access: payslipStates.can('withhold'),
  params: { payroll_entry_id: idOf('payroll_entries') },
  body: PayslipReason,
  reply: ok(PayrollEntry),
  faults: [OwnRecord, PayrollPending],
  prepare: soleApproverFor('payroll.approve'),
  handle: ({ params, body, request, ...context }) =>
    changeWithholding(
      { ...context, request_id: request.id },
      { id: params.payroll_entry_id, verb: 'withhold', ...body },
    ),
});

export const release = command('POST /api/payslip/release/{payroll_entry_id}', {
  summary: 'Release a withheld payslip',
  description:
    'Releases a withheld payslip, so that it can be paid. Returns `payroll_pending` while a payment of the run is being posted. Access to the amounts is logged.',
  addition: ADDITION,
  access: payslipStates.can('release'),
  params: { payroll_entry_id: idOf('payroll_entries') },
  body: PayslipReason,
  reply: ok(PayrollEntry),
  faults: [OwnRecord, PayrollPending],
  prepare: soleApproverFor('payroll.approve'),
  handle: ({ params, body, request, ...context }) =>
    changeWithholding(
      { ...context, request_id: request.id },
      { id: params.payroll_entry_id, verb: 'release', ...body },
    ),
});
