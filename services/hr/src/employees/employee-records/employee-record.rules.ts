/** Lifecycle of an employee record that requires a decision. */
import { lifecycle } from '@suite/chassis/operations';

/** Schedule that puts approved changes into effect on their day and expires warnings. */
export const CHANGES_SCHEDULE = 'hr.take-effect';

/** Returns the caller actions of a record that requires a decision, by its noun. */
export const callerActions = <N extends string>(noun: N) => ({
  update: { permission: `${noun}.update`, in: ['pending'] as const },
  delete: { permission: `${noun}.delete`, in: ['pending'] as const },
  approve: `${noun}.decide`,
  reject: `${noun}.decide`,
  withdraw: `${noun}.decide`,
});

/** Transitions out of the status `pending`. */
export const pending = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;
/** Final states. */
export const ends = { rejected: {}, withdrawn: {}, effective: {} } as const;

/**
 * Returns the lifecycle of a change of terms. An approved change cannot be withdrawn, only followed by another change.
 * @param decide operation that applies a change of a past day immediately
 */
export const changeLife = <N extends string>(noun: N, decide: string) =>
  lifecycle(
    noun,
    { pending, approved: { take_effect: 'effective', lapse: 'withdrawn' }, ...ends },
    {
      actions: {
        ...callerActions(noun),
        take_effect: { by: [CHANGES_SCHEDULE, decide] },
        lapse: { by: CHANGES_SCHEDULE },
      },
    },
  );

/** Returns the condition for records that their employee can see, even if they did not request them. */
export const visibleToEmployee = (table: string): string => `${table}.status IN ('approved', 'effective')`;
