import { sql } from '@suite/chassis/database';
import { PeriodLocked } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';

/** Finance scopes that payroll is posted in. */
const PAYROLL_SCOPES: readonly string[] = ['all', 'payroll'];

/** Flags unapproved runs whose period finance has locked. Moving the lock to an earlier date removes the flag. */
export const recordPeriodLock = on(PeriodLocked, 'hr.note-locked-period', async ({ event, db }) => {
  const { scope, locked_through } = event;
  if (!PAYROLL_SCOPES.includes(scope)) return;
  await db.rows(sql`
    UPDATE payrolls SET books_locked_through = CASE WHEN period_end <= ${locked_through}::date THEN ${locked_through}::date END
    WHERE status IN ('draft', 'processing', 'calculated', 'failed')
      AND (period_end <= ${locked_through}::date OR books_locked_through IS NOT NULL)`);
});
