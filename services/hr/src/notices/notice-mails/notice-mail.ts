/**
 * E-mails about published notices, queued in the transaction that they report. Only employees with an address get one.
 */
import { runAfterCommit, raw, type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { NOTICES, type NoticeKind } from '../../organisation/audiences/audience.ts';
import { mailAddressOf } from '../../organisation/audiences/mail-address.ts';
import type { Db } from '../../operations.ts';

/** Schedule that delivers leave e-mails. */
export const DELIVER_NOTICES = 'hr.deliver-notices';

/** Occasions for an e-mail. */
type MailOccasion = 'published' | 'changed' | 'cancelled' | 'reminder';

/**
 * Queues an e-mail to each of some employees. Each employee gets only one e-mail about a publication, however often it
 * is queued.
 * @param people statement that selects `employee_id`
 * @returns the number of queued e-mails
 */
export async function queueMails(
  db: Db,
  occasion: MailOccasion,
  { kind, id }: { kind: NoticeKind; id: string },
  people: Sql,
): Promise<number> {
  const queued = await db.rows(sql`
    INSERT INTO notice_mails (id, kind, ${raw(NOTICES[kind].column)}, employee_id, next_attempt_at)
    SELECT gen_random_uuid(), ${occasion}, ${id}::uuid, employees.id, ${clock.now()}::timestamptz
    FROM (${people}) AS people JOIN employees ON employees.id = people.employee_id
    WHERE ${mailAddressOf('employees')} IS NOT NULL ON CONFLICT DO NOTHING RETURNING id`);
  if (queued.length > 0) runAfterCommit(DELIVER_NOTICES);
  return queued.length;
}

/** Returns all employees in the audience of a notice. */
export const audienceMembers = (kind: NoticeKind, id: string): Sql => sql`
  SELECT employees_in_audience(audience) AS employee_id FROM ${raw(NOTICES[kind].table)} WHERE id = ${id}::uuid`;
