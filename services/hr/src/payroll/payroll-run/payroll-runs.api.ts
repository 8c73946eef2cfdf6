/** Calculation of a payroll run, before its approval. */
import { idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { NobodyToPay, payrollStates, PeriodOverlaps } from '../payrolls/payroll.rules.ts';
import { PayrollDryRun, PayrollDryRunResult } from '../payrolls/payroll.schema.ts';
import { tryRun, auditPreview } from './dry-run.ts';
import { startRun } from './start-run.ts';
import { readPayroll } from '../payrolls/payroll.view.ts';

export const start = command('POST /api/payroll/run/{payroll_id}', {
  summary: 'Calculate a payroll run',
  description:
    'Starts the calculation in the background. `progress` shows its state. A failed run calculates missing payslips only. A calculated run calculates all payslips again. A dry run returns the first payslips to users who may see salaries.',
  addition: 'The specification only reads runs and payslips: without these, payroll could not pay employees.',
  access: payrollStates.can('run'),
  params: { payroll_id: idOf('payrolls') },
  query: PayrollDryRun,
  reply: ok(PayrollDryRunResult),
  faults: [PeriodOverlaps, NobodyToPay],
  // A dry run writes nothing itself. The access to its amounts is recorded in the access log before.
  async prepare({ params, query, caller, request, read, write }) {
    if (query.dry_run) await auditPreview({ read, write }, { caller, request_id: request.id }, params.payroll_id);
  },
  async handle({ params: { payroll_id }, query, expect, ...context }) {
    if (query.dry_run) return await tryRun(context, payroll_id, expect);
    await startRun(context, payroll_id, expect);
    return await readPayroll(context.db, context.caller, payroll_id);
  },
});
