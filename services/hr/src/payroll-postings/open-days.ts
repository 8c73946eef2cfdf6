/** The days on which finance posts entries of payrolls. */
import { fault } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import type { Rpc } from '../operations.ts';

export const PeriodLocked = fault(409, 'period_locked', 'The books are closed for this period. Choose a later date.');

type Finance = Pick<Rpc, 'finance'>;

/** The period locks that apply to a journal of a payroll. */
const JOURNAL = ['payroll'] as const;
/** The period locks that apply to a payment: its entry also affects a bank account. */
export const PAYMENT = ['payroll', 'banking'] as const;
type Scopes = typeof JOURNAL | typeof PAYMENT;

/** Rejects a day for which the books are closed. @throws PeriodLocked */
export async function assertDayOpen(rpc: Finance, date: string, scopes: Scopes = JOURNAL): Promise<void> {
  for (const scope of scopes) {
    const { open, locked_through, reason } = await rpc.finance.checkPeriodOpen({ date, scope });
    if (!open) throw PeriodLocked({ locked_through, reason });
  }
}

/** The day itself, or the first one after it for which the books are open. */
export async function firstOpenDay(rpc: Finance, date: string, scopes: Scopes = JOURNAL): Promise<string> {
  let day = date;
  for (const scope of scopes) {
    const { open, locked_through } = await rpc.finance.checkPeriodOpen({ date: day, scope });
    // Locks reach from the beginning through a day: the next one is open.
    if (!open) day = daysAfter(locked_through, 1);
  }
  return day;
}
