/** Employees and their employment. Terms of employment change on given days. */
import { PlanLimit } from '@suite/chassis/faults';
import { DryRun, idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed, anyUser } from '@suite/chassis/operations';
import {
  EmailTaken,
  LoginActive,
  prepareUser,
  RoleExceedsCaller,
  UserTaken,
} from '../../employment/employee-users/employee-user.ts';
import { employeeStates, EmploymentEnded, OwnRecord } from '../../employment/employment/employment.rules.ts';
import { ManagerCircle } from '../../employment/employment/reporting-line.ts';
import { WrongDesignation } from '../../employment/employment/workplace.ts';
import { command, query } from '../../operations.ts';
import { changeEmployee } from './employee-changes.ts';
import { EmployeeChanges, EmployeeInput } from './employee-input.schema.ts';
import { auditEmployees, addEncrypted } from './employee-encrypted-fields.ts';
import {
  CodeTaken,
  IbanInvalid,
  IdentityTaken,
  JoiningOutOfRange,
  ProbationBeforeJoining,
} from '../../employment/employee-users/employee.rules.ts';
import { Employee, EmployeeDetails, EmployeeFilter, EmployeeView, WrittenEmployee } from './employee.schema.ts';
import { createEmployee, removeEmployee } from './employee.ts';
import { listEmployees, readEmployee } from './employee.view.ts';

const REFUSED = [
  UserTaken,
  CodeTaken,
  IdentityTaken,
  ManagerCircle,
  JoiningOutOfRange,
  ProbationBeforeJoining,
  IbanInvalid,
  WrongDesignation,
];

export const list = query('GET /api/employees', {
  summary: 'List employees',
  description:
    'Returns the employees that you may see. Expand salary, bank account and IDs, if your permissions allow them. `reveal` returns full values for at most 20 employees and is logged.',
  access: can('employee.view'),
  query: EmployeeFilter,
  reply: page(Employee),
  handle: ({ query, ...context }) => listEmployees(context, query),
  auditAccess: auditEmployees,
});

export const show = query('GET /api/employee/show/{id}', {
  summary: 'Get an employee',
  description:
    'Returns an employee. Requires `employee.view`, except for yourself. Access to the salary or to revealed data of others is logged.',
  access: anyUser,
  params: { id: idOf('employees') },
  query: EmployeeView,
  reply: ok(EmployeeDetails),
  handle: ({ params, query, ...context }) => readEmployee(context, params.id, query),
  auditAccess: auditEmployees,
});

export const create = command('POST /api/employee/create', {
  summary: 'Create an employee',
  description:
    'Creates an employee. `code` defaults to the next free code. Salary, bank account, IDs and private data each require their own permission. Dry runs and replays do not return them. `user` also requires the permissions for salary, bank account and personal data. A new user is invited afterwards. Their role is your own, `staff`, `agent` or another role without permissions for money or users.',
  access: can('employee.create'),
  query: { dry_run: DryRun },
  body: EmployeeInput,
  reply: created(WrittenEmployee),
  faults: [...REFUSED, PlanLimit, EmailTaken, RoleExceedsCaller],
  prepare: ({ body, query, ...context }) =>
    prepareUser(context, body, { dry_run: query.dry_run, rehearse: (context) => createEmployee(context, body, {}) }),
  handle: async ({ body, prepared, ...context }) =>
    addEncrypted(context, await createEmployee(context, body, prepared)),
});

export const update = command('POST /api/employee/update/{id}', {
  summary: 'Update an employee',
  description:
    'Updates an employee. Branch, department, designation, manager, shift, calendar, type and salary change on `effective_from`. Previous values remain in the history. Future values are listed in `scheduled_changes`. Access to the salary is logged.',
  access: employeeStates.can('update'),
  params: { id: idOf('employees') },
  query: { dry_run: DryRun },
  body: EmployeeChanges,
  reply: ok(WrittenEmployee),
  faults: [...REFUSED, PlanLimit, EmailTaken, RoleExceedsCaller, LoginActive, EmploymentEnded, OwnRecord],
  prepare: ({ params, body, query, expect, ...context }) =>
    prepareUser(context, body, {
      dry_run: query.dry_run,
      rehearse: (context) => changeEmployee(context, params.id, body, { expect }),
    }),
  handle: async ({ params, body, prepared, expect, ...context }) =>
    addEncrypted(context, await changeEmployee(context, params.id, body, { ...prepared, expect })),
});

export const remove = command('DELETE /api/employee/delete/{id}', {
  summary: 'Delete an employee',
  description:
    'Deletes an employee who was entered by mistake. Returns 409 `in_use` if other records refer to them. End the employment instead. A user created with the employee is deleted unless they have signed in.',
  access: employeeStates.can('delete'),
  params: { id: idOf('employees') },
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params, ...context }) => removeEmployee(context, params.id),
});
