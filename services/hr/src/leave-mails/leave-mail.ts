/** Mails about leave, queued in the transaction of what they tell of. */
import { clock, dueAtOnce, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** The schedule that delivers these mails. */
export const DELIVER_LEAVE_MAIL = 'hr.deliver-leave-mail';

/**
 * - `requested`, `reminder`: to the one whose decision it waits for
 * - `withdrawn`: to the same, when somebody cancels his own
 * - `decided`: to the one whose leave it is
 * - `returned`, `charged`, `uncharged`: to the same, when other days are holidays than before
 */
export type LeaveMailKind = 'requested' | 'reminder' | 'withdrawn' | 'decided' | 'returned' | 'charged' | 'uncharged';

/** A mail that is queued. @param employee_id its reader */
export interface NewLeaveMail {
  application_id: string;
  employee_id: string;
  kind: LeaveMailKind;
  /** The days that it tells of. */
  days?: readonly string[];
}

/** Queues a mail, for whoever can be reached by then. */
export async function queueLeaveMail(
  db: Db,
  { application_id, employee_id, kind, days = [] }: NewLeaveMail,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO leave_mails (id, application_id, employee_id, kind, days, next_attempt_at)
    VALUES (gen_random_uuid(), ${application_id}::uuid, ${employee_id}::uuid, ${kind}, ${days}::date[], ${clock.now()})`);
  dueAtOnce(DELIVER_LEAVE_MAIL);
}
