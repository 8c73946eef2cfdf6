/** Leave e-mails, queued in the transaction that they report. */
import { runAfterCommit, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Schedule that delivers leave e-mails. */
export const DELIVER_LEAVE_MAIL = 'hr.deliver-leave-mail';

/**
 * - `requested`, `reminder`: to the approver
 * - `withdrawn`: to the approver, when the employee cancels the request
 * - `decided`: to the employee
 * - `returned`, `charged`, `uncharged`: to the employee, when holidays change
 */
export type LeaveMailKind = 'requested' | 'reminder' | 'withdrawn' | 'decided' | 'returned' | 'charged' | 'uncharged';

/** E-mail to queue. @param employee_id recipient */
export interface NewLeaveMail {
  application_id: string;
  employee_id: string;
  kind: LeaveMailKind;
  /** Days that the e-mail is about. */
  days?: readonly string[];
}

/** Queues an e-mail. It is sent if the recipient has an address at delivery. */
export async function queueLeaveMail(
  db: Db,
  { application_id, employee_id, kind, days = [] }: NewLeaveMail,
): Promise<void> {
  await db.rows(sql`
    INSERT INTO leave_mails (id, application_id, employee_id, kind, days, next_attempt_at)
    VALUES (gen_random_uuid(), ${application_id}::uuid, ${employee_id}::uuid, ${kind}, ${days}::date[], ${clock.now()})`);
  runAfterCommit(DELIVER_LEAVE_MAIL);
}
