import { choice, Day, Id, QtyOut } from '@suite/chassis/fields';
import { z } from 'zod';

const Lot = z.object({
  kind: choice('allocation', 'accrual', 'carry_forward', 'adjustment'),
  days: QtyOut,
  left: QtyOut,
  valid_from: Day,
  valid_to: Day.nullable(),
});

/** Leave type that an employee may take, with their balance. */
export const OwnLeaveType = z
  .object({
    id: Id,
    name: z.string(),
    code: z.string(),
    color: z.string(),
    paid: z.boolean(),
    allow_half_day: z.boolean(),
    requires_reason: z.boolean(),
    requires_document_after: z.int().nullable(),
    min_notice_days: z.int(),
    max_consecutive: z.int().nullable(),
    limited: z.boolean().describe('Whether the number of days is limited.'),
    balance: z.object({
      as_of: Day,
      entitled: QtyOut,
      carried: QtyOut,
      taken: QtyOut,
      pending: QtyOut,
      expired: QtyOut,
      encashed: QtyOut,
      available: QtyOut.nullable().describe('Available days. `null` without a limit.'),
      lots: z.array(Lot),
    }),
    projected_year_end: QtyOut.nullable().describe(
      'Days available on the last day of the year. `null` without a limit.',
    ),
  })
  .meta({ id: 'OwnLeaveType' });

export const OwnLeaveTypesQuery = {
  as_of: Day.optional().describe('Defaults to today. At most two years away.'),
};
