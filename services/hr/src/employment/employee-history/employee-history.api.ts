/** Employment history: each change with its first day and its cause. */
import { idOf } from '@suite/chassis/fields';
import { page, anyUser } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { EmployeeChange, EmployeeChangeFilter } from './employee-change.schema.ts';
import { listChanges, auditChanges } from './employee-history.ts';

export const list = query('GET /api/employee/history/{id}', {
  summary: 'List past and scheduled employment changes',
  description:
    'Returns past and scheduled changes of an employee. Requires `employee.view`, except for yourself. Expand `salary` with the permission `employee.salary`.',
  addition: 'Employment terms apply from a day on: without their history, a payslip cannot be explained.',
  access: anyUser,
  params: { id: idOf('employees') },
  query: EmployeeChangeFilter,
  reply: page(EmployeeChange),
  handle: ({ params, query, ...context }) => listChanges(context, params.id, query),
  auditAccess: auditChanges,
});
