import { choice, Id, input, record, ShortText, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { EmployeeLabel } from '../employees/employee.schema.ts';
import { requestStates } from './request.rules.ts';

/** Fields that employees cannot change without confirmation. */
export const CONFIRMED_FIELDS = ['bank', 'national_id', 'tax_id'] as const;
export type ConfirmedField = (typeof CONFIRMED_FIELDS)[number];

/** Change of sensitive data, requested by the employee. */
export const ChangeRequest = record({
  employee_id: Id,
  field: choice(...CONFIRMED_FIELDS),
  last_4: z.string().nullable().describe('Last characters of the pending value, for users who can see the field.'),
  status: choice('pending', 'confirmed', 'rejected'),
  decided_by: Id.nullable(),
  decided_at: Timestamp.nullable(),
  reason: z.string().nullable(),
  allowed_actions: Actions(requestStates),
  employee: EmployeeLabel.nullable().optional(),
}).meta({ id: 'ChangeRequest' });

export const ChangeRequestFilter = list(ChangeRequest, {
  filter: ['employee_id', 'field', 'status', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at'],
  search: searchedEmployee,
  expand: ['employee'],
});

export const RequestDecision = input({
  action: choice('confirm', 'reject'),
  reason: ShortText().min(1).optional(),
});
export type RequestDecision = z.output<typeof RequestDecision>;
