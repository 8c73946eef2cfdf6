/** Employee loans, repaid in instalments with each payslip. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, ok, page } from '@suite/chassis/operations';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { command, query } from '../../operations.ts';
import { FirstPeriodOutOfRange, LoanPending, loanStates } from './loan.rules.ts';
import { EmployeeLoan, EmployeeLoanFilter, EmployeeLoanInput, LoanCancellation } from './loan.schema.ts';
import { TodayLocked } from '../payroll-postings/open-days.ts';
import { prepareLoan } from './loan-payout.ts';
import { prepareCancellation } from './loan-waiver.ts';
import { assertLendable, cancelLoan, createLoan, waivableOf } from './loan.ts';
import { listLoans, showLoan, auditLoans } from './loan.view.ts';

const ADDITION =
  'A payslip is computed from components, component packs and loans: without these, pay could not be defined.';

export const list = query('GET /api/employee-loans', {
  summary: 'List employee loans',
  description: 'Returns loans with their instalments and outstanding amounts. Access to the loans of others is logged.',
  addition: ADDITION,
  access: can('employee.salary'),
  query: EmployeeLoanFilter,
  reply: page(EmployeeLoan),
  handle: ({ query, ...context }) => listLoans(context, query),
  auditAccess: auditLoans,
});

export const create = command('POST /api/employee-loan/create', {
  summary: 'Create an employee loan',
  description:
    'Creates a loan that payslips repay in instalments from `first_period` on. An instalment is limited to the net pay, and the remainder stays on the loan. Payslips in another currency deduct nothing. `paid_from` posts the payout from that bank account today. Without it, the money is paid outside the suite.',
  addition: ADDITION,
  access: can('payroll.run'),
  query: { dry_run: DryRun },
  body: EmployeeLoanInput,
  reply: created(EmployeeLoan),
  faults: [OwnRecord, EmploymentEnded, FirstPeriodOutOfRange, TodayLocked, LoanPending],
  prepare: ({ body, query: { dry_run }, ...context }) =>
    prepareLoan(context, body, {
      dry_run,
      check: (db, prepared) => assertLendable({ db, caller: context.caller, keys: context.keys, prepared }, body),
    }),
  async handle({ body, ...context }) {
    return await showLoan(context, await createLoan(context, body, context.prepared.payout));
  },
});

export const cancel = command('POST /api/employee-loan/cancel/{id}', {
  summary: 'Cancel an employee loan',
  description:
    'Stops further instalments. `rest` determines whether the next payslips recover the remaining amount or it is waived. Waiving a loan that was paid from a bank account moves the amount from employee advances to salary expenses today. Returns `loan_pending` if a payslip repays the loan at the same time.',
  addition: ADDITION,
  access: loanStates.can('cancel'),
  params: { id: idOf('employee_loans') },
  query: { dry_run: DryRun },
  body: LoanCancellation,
  reply: ok(EmployeeLoan),
  faults: [OwnRecord, TodayLocked, LoanPending],
  prepare: ({ params: { id }, body, query: { dry_run }, ...context }) =>
    prepareCancellation(context, { id, body, dry_run }, (db, prepared) =>
      waivableOf({ db, caller: context.caller, keys: context.keys, prepared }, id),
    ),
  async handle({ params: { id }, body, ...context }) {
    const refused = await cancelLoan(context, id, body);
    return refused ?? (await showLoan(context, id));
  },
});
