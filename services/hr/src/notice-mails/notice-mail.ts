/** Mails about what is published, queued with what they tell of; only for people who have an address. */
import { clock, dueAtOnce, raw, type Sql, sql } from '@suite/chassis';
import { NOTICES, type NoticeKind } from '../audiences/audience.ts';
import { mailAddressOf } from '../mail-addresses/mail-address.ts';
import type { Db } from '../operations.ts';

/** The schedule that delivers these mails. */
export const DELIVER_NOTICES = 'hr.deliver-notices';

/** The occasions of a mail. */
type Occasion = 'published' | 'changed' | 'cancelled' | 'reminder';

/**
 * Queues a mail to each of some people. That something is published, each is told once, however often it is said.
 * @param people a statement that selects `employee_id`
 * @returns how many were queued
 */
export async function queueMails(
  db: Db,
  occasion: Occasion,
  { kind, id }: { kind: NoticeKind; id: string },
  people: Sql,
): Promise<number> {
  const queued = await db.rows(sql`
    INSERT INTO notice_mails (id, kind, ${raw(NOTICES[kind].column)}, employee_id, next_attempt_at)
    SELECT gen_random_uuid(), ${occasion}, ${id}::uuid, employees.id, ${clock.now()}::timestamptz
    FROM (${people}) AS people JOIN employees ON employees.id = people.employee_id
    WHERE ${mailAddressOf('employees')} IS NOT NULL ON CONFLICT DO NOTHING RETURNING id`);
  if (queued.length > 0) dueAtOnce(DELIVER_NOTICES);
  return queued.length;
}

/** Everybody for whom something is published. */
export const audienceMembers = (kind: NoticeKind, id: string): Sql => sql`
  SELECT employees_in_audience(audience) AS employee_id FROM ${raw(NOTICES[kind].table)} WHERE id = ${id}::uuid`;
