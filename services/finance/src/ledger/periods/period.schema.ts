import { BusinessDay, choice, Day, input, record, Timestamp, version, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { periodLockActions } from './period.rules.ts';

const Scope = choice('all', 'sales', 'purchases', 'banking', 'payroll');

/** Closed part of the books. */
export const PeriodLock = record({
  scope: Scope,
  locked_through: Day.describe('Last locked day.'),
  reason: LongText.max(500),
  exception_until: Timestamp.nullable().describe('End of the exception that allows postings. `null` if there is none.'),
  exception_reason: LongText.max(500).nullable(),
  allowed_actions: Actions(periodLockActions),
}).meta({ id: 'PeriodLock' });

export const PeriodLockFilter = list(PeriodLock, {
  filter: ['scope', 'locked_through', 'updated_at'],
  sort: ['created_at', 'updated_at', 'locked_through'],
});

export const PeriodLockInput = input({
  scope: Scope,
  locked_through: BusinessDay.meta({ example: '2019-12-31' }),
  reason: LongText.max(500).min(1),
});

export const PeriodLockChanges = input({
  locked_through: BusinessDay.optional(),
  reason: LongText.max(500).min(1).optional(),
  exception_until: Timestamp.nullable().optional().describe('Last day of the exception window. `null` closes it.'),
  exception_reason: LongText.max(500).min(1).optional(),
  version,
});
