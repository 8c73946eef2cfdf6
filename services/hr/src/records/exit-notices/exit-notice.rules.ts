/** Exit notices: resignations and terminations, which end an employment. */
import { fault, invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { daysAfter } from '@suite/time-zones';
import { callerActions, ends, pending } from '../../employees/employee-records/employee-record.rules.ts';
import { ExitBeforeJoining, KEEP_DATES } from '../../employment/employment/employment.rules.ts';

export const AlreadyLeaving = fault(
  409,
  'already_leaving',
  'This employee is already leaving, or an exit is pending. Withdraw it first.',
);
export const ExitNoticeTooShort = fault(
  422,
  'notice_too_short',
  'The last day is within the notice period. Choose a later day, or waive the notice.',
);
export const AlreadyDecided = fault(
  409,
  'already_decided',
  'This resignation has already been decided. Ask HR to withdraw it.',
);
export const LastDayOver = fault(409, 'last_day_over', 'The last day has passed. Rehire the employee instead.');

const approved = { take_effect: 'effective', withdraw: 'withdrawn' } as const;
const scheduledActions = { take_effect: { by: KEEP_DATES }, lapse: { by: KEEP_DATES } };

/** States of a resignation. When the employee has left, an approved one takes effect and a pending one lapses. */
export const resignationStates = lifecycle(
  'resignation',
  { pending: { ...pending, retract: 'withdrawn', lapse: 'withdrawn' }, approved, ...ends },
  { actions: { ...callerActions('resignation'), retract: { by: 'resignations.retract' }, ...scheduledActions } },
);

export const terminationStates = lifecycle(
  'termination',
  { pending: { ...pending, lapse: 'withdrawn' }, approved, ...ends },
  { actions: { ...callerActions('termination'), ...scheduledActions } },
);

/** Notice to check. */
export interface ExitNotice {
  notice_date: string;
  last_day: string;
  waive_notice: boolean;
}

/**
 * Checks the length of a notice.
 * @param field name of the last day in the body
 * @throws ExitBeforeJoining, ExitNoticeTooShort with the earliest last day, a 422 fault
 */
export function assertNotice(
  { notice_date, last_day, waive_notice }: ExitNotice,
  { joining_date, notice_days }: { joining_date: string; notice_days: number | null },
  field: 'last_day' | 'date',
): void {
  if (last_day < joining_date) throw ExitBeforeJoining({ field });
  if (last_day < notice_date) throw invalid(field, 'The last day must not be before the notice date.');
  const earliest = daysAfter(notice_date, notice_days ?? 0);
  if (!waive_notice && last_day < earliest) throw ExitNoticeTooShort({ field, earliest });
}
