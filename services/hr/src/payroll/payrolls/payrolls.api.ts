/** Payroll runs for a period, with their totals. A run is approved before it is paid. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { PayrollPending } from '../payroll-postings/posting-step.ts';
import { listEntries, auditEntries } from './payroll-entries.ts';
import { auditDetails, readPayrollDetails, addOneOffs } from './payroll-details.ts';
import { assertPeriodOpen, cancelPayroll, changePayroll, createPayroll, removePayroll } from './payroll.ts';
import { PeriodLocked } from '../payroll-postings/open-days.ts';
import { NobodyToPay, payrollStates, PeriodOverlaps } from './payroll.rules.ts';
import {
  Payroll,
  PayrollCancelling,
  PayrollChanges,
  PayrollDetails,
  PayrollEntry,
  PayrollEntryFilter,
  PayrollFilter,
  PayrollInput,
  WrittenPayroll,
} from './payroll.schema.ts';
import { listPayrolls } from './payroll.view.ts';

const ADDITION = 'The specification only reads runs and payslips: without these, payroll could not pay employees.';

export const list = query('GET /api/payrolls', {
  summary: 'List payroll runs',
  description:
    'Returns payroll runs with their status and sums. Sums require the record scope `all` for payroll. The sums of a run of one or two employees also require `employee.salary`.',
  access: can('payroll.view'),
  query: PayrollFilter,
  reply: page(Payroll),
  handle: ({ db, caller, query }) => listPayrolls(db, caller, query),
});

export const show = query('GET /api/payrolls/{payroll_id}', {
  summary: 'Get a payroll run',
  description:
    'Returns a run with totals by component, its journal, failed payslips and differences to the last run. Names and amounts of employees require `employee.salary`, and the access is logged.',
  access: can('payroll.view'),
  params: { payroll_id: idOf('payrolls') },
  reply: ok(PayrollDetails),
  handle: ({ params, ...context }) => readPayrollDetails(context, params.payroll_id),
  auditAccess: auditDetails,
});

export const entries = query('GET /api/payroll/entries/{payroll_id}', {
  summary: 'List the payslips of a payroll run',
  description: 'Returns the payslips of a run. Amounts and names require `employee.salary`, and the access is logged.',
  addition: ADDITION,
  access: can('payroll.view'),
  params: { payroll_id: idOf('payrolls') },
  query: PayrollEntryFilter,
  reply: page(PayrollEntry),
  handle: ({ params, query, ...context }) => listEntries(context, params.payroll_id, query),
  auditAccess: ({ shown, caller, request, write }) => auditEntries(write, { caller, request_id: request.id }, shown),
});

export const create = command('POST /api/payroll/create', {
  summary: 'Create a draft payroll run',
  description:
    'Creates a draft for all employees of the period, or those in `one_offs` of an off-cycle run. Returns `period_overlaps` if an employee is in another regular run of the period. Returns `nobody_to_pay` without employees.',
  addition: ADDITION,
  access: can('payroll.run'),
  body: PayrollInput,
  reply: created(WrittenPayroll),
  faults: [PeriodOverlaps, PeriodLocked, NobodyToPay],
  prepare: ({ body, rpc }) => assertPeriodOpen(rpc, body.period_end),
  handle: async ({ body, ...context }) => addOneOffs(context, await createPayroll(context, body)),
});

export const update = command('POST /api/payroll/update/{payroll_id}', {
  summary: 'Update a payroll run',
  description:
    'Updates a run that is not approved. A calculated run becomes a draft again. Returns `period_locked` if its accounting period is locked.',
  addition: ADDITION,
  access: payrollStates.can('update'),
  params: { payroll_id: idOf('payrolls') },
  body: PayrollChanges,
  reply: ok(WrittenPayroll),
  faults: [PeriodOverlaps, PeriodLocked, NobodyToPay],
  prepare: ({ body, rpc }) => assertPeriodOpen(rpc, body.period_end),
  handle: async ({ params, body, expect, ...context }) =>
    addOneOffs(context, await changePayroll(context, params.payroll_id, body, expect)),
});

export const remove = command('DELETE /api/payroll/delete/{payroll_id}', {
  summary: 'Delete a draft payroll run',
  description: 'Deletes a draft with its payslips. Returns `payroll_pending` while its reversal is being posted.',
  addition: ADDITION,
  access: payrollStates.can('delete'),
  params: { payroll_id: idOf('payrolls') },
  reply: removed,
  faults: [PayrollPending],
  handle: ({ db, caller, params }) => removePayroll(db, caller, params.payroll_id),
});

export const cancel = command('POST /api/payroll/cancel/{payroll_id}', {
  summary: 'Cancel a payroll run',
  description: 'Cancels a payroll run before its approval. Its period becomes available for another run.',
  addition: ADDITION,
  access: payrollStates.can('cancel'),
  params: { payroll_id: idOf('payrolls') },
  body: PayrollCancelling,
  reply: ok(Payroll),
  handle: ({ params, body, expect, ...context }) => cancelPayroll(context, params.payroll_id, body.reason, expect),
});
