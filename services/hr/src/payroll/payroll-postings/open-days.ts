/** Days on which finance accepts payroll entries. */
import { fault } from '@suite/chassis/faults';
import { daysAfter } from '@suite/time-zones';
import type { Rpc } from '../../operations.ts';

export const PeriodLocked = fault(
  409,
  'period_locked',
  'The books are locked for this day. Choose a later date, or ask accounting to move the lock.',
);
/** For operations that post today, without a date in the request. */
export const TodayLocked = fault(
  409,
  'period_locked',
  'The books are locked for today. Ask accounting to move the lock.',
);

type FinanceClient = Pick<Rpc, 'finance'>;

/** Period locks that apply to a payroll journal. */
const JOURNAL = ['payroll'] as const;
/** Period locks that apply to a payment: its entry also affects a bank account. */
export const PAYMENT = ['payroll', 'banking'] as const;
type Scopes = typeof JOURNAL | typeof PAYMENT;

/** Rejects a day in a locked period. @throws `locked`, which names the last locked day and the reason */
export async function assertDayOpen(
  rpc: FinanceClient,
  date: string,
  { scopes = JOURNAL, locked = PeriodLocked }: { scopes?: Scopes | undefined; locked?: typeof PeriodLocked } = {},
): Promise<void> {
  for (const scope of scopes) {
    const { open, locked_through, reason } = await rpc.finance.checkPeriodOpen({ date, scope });
    if (!open) throw locked({ locked_through, reason });
  }
}

/** Returns the day itself, or the next day in an open period. */
export async function firstOpenDay(rpc: FinanceClient, date: string, scopes: Scopes = JOURNAL): Promise<string> {
  let day = date;
  for (const scope of scopes) {
    const { open, locked_through } = await rpc.finance.checkPeriodOpen({ date: day, scope });
    // Locks apply up to and including a day. The next day is open.
    if (!open) day = daysAfter(locked_through, 1);
  }
  return day;
}
