import { sql } from '@suite/chassis';
import { PeriodLocked } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';

/** The parts of the books in which a payroll is booked. */
const BOOKED_IN: readonly string[] = ['all', 'payroll'];

/** Runs that are not approved say that the books of their period are closed; a lock that moves back before it opens them again. */
export const noteLockedPeriod = on(PeriodLocked, 'hr.note-locked-period', async ({ event, db }) => {
  const { scope, locked_through } = event;
  if (!BOOKED_IN.includes(scope)) return;
  await db.rows(sql`
    UPDATE payrolls SET books_locked_through = CASE WHEN period_end <= ${locked_through}::date THEN ${locked_through}::date END
    WHERE status IN ('draft', 'processing', 'calculated', 'failed')
      AND (period_end <= ${locked_through}::date OR books_locked_through IS NOT NULL)`);
});
