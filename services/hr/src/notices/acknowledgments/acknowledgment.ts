/**
 * Acknowledgments of published notices that require one. Each member of the audience gets one, including employees who
 * join it later. An employee who leaves the audience no longer has to acknowledge.
 */
import { raw, sql, type Sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { NOTICES } from '../../organisation/audiences/audience.ts';
import { audienceMembers, queueMails } from '../notice-mails/notice-mail.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { acknowledgmentStates, NoLongerPublished, WithoutAddress } from './acknowledgment.rules.ts';
import { readAcknowledgment } from './acknowledgment.view.ts';

/** Kinds of notices that can require an acknowledgment. */
export const ACKNOWLEDGED = ['announcement', 'document'] as const;
type AcknowledgedKind = (typeof ACKNOWLEDGED)[number];

/** Returns the current day in the time zone of the workspace. */
export const acknowledgmentDay = (): Sql =>
  sql`(SELECT (${clock.now()}::timestamptz AT TIME ZONE timezone)::date FROM settings)`;

const DUE_ON = () => sql`${acknowledgmentDay()} + (SELECT ack_days FROM settings)`;

/** Creates the missing acknowledgments of a notice and deletes pending ones of employees outside its audience. */
export async function syncAcknowledgments(db: Db, kind: AcknowledgedKind, id: string): Promise<void> {
  const { table, column } = NOTICES[kind];
  await db.rows(sql`
    INSERT INTO acknowledgments (id, ${raw(column)}, employee_id, due_on)
    SELECT gen_random_uuid(), ${id}::uuid, members.employee_id, ${DUE_ON()} FROM (${audienceMembers(kind, id)}) AS members
    ON CONFLICT DO NOTHING`);
  await db.rows(sql`
    DELETE FROM acknowledgments WHERE ${raw(column)} = ${id}::uuid AND status = 'pending'
      AND employee_id NOT IN (${audienceMembers(kind, id)})`);
  await db.rows(sql`UPDATE ${raw(table)} SET checked_on = ${acknowledgmentDay()} WHERE id = ${id}::uuid`);
}

/** Condition for notices that are shown and must be acknowledged. */
const ACKNOWLEDGEABLE = sql`notice.status = 'published' AND notice.published_at IS NOT NULL AND notice.requires_ack`;

/** Does the same for one employee who joined, moved or left, and notifies them about new notices. */
export async function syncAcknowledgmentsOf(db: Db, employee_id: string): Promise<void> {
  await serializeOn(db, 'notices');
  for (const kind of ACKNOWLEDGED) {
    const { table, column } = NOTICES[kind];
    const [id, notices] = [raw(column), raw(table)];
    const concerns = sql`notice.audience && (SELECT audience_of_employees(ARRAY[id]) FROM employees
      WHERE id = ${employee_id}::uuid AND status NOT IN ('onboarding', 'left'))`;
    const made = await db.rows<{ id: string }>(sql`
      INSERT INTO acknowledgments (id, ${id}, employee_id, due_on)
      SELECT gen_random_uuid(), notice.id, ${employee_id}::uuid, ${DUE_ON()} FROM ${notices} AS notice
      WHERE ${ACKNOWLEDGEABLE} AND ${concerns} ON CONFLICT DO NOTHING RETURNING ${id} AS id`);
    await db.rows(sql`
      DELETE FROM acknowledgments USING ${notices} AS notice
      WHERE employee_id = ${employee_id}::uuid AND acknowledgments.status = 'pending' AND notice.id = ${id}
        AND coalesce(${concerns}, FALSE) IS FALSE`);
    for (const one of made)
      await queueMails(db, 'published', { kind, id: one.id }, sql`SELECT ${employee_id}::uuid AS employee_id`);
  }
}

interface LockedAcknowledgment {
  status: string;
  employee_id: string;
  kind: AcknowledgedKind;
  notice_id: string;
  is_published: boolean;
  is_reminded: boolean;
}

/** Locks an acknowledgment for an update. @throws NotFound */
async function lockAcknowledgment(db: Db, id: string): Promise<LockedAcknowledgment> {
  const [found] = await db.rows<LockedAcknowledgment>(sql`
    SELECT status, employee_id, coalesce(announcement_id, document_id) AS notice_id,
      CASE WHEN document_id IS NULL THEN 'announcement' ELSE 'document' END AS kind,
      EXISTS (SELECT FROM announcements WHERE announcements.id = announcement_id AND announcements.status = 'published')
        OR EXISTS (SELECT FROM hrm_documents WHERE hrm_documents.id = document_id AND hrm_documents.status = 'published') AS is_published,
      coalesce((reminded_at AT TIME ZONE (SELECT timezone FROM settings))::date = ${acknowledgmentDay()}, FALSE) AS is_reminded
    FROM acknowledgments WHERE acknowledgments.id = ${id}::uuid FOR NO KEY UPDATE OF acknowledgments`);
  if (!found) throw NotFound();
  return found;
}

/**
 * Acknowledges a notice for the caller. Repeated calls have no effect. @throws NotAnEmployee, NotFound,
 * NoLongerPublished
 */
export async function acknowledge(db: Db, caller: Caller, id: string) {
  const self = await currentEmployee(db, caller);
  const { employee_id, status, is_published } = await lockAcknowledgment(db, id);
  if (employee_id !== self.id) throw NotFound();
  if (status === 'pending' && !is_published) throw NoLongerPublished();
  await acknowledgmentStates.move(db.acknowledgment, id, 'acknowledge', { at: clock.now() }, caller);
  return await readAcknowledgment(db, caller, id);
}

/**
 * Reminds an employee, at most once a day. @throws InvalidTransition if already acknowledged, NoLongerPublished,
 * WithoutAddress
 */
export async function remindEmployee(db: Db, caller: Caller, id: string) {
  const found = await lockAcknowledgment(db, id);
  const { employee_id, kind, notice_id, is_published, is_reminded } = found;
  acknowledgmentStates.assertFits('remind', found, caller);
  if (!is_published) throw NoLongerPublished();
  if (!is_reminded) {
    const queued = await queueMails(
      db,
      'reminder',
      { kind, id: notice_id },
      sql`SELECT ${employee_id}::uuid AS employee_id`,
    );
    if (queued === 0) throw WithoutAddress();
    await db.acknowledgment.updateMany({ where: { id }, data: { reminded_at: clock.now() } });
  }
  return await readAcknowledgment(db, caller, id);
}
