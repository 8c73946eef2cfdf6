/** The limits of a shift. */
import { fault } from '@suite/chassis';

export const ShiftWithoutLength = fault(
  422,
  'shift_without_length',
  'The end of a shift must differ from its start, and the break must be shorter than the shift.',
);

const DAY_MINUTES = 24 * 60;

const minutesOf = (time: string): number => {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
};

/** The times of a shift on the wall clock. */
export interface Times {
  start: string;
  end: string;
  break_minutes: number;
}

/** Minutes from the start to the end, which lies on the next day unless it is later than the start. */
export const lengthOf = ({ start, end }: Pick<Times, 'start' | 'end'>): number =>
  (minutesOf(end) - minutesOf(start) + DAY_MINUTES) % DAY_MINUTES;

/** Makes sure that something is left of a shift to be worked. @throws ShiftWithoutLength */
export function assertLength(times: Times): void {
  const length = lengthOf(times);
  if (length === 0) throw ShiftWithoutLength({ field: 'end' });
  if (times.break_minutes >= length) throw ShiftWithoutLength({ field: 'break_minutes' });
}
