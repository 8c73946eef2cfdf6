import { Id, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';

/** Access of a user to sensitive data of another employee. */
export const SensitiveAccess = z
  .object({
    id: Id,
    by: Id.describe('ID of the user who read the data.'),
    employee_id: Id.describe('ID of the employee, who may have been deleted since.'),
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
