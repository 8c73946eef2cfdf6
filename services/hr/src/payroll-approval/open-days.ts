/** The days on which finance books payrolls. */
import { daysAfter } from '@suite/wall-clock';
import type { Rpc } from '../operations.ts';
import { PeriodLocked } from '../payrolls/payroll.rules.ts';

type Finance = Pick<Rpc, 'finance'>;
const SCOPE = 'payroll';

/** Refuses a day for which the books are closed. @throws PeriodLocked */
export async function assertDayOpen(rpc: Finance, date: string): Promise<void> {
  const { open, locked_through, reason } = await rpc.finance.checkPeriodOpen({ date, scope: SCOPE });
  if (!open) throw PeriodLocked({ locked_through, reason });
}

/** The day itself, or the first one after it for which the books are open. */
export async function firstOpenDay(rpc: Finance, date: string): Promise<string> {
  const { open, locked_through } = await rpc.finance.checkPeriodOpen({ date, scope: SCOPE });
  // Locks reach from the beginning through a day: the next one is open.
  return open ? date : daysAfter(locked_through, 1);
}
