/** Status of employees, from onboarding to exit and rehiring. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { addEncrypted } from '../../employees/employees/employee-encrypted-fields.ts';
import { PlainEmployee, WrittenEmployee } from '../../employees/employees/employee.schema.ts';
import {
  IdentityTaken,
  JoiningOutOfRange,
  ProbationBeforeJoining,
} from '../../employment/employee-users/employee.rules.ts';
import {
  employeeStates,
  EmploymentEnded,
  ExitBeforeJoining,
  OwnRecord,
} from '../../employment/employment/employment.rules.ts';
import { ManagerCircle } from '../../employment/employment/reporting-line.ts';
import { WrongDesignation } from '../../employment/employment/workplace.ts';
import { command } from '../../operations.ts';
import { changeStatus, continueEmployment, endEmployment, rehire as hireAgain } from './employee-status.ts';
import { Ending, LeavingEmployee, Rehiring, StatusChange } from './employee-status.schema.ts';

const ADDITION =
  'Employees are suspended, on long leave, leave and return: the specification lacks these states, and payroll needs them.';

const params = { id: idOf('employees') };

export const update = command('POST /api/employee/update-status/{id}', {
  summary: 'Update the status of an employee',
  description:
    'Suspends or reinstates an employee, starts or ends a long leave, or activates them early. Writes the change to the employment history.',
  addition: ADDITION,
  access: employeeStates.can('activate', 'suspend', 'resume', 'begin_long_leave', 'end_long_leave'),
  params,
  body: StatusChange,
  reply: ok(PlainEmployee),
  faults: [OwnRecord],
  handle: ({ params: { id }, body, expect, ...context }) => changeStatus(context, id, body, expect),
});

export const end = command('POST /api/employee/end-employment/{id}', {
  summary: 'End an employment',
  description:
    'Sets the last day and the status `on_notice`. At 00:00 of the next day the employee has left. Their login then ends, and their reports move to their manager. Repeat the request to change the last day. `warnings` names open loans and recoveries.',
  addition: ADDITION,
  access: employeeStates.can('give_notice'),
  params,
  query: { dry_run: DryRun },
  body: Ending,
  reply: ok(LeavingEmployee),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining],
  handle: ({ params: { id }, body, expect, ...context }) => endEmployment(context, id, body, expect),
});

export const carryOn = command('POST /api/employee/continue-employment/{id}', {
  summary: 'Withdraw a notice of termination',
  description:
    'Withdraws the notice before the last day, so that the employment continues. Withdraws the approved resignation or termination as well. Returns 409 `invalid_transition` for employees who are not on notice.',
  addition: ADDITION,
  access: employeeStates.can('stay'),
  params,
  reply: ok(PlainEmployee),
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => continueEmployment(context, id),
});

export const rehire = command('POST /api/employee/rehire/{id}', {
  summary: 'Rehire a former employee',
  description:
    'Creates a new employment of the same person with the same code. Requires a joining date after the last day of the previous one.',
  addition: ADDITION,
  access: employeeStates.can('rehire'),
  params,
  query: { dry_run: DryRun },
  body: Rehiring,
  reply: ok(WrittenEmployee),
  faults: [OwnRecord, IdentityTaken, JoiningOutOfRange, ProbationBeforeJoining, ManagerCircle, WrongDesignation],
  handle: async ({ params: { id }, body, expect, ...context }) =>
    addEncrypted(context, await hireAgain(context, id, body, expect)),
});
