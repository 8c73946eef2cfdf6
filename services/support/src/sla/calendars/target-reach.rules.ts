/** Rejects targets that the working hours of a calendar cannot reach in a reasonable time. */
import { fault } from '@suite/chassis/faults';
import { dueAfter, type WorkingHours } from './working-time.rules.ts';

const MINUTE_MS = 60_000;
/** Chosen: a target must be due within ten years. Realistic policies are due much earlier. */
const DUE_WITHIN_MS = 10 * 365.25 * 86_400_000;

export const TargetOutOfReach = fault(
  422,
  'target_out_of_reach',
  'This calendar has too little working time for a target. Add working hours, or shorten the target.',
);

/** Target times of a policy in minutes, by priority and name. */
export type TargetMinutes = Readonly<Record<string, Readonly<Record<string, number | undefined>> | undefined>>;

/**
 * Checks that each target is due within ten years.
 * @throws TargetOutOfReach with the priority, the target and its minutes
 */
export function assertReachable(calendar: WorkingHours, targets: TargetMinutes, from: Date): void {
  for (const [priority, names] of Object.entries(targets)) {
    for (const [target, minutes = 0] of Object.entries(names ?? {})) {
      const due = dueAfter(calendar, from.getTime(), minutes * MINUTE_MS);
      if (due === null || due - from.getTime() > DUE_WITHIN_MS) throw TargetOutOfReach({ priority, target, minutes });
    }
  }
}
