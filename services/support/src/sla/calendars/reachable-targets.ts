/** Checks policies against their calendars after a change of either. */
import { type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { WorkingHours } from './working-time.rules.ts';
import type { Db } from '../../operations.ts';
import { assertReachable, type TargetMinutes } from './target-reach.rules.ts';

/**
 * Checks that the targets of policies are reachable with their calendars.
 * @param which condition for the rows of `policy`
 * @throws TargetOutOfReach
 */
export async function assertTargetsReachable(db: Db, condition: Sql): Promise<void> {
  const rows = await db.rows<WorkingHours & { targets: TargetMinutes }>(sql`
    SELECT policy.targets, calendars.timezone, calendars.hours, calendars.holidays
    FROM sla_policies AS policy JOIN calendars ON calendars.id = policy.calendar_id WHERE ${condition}
    ORDER BY policy.created_at DESC, policy.id DESC`);
  for (const { targets, ...calendar } of rows) assertReachable(calendar, targets, clock.now());
}
