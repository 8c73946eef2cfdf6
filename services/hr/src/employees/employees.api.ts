/** Employees: the people of a company, employed from a day on, on terms that change from a day on. */
import { can, created, DryRun, idOf, ok, page, PlanLimit, removed, signedIn } from '@suite/chassis';
import { EmailTaken, LoginActive, prepareUser, RoleExceedsCaller, UserTaken } from '../employee-users/employee-user.ts';
import { employeeStates, EmploymentEnded, OwnRecord } from '../employment/employment.rules.ts';
import { ManagerCircle } from '../employment/reporting-line.ts';
import { WrongDesignation } from '../employment/workplace.ts';
import { command, query } from '../operations.ts';
import { changeEmployee } from './employee-changes.ts';
import { EmployeeChanges, EmployeeInput } from './employee-input.schema.ts';
import { witnessEmployees } from './employee-seals.ts';
import { CodeTaken, IbanInvalid, IdentityTaken, JoiningOutOfRange, ProbationBeforeJoining } from './employee.rules.ts';
import { Employee, EmployeeDetails, EmployeeFilter, EmployeeView, PlainEmployee } from './employee.schema.ts';
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
    'Salary, bank account and ids are shown where `expand` names them, to whoever may see them. With `reveal`, at most 20 at a time.',
  access: can('employee.view'),
  query: EmployeeFilter,
  reply: page(Employee),
  handle: ({ query, ...reader }) => listEmployees(reader, query),
  witness: witnessEmployees,
});

export const show = query('GET /api/employee/show/{id}', {
  summary: 'Get an employee',
  description:
    'It takes `employee.view`, but of oneself. That somebody else was shown a salary, or what he had revealed, is written down.',
  access: signedIn,
  params: { id: idOf('employees') },
  query: EmployeeView,
  reply: ok(EmployeeDetails),
  handle: ({ params, query, ...reader }) => readEmployee(reader, params.id, query),
  witness: witnessEmployees,
});

export const create = command('POST /api/employee/create', {
  summary: 'Create an employee',
  description:
    'Without a `code` it gets the next one. Salary, bank account, ids and what is private each take their own permission, and are not in the answer. A `user` requires the permissions for salary, bank account and personal data, because the login shows them. A new user is invited after the employee is created, with a role that you have yourself or one for daily work (`staff`, `agent`, or a role of your own without permissions over money or people).',
  access: can('employee.create'),
  query: { dry_run: DryRun },
  body: EmployeeInput,
  reply: created(PlainEmployee),
  faults: [...REFUSED, PlanLimit, EmailTaken, RoleExceedsCaller],
  prepare: ({ body, query, ...means }) =>
    prepareUser(means, body, { dry_run: query.dry_run, rehearse: (work) => createEmployee(work, body, {}) }),
  handle: ({ body, prepared, ...context }) => createEmployee(context, body, prepared),
});

export const update = command('POST /api/employee/update/{id}', {
  summary: 'Update an employee',
  description:
    'Branch, department, designation, manager, shift, calendar, type and salary change from `effective_from` on, and what was before stays known; what is to come is in `scheduled_changes`.',
  access: employeeStates.can('update'),
  params: { id: idOf('employees') },
  query: { dry_run: DryRun },
  body: EmployeeChanges,
  reply: ok(PlainEmployee),
  faults: [...REFUSED, PlanLimit, EmailTaken, RoleExceedsCaller, LoginActive, EmploymentEnded, OwnRecord],
  prepare: ({ params, body, query, expect, ...means }) =>
    prepareUser(means, body, {
      dry_run: query.dry_run,
      rehearse: (work) => changeEmployee(work, params.id, body, { expect }),
    }),
  handle: ({ params, body, prepared, expect, ...context }) =>
    changeEmployee(context, params.id, body, { ...prepared, expect }),
});

export const remove = command('DELETE /api/employee/delete/{id}', {
  summary: 'Delete an employee',
  description:
    'Only somebody who was entered by mistake: to whom nothing refers yet, else end the employment instead. A user who was made with the employee goes, too, unless he has signed in.',
  access: can('employee.delete'),
  params: { id: idOf('employees') },
  reply: removed,
  faults: [OwnRecord],
  handle: ({ params, ...context }) => removeEmployee(context, params.id),
});
