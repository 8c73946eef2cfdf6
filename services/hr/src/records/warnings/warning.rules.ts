/** Lifecycle of a warning. */
import { fault, invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { CHANGES_SCHEDULE } from '../../employees/employee-records/employee-record.rules.ts';

/** Chosen: a warning expires even if the employee has not acknowledged it. Closing requires an acknowledgment. */
export const warningStates = lifecycle(
  'warning',
  {
    issued: { acknowledge: 'acknowledged', expire: 'expired' },
    acknowledged: { close: 'closed', expire: 'expired' },
    closed: {},
    expired: {},
  },
  {
    actions: {
      update: { permission: 'warning.update', in: ['issued'] },
      delete: { permission: 'warning.delete', in: ['issued'] },
      close: 'warning.decide',
      acknowledge: { by: 'warnings.acknowledge' },
      expire: { by: CHANGES_SCHEDULE },
    },
  },
);

export const WarningOver = fault(409, 'warning_over', 'This warning is no longer active. No acknowledgment is needed.');

/** Checks that a warning has a past day and a future expiry. @throws a 422 fault */
export function assertDays(
  { date, expires_on }: { date: string; expires_on?: string | null | undefined },
  day: string,
): void {
  if (date > day) throw invalid('date', 'This day is in the future. Choose an earlier day.');
  if (expires_on && expires_on <= day) throw invalid('expires_on', 'Enter a future day.');
}
