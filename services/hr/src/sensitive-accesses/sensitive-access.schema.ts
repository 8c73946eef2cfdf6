import { Id, list, Timestamp } from '@suite/chassis';
import { UserLabel } from '@suite/users';
import { z } from 'zod';

/** An access of one person to something sensitive of another. */
export const SensitiveAccess = z
  .object({
    id: Id,
    by: Id.describe('The user who was shown it.'),
    employee_id: Id.describe('The employee, who may have been deleted since.'),
    fields: z.array(z.string()).describe('`salary`, `bank`, `national_id`, `tax_id`, `loan` or `payslip`.'),
    request_id: z.string(),
    at: Timestamp,
    updated_at: Timestamp,
    user: UserLabel.nullable().optional(),
  })
  .meta({ id: 'SensitiveAccess' });

export const SensitiveAccessFilter = list(SensitiveAccess, {
  filter: ['by', 'employee_id', 'at'],
  sort: ['at'],
  order: '-at',
  expand: ['user'],
});
