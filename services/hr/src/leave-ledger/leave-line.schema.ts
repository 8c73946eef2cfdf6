import { choice, Day, Id, list, QtyOut, refTo, Timestamp } from '@suite/chassis';
import { z } from 'zod';

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

/** A line of the ledger of leave. It is written once. */
export const LeaveLine = z
  .object({
    id: Id,
    employee_id: refTo('employees'),
    employment_id: Id,
    leave_type_id: refTo('leave_types'),
    kind: choice(...KINDS),
    days: QtyOut.describe(
      'Days that are granted or given back, or with a minus what is spent or lost. Days that somebody owes who leaves are `encash`, too, without a minus: his pay is less by them.',
    ),
    valid_from: Day.nullable().describe(
      'The window of what is granted; of other lines, the day from which they count.',
    ),
    valid_to: Day.nullable(),
    lot_id: refTo('leave_ledger')
      .nullable()
      .describe(
        'The line with which the days were granted that this one spends, gives back or ends; none for days planned ahead.',
      ),
    application_id: refTo('leave_applications').nullable(),
    day: Day.nullable().describe('The day that is taken or given back.'),
    reason: z.string().nullable(),
    created_by: Id.nullable().describe('Nobody, where time did it.'),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'LeaveLine' });

export const LeaveLineFilter = list(LeaveLine, {
  filter: ['employee_id', 'leave_type_id', 'kind', 'lot_id', 'application_id', 'valid_from', 'day', 'created_at'],
  sort: ['created_at', 'valid_from', 'day'],
  order: '-created_at',
});
