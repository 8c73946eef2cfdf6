/** Employees: the people of a company, employed from a day on, on terms that change from a day on. */
import { can, idOf, ok, page, signedIn } from '@suite/chassis';
import { query } from '../operations.ts';
import { witnessEmployees } from './employee-seals.ts';
import { Employee, EmployeeDetails, EmployeeFilter, EmployeeView } from './employee.schema.ts';
import { listEmployees, readEmployee } from './employee.view.ts';

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
  summary: 'Show an employee',
  description:
    'It takes `employee.view`, but of oneself. That somebody else was shown a salary, or what he had revealed, is written down.',
  access: signedIn,
  params: { id: idOf('employees') },
  query: EmployeeView,
  reply: ok(EmployeeDetails),
  handle: ({ params, query, ...reader }) => readEmployee(reader, params.id, query),
  witness: witnessEmployees,
});
