/** Reversal of an approved payroll run. Its period becomes available again. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { PayrollReversalInput, PayrollReversed } from '../payroll-approval/payroll-approval.schema.ts';
import { PayrollPending, Reconciled } from '../payroll-postings/posting-step.ts';
import { PeriodLocked } from '../payroll-postings/open-days.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { readPayroll } from '../payrolls/payroll.view.ts';
import { BeforeEntry, completeReversal, LaterRun, prepareReversal } from './reversal.ts';

export const reverse = command('POST /api/payroll/reverse/{payroll_id}', {
  summary: 'Reverse a payroll run',
  description:
    'Reverses the journal of the run and, if the money has been returned, its payments. Money to recover becomes a receivable from the employees. Finance posts the entries within seconds. Until then they are listed in `pending_effects`.',
  addition: 'The specification only reads runs and payslips: without these, payroll could not pay employees.',
  access: payrollStates.can('reverse'),
  params: { payroll_id: idOf('payrolls') },
  query: { dry_run: DryRun },
  body: PayrollReversalInput,
  reply: ok(PayrollReversed),
  faults: [LaterRun, BeforeEntry, PeriodLocked, PayrollPending, Reconciled],
  prepare: ({ params, query: { dry_run }, body, ...context }) =>
    prepareReversal(context, params.payroll_id, body, dry_run),
  async handle({ params: { payroll_id }, body, prepared, ...context }) {
    await completeReversal(context, payroll_id, { prepared, body });
    const run = await readPayroll(context.db, context.caller, payroll_id);
    const reversal_dates = (prepared?.reversed ?? []).map(({ journal_id, day: date }) => ({ journal_id, date }));
    return { ...run, reversal_dates };
  },
});
