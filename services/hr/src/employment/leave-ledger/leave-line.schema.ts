import { choice, Day, Id, QtyOut, refTo, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';

const KINDS = [
  'allocation',
  'accrual',
  'carry_forward',
  'taken',
  'restored',
  'expiry',
  'encash',
  'adjustment',
] as const;

/** Leave ledger line. Lines never change. */
export const LeaveLine = z
  .object({
    id: Id,
    employee_id: refTo('employees'),
    employment_id: Id,
    leave_type_id: refTo('leave_types'),
    kind: choice(...KINDS),
    days: QtyOut.describe(
      'Number of days: positive if granted or returned, negative if used or expired. A negative balance at the end of the employment is a positive `encash` entry, which the final pay deducts.',
    ),
    valid_from: Day.nullable().describe(
      'First day on which granted days can be used. For other entries, the day of the entry.',
    ),
    valid_to: Day.nullable(),
    lot_id: refTo('leave_ledger')
      .nullable()
      .describe('ID of the entry that granted these days. `null` for days planned ahead.'),
    application_id: refTo('leave_applications').nullable(),
    day: Day.nullable().describe('Day of the used or returned leave.'),
    reason: z.string().nullable(),
    created_by: Id.nullable().describe('ID of the user who created the entry. `null` for the system.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'LeaveLine' });

export const LeaveLineFilter = list(LeaveLine, {
  filter: ['employee_id', 'leave_type_id', 'kind', 'lot_id', 'application_id', 'valid_from', 'day', 'created_at'],
  sort: ['created_at', 'valid_from', 'day'],
  order: '-created_at',
  search: searchedEmployee,
});
