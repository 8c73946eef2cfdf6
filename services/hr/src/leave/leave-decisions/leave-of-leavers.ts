/** Cancellation of leave after an employee's last day. */
import { sql } from '@suite/chassis/database';
import { daysAfter } from '@suite/time-zones';
import { lockWithEmployee } from '../leave-applications/leave-application.ts';
import { readLeaveDays } from '../leave-applications/leave-row.ts';
import type { Work } from './grant-leave.ts';
import { cancelWhole, cutShort } from './leave-decision.ts';

/** Cancels pending and granted leave after a last day. For leave that spans the last day, cancels the days after it. */
export async function cancelLeaveBehind(
  work: Work,
  { employee_id, last_day }: { employee_id: string; last_day: string },
): Promise<void> {
  const { db } = work;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM leave_applications WHERE employee_id = ${employee_id}::uuid AND "to" > ${last_day}::date
      AND status IN ('pending', 'first_approved', 'approved') ORDER BY "from"`);
  for (const { id } of rows) {
    const found = await lockWithEmployee(db, id);
    const days = await readLeaveDays(db, id);
    const isPart = found.row.status === 'approved' && days.some(({ day }) => day <= last_day);
    if (isPart) await cutShort(work, found, daysAfter(last_day, 1));
    else await cancelWhole(work, found);
  }
}
