/** Updates employees, and their terms from a given day. */
import { assertVersion, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { openEncryption, type FieldCipher } from '@suite/field-encryption';
import { assertLoginFree, type PreparedUser, linkUser } from '../../employment/employee-users/employee-user.ts';
import {
  assertNotLeft,
  assertOther,
  type LockedEmployee,
  lockEmployee,
} from '../../employment/employment/employment.ts';
import { assertReportingLine } from '../../employment/employment/reporting-line.ts';
import { salaryCipherLocation } from '../../employment/employment/salary-cipher-location.ts';
import {
  applyTerms,
  salariesOn,
  type EmploymentTerms,
  employmentTermsOf,
  writeTerms,
} from '../../employment/employment/employment-terms.ts';
import { assertWorkplace } from '../../employment/employment/workplace.ts';
import type { CommandContext, Db } from '../../operations.ts';
import {
  date,
  dates,
  personOf,
  salaryOf,
  encryptedColumns,
  openKeysFor,
  termsOfBody,
  convertUniqueViolation,
} from './employee-columns.ts';
import type { EmployeeChanges } from './employee-input.schema.ts';
import { assertDates, assertMayWrite, inYears } from '../../employment/employee-users/employee.rules.ts';
import { readPlainEmployee } from './employee.view.ts';

/**
 * Returns the day on which a change of terms takes effect. @throws a 422 if the day is outside the employment or too
 * far ahead
 */
function effectiveDay(
  { joining_date, exit_date }: LockedEmployee,
  { effective_from }: EmployeeChanges,
  day: string,
): string {
  const from = effective_from ?? (day < joining_date ? joining_date : day);
  if (from < joining_date) throw invalid('effective_from', 'This day is before the employment. Choose a later day.');
  if (exit_date !== null && from > exit_date)
    throw invalid('effective_from', 'This day is after the last day of the employment. Choose an earlier day.');
  if (from > inYears(day, 1)) throw invalid('effective_from', 'Choose a day at most one year ahead.');
  return from;
}

/** Writes changed terms and skips unchanged ones. @returns the effective day, or undefined if nothing changes */
async function changeTerms(
  context: CommandContext,
  employee: LockedEmployee,
  body: EmployeeChanges,
  cipher: FieldCipher | undefined,
) {
  const { db, caller } = context;
  const day = today(caller.timezone);
  const given = termsOfBody(body);
  if (Object.keys(given).length === 0 && body.salary === undefined) {
    if (body.effective_from) throw invalid('effective_from', 'Nothing would change. Enter at least one new value.');
    return undefined;
  }
  const { id: employee_id, employment_id } = employee;
  const effective_from = effectiveDay(employee, body, day);
  const before = (await employmentTermsOf(db, employee_id, effective_from)) ?? {};
  // With an explicit day, unchanged terms are written too, because an earlier change may be added later.
  const isNew = ([field, value]: [string, unknown]) =>
    body.effective_from !== undefined ||
    value !== ((before as EmploymentTerms)[field as keyof EmploymentTerms] ?? null);
  const changed: Partial<EmploymentTerms> = Object.fromEntries(Object.entries(given).filter(isNew));
  await assertWorkplace(db, changed, { ...before, ...changed });
  await assertReportingLine(context, employee_id, changed.manager_id, effective_from);
  const salary = await salaryOf(context, body.salary, cipher);
  await writeTerms(db, { employee_id, employment_id, effective_from, cause: 'manual' }, changed, salary);
  return Object.keys(changed).length > 0 || salary !== undefined ? effective_from : undefined;
}

/** Returns the salary on a day, decrypted for encryption in another row. */
async function decryptSalary(db: Db, keys: CommandContext['keys'], employee_id: string, day: string) {
  const [encrypted] = await salariesOn(db, [employee_id], day);
  if (!encrypted) return undefined;
  const cipher = await openEncryption(db, keys.master);
  return { cipher, text: cipher.open(salaryCipherLocation(encrypted.row_id), encrypted.sealed) };
}

/** Counts an employment's leave and attendance before a later joining date. */
async function countBefore(db: Db, { id, joining_date }: LockedEmployee, day: string) {
  const [counts] = await db.rows<{ attendance: number; leave: number }>(sql`
    SELECT (SELECT count(*)::int FROM attendances WHERE employee_id = ${id}::uuid
        AND local_date >= ${joining_date}::date AND local_date < ${day}::date) AS attendance,
      (SELECT count(*)::int FROM leave_applications WHERE employee_id = ${id}::uuid
        AND "from" >= ${joining_date}::date AND "from" < ${day}::date AND status IN ('pending', 'first_approved', 'approved')) AS leave`);
  return counts!;
}

/** Changes the joining date, unless a final payslip uses the date. @throws InUse, a 422 */
async function changeJoiningDate(
  { db, keys }: CommandContext,
  employee: LockedEmployee,
  joining_date: string,
): Promise<void> {
  const { id: employee_id, employment_id, joining_date: before, exit_date } = employee;
  // Draft payslips adopt the new date.
  const where = { employee_id, status: { in: ['finalised', 'withheld', 'paid', 'reversed'] } };
  await assertUnused(async () => ({ payslips: await db.payrollEntry.count({ where }) }));
  await assertUnused(() => countBefore(db, employee, joining_date));
  if (exit_date && joining_date > exit_date)
    throw invalid('joining_date', 'This day is after the last day. Choose an earlier day.');
  await db.employment.updateMany({ where: { id: employment_id }, data: { joining_date: date(joining_date) } });
  await db.employee.updateMany({ where: { id: employee_id }, data: { joining_date: date(joining_date) } });
  if (joining_date >= before) return;
  // The terms at joining apply from the earlier day on.
  const terms = await employmentTermsOf(db, employee_id, before);
  const salary = await decryptSalary(db, keys, employee_id, before);
  await writeTerms(
    db,
    { employee_id, employment_id, effective_from: joining_date, cause: 'joining' },
    termsOfBody(terms!),
    salary,
  );
}

/**
 * Updates an employee, and their terms from a given day.
 * @throws EmploymentEnded, OwnRecord, Stale, InUse if a payslip depends on the joining date, and as `createEmployee`
 */
export async function changeEmployee(
  context: CommandContext,
  id: string,
  body: EmployeeChanges,
  { user, new_staff, expect }: PreparedUser & { expect: number | undefined },
) {
  const { db, caller, emit } = context;
  const employee = await lockEmployee(db, id);
  assertVersion(employee, expect);
  assertOther(employee, caller);
  assertNotLeft(employee);
  assertMayWrite(caller, body);
  const { joining_date, probation_end, dob, name, code } = body;
  const day = today(caller.timezone);
  const kept = { joining_date: employee.joining_date, probation_end: employee.probation_end };
  if (joining_date !== undefined || probation_end !== undefined)
    assertDates(
      { ...kept, ...(joining_date && { joining_date }), ...(probation_end !== undefined && { probation_end }) },
      day,
    );
  if (joining_date && joining_date !== employee.joining_date) {
    await changeJoiningDate(context, employee, joining_date);
    employee.joining_date = joining_date;
  }
  if (body.user !== undefined) await assertLoginFree(db, employee.user_id, user?.user_id ?? null);
  await linkUser(db, user, id);
  const cipher = await openKeysFor(context, body);
  const effective_from = await changeTerms(context, employee, body, cipher);
  const columns = {
    ...personOf(body),
    ...dates({ dob, probation_end }),
    ...encryptedColumns(cipher, id, body),
    ...(name !== undefined && { name }),
    ...(code !== undefined && { code }),
    ...(user !== undefined && { user_id: user?.user_id ?? null, made_user: new_staff !== undefined }),
  };
  if (Object.keys(columns).length > 0)
    await convertUniqueViolation(db.employee.updateMany({ where: { id }, data: columns }));
  if (effective_from !== undefined || joining_date !== undefined) await applyTerms(db, id, day);
  const fields = Object.keys(body).filter((field) => field !== 'version' && field !== 'effective_from');
  const user_id = (user === undefined ? employee.user_id : user?.user_id) ?? '';
  emit(EmployeeUpdated, { employee_id: id, user_id, fields, effective_from: effective_from ?? '', new_staff });
  return await readPlainEmployee(db, caller, id);
}
