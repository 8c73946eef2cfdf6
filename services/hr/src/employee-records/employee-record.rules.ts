/** The life of a record about a person on which somebody decides. */
import { lifecycle } from '@suite/chassis';

/** The schedule that has decided changes take effect on their day, and lets warnings expire. */
export const TAKE_EFFECT = 'hr.take-effect';

/** The actions of callers on a record on which somebody decides, by its noun. */
export const byCallers = <N extends string>(noun: N) => ({
  update: { permission: `${noun}.update`, in: ['pending'] as const },
  delete: { permission: `${noun}.delete`, in: ['pending'] as const },
  approve: `${noun}.decide`,
  reject: `${noun}.decide`,
  withdraw: `${noun}.decide`,
});

/** The transitions out of the first state. */
export const pending = { approve: 'approved', reject: 'rejected', withdraw: 'withdrawn' } as const;
/** The states out of which nothing leads. */
export const ends = { rejected: {}, withdrawn: {}, effective: {} } as const;

/**
 * The life of a change of terms. Once it is approved nobody takes it back: another change does.
 * @param decide the operation that has a change of a past day take effect at once
 */
export const changeLife = <N extends string>(noun: N, decide: string) =>
  lifecycle(
    noun,
    { pending, approved: { take_effect: 'effective', lapse: 'withdrawn' }, ...ends },
    {
      actions: {
        ...byCallers(noun),
        take_effect: { by: [TAKE_EFFECT, decide] },
        lapse: { by: TAKE_EFFECT },
      },
    },
  );

/** The states in which the person sees a decision about himself that he did not ask for. */
export const told = (table: string): string => `${table}.status IN ('approved', 'effective')`;
