/** Cancellation of leave after an employee's last day. */
import { sql } from '@suite/chassis/database';
import { daysAfter } from '@suite/time-zones';
import { lockWithEmployee } from '../leave-applications/leave-application.ts';
import { readLeaveDays } from '../leave-applications/leave-row.ts';
import type { DecisionContext } from './grant-leave.ts';
import { cancelWhole, shortenLeave } from './leave-decision.ts';

/** Cancels pending and granted leave after a last day. For leave that spans the last day, cancels the days after it. */
export async function cancelLeaveBehind(
  context: DecisionContext,
  { employee_id, last_day }: { employee_id: string; last_day: string },
): Promise<void> {
  const { db } = context;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM leave_applications WHERE employee_id = ${employee_id}::uuid AND "to" > ${last_day}::date
      AND status IN ('pending', 'first_approved', 'approved') ORDER BY "from"`);
  for (const { id } of rows) {
    const found = await lockWithEmployee(db, id);
    const days = await readLeaveDays(db, id);
    const isPart = found.row.status === 'approved' && days.some(({ day }) => day <= last_day);
    if (isPart) await shortenLeave(context, found, daysAfter(last_day, 1));
    else await cancelWhole(context, found);
  }
}
