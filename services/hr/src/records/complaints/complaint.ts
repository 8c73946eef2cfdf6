/** Files, investigates, resolves and dismisses complaints. Accused employees never see them. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, remove, setLocally, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { clock, today } from '@suite/chassis/runtime';
import { openEncryption } from '@suite/field-encryption';
import { assertOther } from '../../employment/employment/employment.ts';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { date, dates } from '../../employees/employees/employee-columns.ts';
import type { CommandContext } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import { AgainstOneself, complaintStates } from './complaint.rules.ts';
import type { ComplaintChanges, ComplaintDecision, ComplaintInput, OwnComplaintInput } from './complaint.schema.ts';
import { authorCipherLocation, readPlainComplaint } from './complaint.view.ts';

interface Row {
  id: string;
  from_employee_id: string | null;
  author_sealed: string | null;
  status: string;
  version: number;
}

/** Returns the user of an employee named in a request body. @throws a 422 fault */
async function userOf({ db }: CommandContext, field: string, id: string | null | undefined) {
  if (!id) return { user_id: null };
  const [person] = await db.rows<{ user_id: string | null }>(sql`
    SELECT user_id FROM employees WHERE id = ${id}::uuid FOR KEY SHARE`);
  if (!person) throw invalid(field, 'User not found.');
  return person;
}

/**
 * Checks that a complaint is about another employee and not in the future. @throws AgainstOneself, OwnRecord, a 422
 * fault
 */
async function assertComplaint(
  context: CommandContext,
  { against_employee_id, date: day }: Pick<ComplaintChanges, 'against_employee_id' | 'date'>,
  author: string | null,
): Promise<void> {
  const { caller } = context;
  if (day && day > today(caller.timezone)) throw invalid('date', 'This day is in the future. Choose an earlier day.');
  if (against_employee_id && against_employee_id === author) throw AgainstOneself({ field: 'against_employee_id' });
  assertOther(await userOf(context, 'against_employee_id', against_employee_id), caller);
}

/** Stores a complaint. Neither the record nor the audit log names the author of an anonymous complaint. */
async function storeComplaint(context: CommandContext, author: string | null, body: OwnComplaintInput) {
  const { db, keys } = context;
  const { anonymous, date: day, against_employee_id = null, subject, description } = body;
  await assertComplaint(context, body, author);
  const id = randomUUIDv7();
  const author_columns = { from_employee_id: anonymous ? null : author, author_sealed: null as string | null };
  if (anonymous)
    author_columns.author_sealed = (await openEncryption(db, keys.master)).seal(authorCipherLocation(id), author!);
  if (anonymous) await setLocally({ actor: '', actor_id: '', request_id: '' });
  await db.complaint.create({
    data: { id, ...author_columns, against_employee_id, subject, description, anonymous, date: date(day) },
  });
  return id;
}

/**
 * Rejects complaints for other employees if the caller has access to their own complaints only. Otherwise the caller
 * could never see the complaint again.
 * @throws a 422 that names the field
 */
async function assertAuthorInScope({ db, caller }: CommandContext, author: string | undefined): Promise<void> {
  if ((caller.record_scopes['complaint'] ?? 'all') === 'all') return;
  if (!author)
    throw invalid('from_employee_id', 'Enter the employee who complains. Employees file their own complaints.');
  const [own] = await db.rows(sql`
    SELECT id FROM employees WHERE id = ${author}::uuid AND user_id = ${caller.user_id}::uuid`);
  if (!own) throw invalid('from_employee_id', 'Record not found.');
}

/**
 * Files a complaint for an employee or an unknown author. @throws OwnRecord if it is against the caller,
 * AgainstOneself, a 422
 */
export async function createComplaint(context: CommandContext, { from_employee_id, ...body }: ComplaintInput) {
  await assertAuthorInScope(context, from_employee_id);
  await userOf(context, 'from_employee_id', from_employee_id);
  if (body.anonymous && !from_employee_id)
    throw invalid('from_employee_id', 'An anonymous complaint needs its author. Select the employee.');
  return await readPlainComplaint(context, await storeComplaint(context, from_employee_id ?? null, body));
}

/** Files a complaint of the caller. @throws NotAnEmployee, AgainstOneself, a 422 */
export async function fileComplaint(context: CommandContext, body: OwnComplaintInput) {
  const { id } = await lockCurrentEmployee(context.db, context.caller);
  if (body.against_employee_id === id) throw AgainstOneself({ field: 'against_employee_id' });
  return await readPlainComplaint(context, await storeComplaint(context, id, body));
}

async function lockComplaint({ db, keys }: CommandContext, id: string, expect: number | undefined) {
  const [row] = await db.rows<Row>(sql`
    SELECT id, from_employee_id, author_sealed, status, version FROM complaints
    WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!row) throw NotFound();
  assertVersion(row, expect);
  const author = row.author_sealed
    ? (await openEncryption(db, keys.master)).open(authorCipherLocation(id), row.author_sealed)
    : row.from_employee_id;
  return { row, author };
}

/**
 * Updates a complaint that is not under investigation yet. @throws OwnRecord, AgainstOneself, Stale, InvalidTransition,
 * a 422
 */
export async function changeComplaint(
  context: CommandContext,
  id: string,
  { version: _, date: day, ...rest }: ComplaintChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { row } = await lockComplaint(context, id, expect);
  complaintStates.assertFits('update', row, caller);
  // The author of an anonymous complaint is hidden. Checking the author here would reveal them by trying each employee.
  await assertComplaint(context, { ...rest, date: day }, row.author_sealed ? null : row.from_employee_id);
  await db.complaint.updateMany({ where: { id }, data: { ...rest, ...dates({ date: day }) } });
  return await readPlainComplaint(context, id);
}

/** Deletes a complaint that is not under investigation yet. @throws InvalidTransition */
export async function removeComplaint(context: CommandContext, id: string) {
  const { row } = await lockComplaint(context, id, undefined);
  complaintStates.assertFits('delete', row, context.caller);
  return await remove(context.db.complaint, id);
}

/** Decides on another user's complaint. @throws OwnRecord, Stale, InvalidTransition, a 422 without an outcome */
export async function decideComplaint(
  context: CommandContext,
  id: string,
  { action, outcome }: ComplaintDecision,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { author } = await lockComplaint(context, id, expect);
  const { user_id } = await userOf(context, 'id', author);
  if (user_id === caller.user_id) throw OwnRecord();
  const ends = action !== 'investigate';
  if (ends && !outcome) throw invalid('outcome', 'Enter the result.');
  if (!ends && outcome) throw invalid('outcome', 'Leave the outcome empty. Enter it when you close the complaint.');
  const decision = { decided_by: caller.user_id, decided_at: clock.now(), outcome: outcome ?? null };
  await complaintStates.move(db.complaint, id, action, decision, caller);
  return await readPlainComplaint(context, id);
}
