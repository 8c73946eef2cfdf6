/** States of employees: from the first day to the last one, and perhaps once more. */
import { DryRun, idOf, ok } from '@suite/chassis';
import { PlainEmployee } from '../employees/employee.schema.ts';
import { IdentityTaken, JoiningOutOfRange, ProbationBeforeJoining } from '../employees/employee.rules.ts';
import { employeeStates, EmploymentEnded, ExitBeforeJoining, OwnRecord } from '../employment/employment.rules.ts';
import { ManagerCircle } from '../employment/reporting-line.ts';
import { WrongDesignation } from '../employment/workplace.ts';
import { command } from '../operations.ts';
import { changeStatus, continueEmployment, endEmployment, rehire as hireAgain } from './employee-status.ts';
import { Ending, Rehiring, StatusChange } from './employee-status.schema.ts';

const params = { id: idOf('employees') };

export const update = command('POST /api/employee/update-status/{id}', {
  summary: 'Update the status of an employee',
  description:
    'Suspends somebody or has him come back, begins or ends a long leave, or activates him before a schedule does.',
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
    'The employee is on notice until the last day, and has left at 00:00 of the day after it in the zone of the workspace: then his login ends, and his people are led by his manager. Said again, another last day holds.',
  access: employeeStates.can('give_notice'),
  params,
  query: { dry_run: DryRun },
  body: Ending,
  reply: ok(PlainEmployee),
  faults: [OwnRecord, EmploymentEnded, ExitBeforeJoining],
  handle: ({ params: { id }, body, expect, ...context }) => endEmployment(context, id, body, expect),
});

export const carryOn = command('POST /api/employee/continue-employment/{id}', {
  summary: 'Withdraw a notice of termination',
  access: employeeStates.can('stay'),
  params,
  reply: ok(PlainEmployee),
  faults: [OwnRecord],
  handle: ({ params: { id }, ...context }) => continueEmployment(context, id),
});

export const rehire = command('POST /api/employee/rehire/{id}', {
  summary: 'Rehire a former employee',
  description: 'A new employment of the same person, with the same code, from a day after the last one.',
  access: employeeStates.can('rehire'),
  params,
  query: { dry_run: DryRun },
  body: Rehiring,
  reply: ok(PlainEmployee),
  faults: [OwnRecord, IdentityTaken, JoiningOutOfRange, ProbationBeforeJoining, ManagerCircle, WrongDesignation],
  handle: ({ params: { id }, body, expect, ...context }) => hireAgain(context, id, body, expect),
});
