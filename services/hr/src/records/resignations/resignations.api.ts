/** Resignations of employees, with their last day. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import { Decision, DecisionDryRun } from '../../employees/employee-records/employee-record.schema.ts';
import { EmploymentEnded, ExitBeforeJoining, OwnRecord } from '../../employment/employment/employment.rules.ts';
import {
  AlreadyDecided,
  AlreadyLeaving,
  LastDayOver,
  ExitNoticeTooShort,
  resignationStates,
} from '../exit-notices/exit-notice.rules.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import {
  OwnResignationFilter,
  OwnResignationInput,
  PlainResignation,
  Resignation,
  ResignationChanges,
  ResignationFilter,
  ResignationInput,
} from './resignation.schema.ts';
import {
  changeResignation,
  createResignation,
  decideResignation,
  listOwnResignations,
  listResignations,
  readResignation,
  removeResignation,
  resign as resignFrom,
  retractResignation,
} from './resignation.ts';

const ADDITION = 'The specification only lists HR records: without these, no records and no decisions would exist.';

const params = { id: idOf('resignations') };
const FAULTS = [EmploymentEnded, ExitBeforeJoining, ExitNoticeTooShort];

export const list = query('GET /api/resignations', {
  summary: 'List resignations',
  description: 'Returns the resignations that you may see, pending and decided. Expand `employee` for the names.',
  access: can('resignation.view'),
  query: ResignationFilter,
  reply: page(Resignation),
  handle: ({ query, ...context }) => listResignations(context, query),
});

export const own = query('GET /api/hrm/resignations', {
  summary: 'List your resignations',
  description: 'Returns your own resignations with their status and last day.',
  addition: 'Employees without permission to list records still see their own records, and no others.',
  access: employeesOnly,
  query: OwnResignationFilter,
  reply: page(Resignation),
  faults: [NotAnEmployee],
  handle: ({ query, ...context }) => listOwnResignations(context, query),
});

export const show = query('GET /api/resignation/show/{id}', {
  summary: 'Get a resignation',
  description: 'Returns a resignation. Requires `resignation.view`, except for your own.',
  addition: 'A user who gets the ID of a record, for example by e-mail, can view it without the list.',
  access: anyUser,
  params,
  reply: ok(Resignation),
  handle: ({ params: { id }, ...context }) => readResignation(context, id),
});

export const create = command('POST /api/resignation/create', {
  summary: 'Create a resignation',
  description:
    'Creates a pending resignation that an employee has submitted outside the suite. Returns `already_leaving` if another resignation or termination is open. Returns `notice_too_short` for a day within the notice period, unless `waive_notice` is `true`.',
  addition: ADDITION,
  access: can('resignation.create'),
  query: DecisionDryRun,
  body: ResignationInput,
  reply: created(PlainResignation),
  faults: [OwnRecord, AlreadyLeaving, ...FAULTS],
  handle: ({ body, ...context }) => createResignation(context, body),
});

export const resign = command('POST /api/hrm/resignation', {
  summary: 'Submit your resignation',
  description:
    'Creates your resignation, with today as the date of notice. Returns `notice_too_short` if the last day is within the notice period. Returns `already_leaving` if another resignation or termination is open.',
  addition: ADDITION,
  access: employeesOnly,
  query: DecisionDryRun,
  body: OwnResignationInput,
  reply: created(PlainResignation),
  faults: [NotAnEmployee, AlreadyLeaving, ...FAULTS],
  handle: ({ body, ...context }) => resignFrom(context, body),
});

export const retract = command('POST /api/hrm/resignation-withdraw/{id}', {
  summary: 'Withdraw your resignation',
  description:
    'Withdraws your pending resignation. Returns `already_decided` after a decision. Ask a user who decides on resignations to withdraw it.',
  addition: 'An employee may withdraw a resignation until it has been decided on.',
  access: employeesOnly,
  params,
  reply: ok(PlainResignation),
  faults: [NotAnEmployee, AlreadyDecided],
  handle: ({ params: { id }, ...context }) => retractResignation(context, id),
});

export const update = command('POST /api/resignation/update/{id}', {
  summary: 'Update a pending resignation',
  description:
    'Updates a pending resignation and checks the notice period again. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: resignationStates.can('update'),
  params,
  body: ResignationChanges,
  reply: ok(PlainResignation),
  faults: [OwnRecord, ...FAULTS],
  handle: ({ params: { id }, body, expect, ...context }) => changeResignation(context, id, body, expect),
});

export const decide = command('POST /api/resignation/update-status/{id}', {
  summary: 'Approve or reject a resignation',
  description:
    'Decides on a resignation. After approval, the employee serves the notice period until the last day. The employment ends at 00:00 on the next day. If the resignation is withdrawn before then, the employment continues.',
  addition: ADDITION,
  access: resignationStates.can('approve', 'reject', 'withdraw'),
  params,
  query: DecisionDryRun,
  body: Decision,
  reply: ok(PlainResignation),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining, LastDayOver],
  handle: ({ params: { id }, body, expect, ...context }) => decideResignation(context, id, body, expect),
});

export const remove = command('DELETE /api/resignation/delete/{id}', {
  summary: 'Delete a pending resignation',
  description: 'Deletes a pending resignation. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: resignationStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => removeResignation(context, id),
});
