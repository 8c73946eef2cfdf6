/** Limits of a shift. */
import { recordActions } from '@suite/chassis/operations';
import { fault } from '@suite/chassis/faults';

export const ShiftWithoutLength = fault(
  422,
  'shift_without_length',
  'This shift has no working time. Choose another end or a shorter break.',
);

const DAY_MINUTES = 24 * 60;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** Wall-clock times of a shift. */
export interface ShiftTimes {
  start: string;
  end: string;
  break_minutes: number;
}

/** Returns the minutes from start to end. An end that is not after the start is on the next day. */
export const shiftMinutes = ({ start, end }: Pick<ShiftTimes, 'start' | 'end'>): number =>
  (minutesOf(end) - minutesOf(start) + DAY_MINUTES) % DAY_MINUTES;

/** Checks that a shift has working time. @throws ShiftWithoutLength */
export function assertLength(times: ShiftTimes): void {
  const length = shiftMinutes(times);
  if (length === 0) throw ShiftWithoutLength({ field: 'end' });
  if (times.break_minutes >= length) throw ShiftWithoutLength({ field: 'break_minutes' });
}

/** Actions on shifts. */
export const shiftActions = recordActions('shift', {
  update: 'shift.update',
  delete: { permission: 'shift.delete', unless: 'is_default' },
});
