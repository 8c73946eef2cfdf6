import { choice, Day, Id, inner, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { Salary } from '../salary-components/salary.schema.ts';
import { DATED } from '../employment/employment-terms.ts';

/** Employee term with its value from a given day. */
export const EmployeeChange = z
  .object({
    id: Id,
    employee_id: Id,
    user_id: Id.nullable().describe('ID of the user account of the employee.'),
    employment_id: Id,
    field: choice(...DATED, 'salary', 'status'),
    before: z.string().nullable().describe('Value before the change. `null` for a salary.'),
    value: z
      .string()
      .nullable()
      .describe('Value after the change: an ID or a value. `null` for none, and for a salary.'),
    salary: inner(Salary.nullable(), 'employee.salary', { person: 'user_id' }),
    effective_from: Day,
    seq: z.int().describe('Sequence number of changes on the same day. The highest one applies.'),
    cause: choice('joining', 'promotion', 'transfer', 'manual', 'rehire'),
    cause_id: Id.nullable().describe('ID of the promotion or transfer that caused the change.'),
    reason: z.string().nullable().describe('Reason for a change of status.'),
    created_by: Id.nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'EmployeeChange' });

export const EmployeeChangeFilter = list(EmployeeChange, {
  filter: ['field', 'effective_from', 'cause', 'created_at'],
  sort: ['effective_from', 'created_at'],
  order: '-effective_from',
  expand: ['salary'],
});
