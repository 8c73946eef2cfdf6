/** Approval of a payroll run: posts its journal and makes its payslips final. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { PayrollPending } from '../payroll-postings/posting-step.ts';
import { PeriodLocked } from '../payroll-postings/open-days.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { readPayroll, canSeeTotals } from '../payrolls/payroll.view.ts';
import { completeApproval, ApproverIsAuthor, InputsChanged, prepareApproval } from './approval.ts';
import { linesInCurrency, PayrollApproval, PayrollBooked } from './payroll-approval.schema.ts';

export const approve = command('POST /api/payroll/approve/{payroll_id}', {
  summary: 'Approve a payroll run',
  description:
    'Posts the journal and makes the payslips final. Returns `four_eyes` for the user who calculated the run, unless the setting is off. Returns `inputs_changed` if employee data has changed, with the employees in `details.changes`.',
  addition: 'The specification only reads runs and payslips: without these, payroll could not pay employees.',
  access: payrollStates.can('approve'),
  params: { payroll_id: idOf('payrolls') },
  query: { dry_run: DryRun },
  body: PayrollApproval,
  reply: ok(PayrollBooked),
  faults: [ApproverIsAuthor, InputsChanged, PeriodLocked, PayrollPending],
  prepare: ({ params, query: { dry_run }, body, ...context }) =>
    prepareApproval(context, params.payroll_id, { ...body, dry_run }),
  async handle({ params: { payroll_id }, prepared, ...context }) {
    await completeApproval(context, payroll_id, prepared);
    const run = await readPayroll(context.db, context.caller, payroll_id);
    return {
      ...run,
      ...(prepared &&
        canSeeTotals(context.caller, run) && { journal: linesInCurrency(context.caller.currency, prepared.journal) }),
    };
  },
});
