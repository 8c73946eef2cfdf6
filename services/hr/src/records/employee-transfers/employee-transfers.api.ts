/** Employee transfers to another branch, department or manager, effective on a day after approval. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { Decision, DecisionDryRun } from '../../employees/employee-records/employee-record.schema.ts';
import { EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { ManagerCircle } from '../../employment/employment/reporting-line.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { transferStates } from './employee-transfer.rules.ts';
import {
  EmployeeTransfer,
  OwnTransferFilter,
  PlainTransfer,
  TransferChanges,
  TransferFilter,
  TransferInput,
} from './employee-transfer.schema.ts';
import { changeTransfer, createTransfer, decideTransfer, removeTransfer } from './employee-transfer.ts';
import { listOwnTransfers, listTransfers, readTransfer } from './employee-transfer.view.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('employee_transfers') };
const FAULTS = [OwnRecord, EmploymentEnded, ManagerCircle];

export const list = query('GET /api/employee-transfers', {
  summary: 'List employee transfers',
  description:
    'Returns the transfers that you may see. Expand `to_branch`, `to_department` and `to_manager` for the names.',
  access: can('employee_transfer.view'),
  query: TransferFilter,
  reply: page(EmployeeTransfer),
  handle: ({ query, ...context }) => listTransfers(context, query),
});

export const own = query('GET /api/hrm/employee-transfers', {
  summary: 'List your transfers',
  description: 'Returns your approved transfers. Pending and rejected proposals are not included.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnTransferFilter,
  reply: page(EmployeeTransfer),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnTransfers(context, query),
});

export const show = query('GET /api/employee-transfer/show/{id}', {
  summary: 'Get an employee transfer',
  description: 'Returns a transfer. Requires `employee_transfer.view`, except for your own once approved.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(EmployeeTransfer),
  handle: ({ params: { id }, ...context }) => readTransfer(context, id),
});

export const create = command('POST /api/employee-transfer/create', {
  summary: 'Propose an employee transfer',
  description:
    'Creates a pending transfer to another branch, department, manager, or any combination. The designation stays. Nothing changes until approval.',
  addition: ADDITION,
  access: can('employee_transfer.create'),
  query: DecisionDryRun,
  body: TransferInput,
  reply: created(PlainTransfer),
  faults: FAULTS,
  handle: ({ body, ...context }) => createTransfer(context, body),
});

export const update = command('POST /api/employee-transfer/update/{id}', {
  summary: 'Update a pending employee transfer',
  description:
    'Updates a pending transfer and checks it like a new one. Returns 409 `invalid_transition` once it has been decided, and `manager_circle` for a circular reporting line.',
  addition: ADDITION,
  access: transferStates.can('update'),
  params,
  body: TransferChanges,
  reply: ok(PlainTransfer),
  faults: FAULTS,
  handle: ({ params: { id }, body, expect, ...context }) => changeTransfer(context, id, body, expect),
});

export const decide = command('POST /api/employee-transfer/update-status/{id}', {
  summary: 'Approve or reject an employee transfer',
  description:
    'Decides on a transfer. An approved transfer takes effect at 00:00 of its day in the workspace time zone. Past days take effect immediately. The transfer is withdrawn automatically if it is not possible on that day. `remark` states the reason.',
  addition: ADDITION,
  access: transferStates.can('approve', 'reject', 'withdraw'),
  params,
  query: DecisionDryRun,
  body: Decision,
  reply: ok(PlainTransfer),
  faults: FAULTS,
  handle: ({ params: { id }, body, expect, ...context }) => decideTransfer(context, id, body, expect),
});

export const remove = command('DELETE /api/employee-transfer/delete/{id}', {
  summary: 'Delete a pending employee transfer',
  description: 'Deletes a pending transfer. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: transferStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeTransfer(context, id),
});
