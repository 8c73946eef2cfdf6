/** Creates employees, and deletes employees who were entered by mistake. */
import { randomUUIDv7 } from 'node:crypto';
import { raw, sql } from '@suite/chassis/database';
import { assertUnused } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { numbering } from '@suite/numbering';
import { EmployeeCreated, EmployeeDeleted } from '@suite/proto/hr/v1/events';
import { type PreparedUser, linkUser } from '../../employment/employee-users/employee-user.ts';
import { assertOther, lockEmployee } from '../../employment/employment/employment.ts';
import { assertReportingLine } from '../../employment/employment/reporting-line.ts';
import { type EmploymentTerms, writeTerms } from '../../employment/employment/employment-terms.ts';
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
import type { EmployeeInput } from './employee-input.schema.ts';
import { assertDates, assertMayWrite } from '../../employment/employee-users/employee.rules.ts';
import { readPlainEmployee } from './employee.view.ts';

const takeNumber = numbering({ employee: { prefix: 'EMP', yearly: false } });

/** Returns the next unused code of the series. Manually entered codes are skipped. */
async function nextCode(db: Db, day: string): Promise<string> {
  for (;;) {
    const { number } = await takeNumber(db, 'employee', day);
    if ((await db.employee.count({ where: { code: number } })) === 0) return number;
  }
}

async function defaultShift(db: Db): Promise<string | null> {
  const shift = await db.shift.findFirst({ where: { is_default: true }, select: { id: true } });
  return shift?.id ?? null;
}

/**
 * Creates an employee.
 * @throws UserTaken, CodeTaken, IdentityTaken, ManagerCircle, JoiningOutOfRange, ProbationBeforeJoining, IbanInvalid,
 *   WrongDesignation, Forbidden for fields that the caller may not write, a 422 for unknown references
 */
export async function createEmployee(context: CommandContext, body: EmployeeInput, { user, new_staff }: PreparedUser) {
  const { db, caller, emit } = context;
  const {
    name,
    joining_date,
    salary,
    bank,
    national_id,
    tax_id,
    ytd_opening,
    user: _,
    code,
    dob,
    probation_end,
    ...rest
  } = body;
  const day = today(caller.timezone);
  assertMayWrite(caller, body);
  assertDates(body, day);
  const terms = { manager_id: null, calendar_id: null, payroll_basis: null, ...termsOfBody(rest) } as EmploymentTerms;
  terms.shift_id = rest.shift_id === undefined ? await defaultShift(db) : rest.shift_id;
  await assertWorkplace(db, terms, terms);
  await assertReportingLine(context, undefined, terms.manager_id, joining_date);
  const [id, employment_id] = [randomUUIDv7(), randomUUIDv7()];
  await linkUser(db, user, id);
  const cipher = await openKeysFor(context, body);
  const columns = {
    ...personOf(rest),
    ...(terms as { branch_id: string; department_id: string; designation_id: string; employment_type: string }),
    ...dates({ dob, probation_end }),
    ...encryptedColumns(cipher, id, { bank, national_id, tax_id, ytd_opening }),
    id,
    name,
    code: code ?? (await nextCode(db, joining_date)),
    user_id: user?.user_id ?? null,
    made_user: new_staff !== undefined,
    status: joining_date > day ? 'onboarding' : 'active',
    joining_date: date(joining_date),
  };
  await convertUniqueViolation(db.employee.create({ data: columns }));
  await db.employment.create({ data: { id: employment_id, employee_id: id, joining_date: date(joining_date) } });
  const source = { employee_id: id, employment_id, effective_from: joining_date, cause: 'joining' as const };
  await writeTerms(db, source, terms, await salaryOf(context, salary ?? undefined, cipher));
  const { code: given, status } = columns;
  const user_id = user?.user_id ?? '';
  emit(EmployeeCreated, { employee_id: id, code: given, name, user_id, status, joining_date, new_staff });
  return await readPlainEmployee(db, caller, id);
}

/** Tables whose rows prevent the deletion of an employee, with their foreign-key column. */
const HOLDING = {
  reports: ['employees', 'manager_id'],
  departments: ['departments', 'head_id'],
  attendance: ['attendances', 'employee_id'],
  leave: ['leave_applications', 'employee_id'],
  leave_ledger: ['leave_ledger', 'employee_id'],
  payslips: ['payroll_entries', 'employee_id'],
  loans: ['employee_loans', 'employee_id'],
  awards: ['awards', 'employee_id'],
  promotions: ['promotions', 'employee_id'],
  transfers: ['employee_transfers', 'employee_id'],
  resignations: ['resignations', 'employee_id'],
  terminations: ['terminations', 'employee_id'],
  warnings: ['warnings', 'employee_id'],
  complaints: ['complaints', 'from_employee_id'],
  acknowledgments: ['acknowledgments', 'employee_id'],
  audiences: ['audience_parts', 'employee_id'],
} as const;

/**
 * Deletes an employee who was entered by mistake. Also deletes the user created with them, unless that user has signed
 * in.
 * @throws OwnRecord, InUse with the number of records of each kind; end the employment instead
 */
export async function removeEmployee({ db, caller, emit }: CommandContext, id: string): Promise<{ id: string }> {
  const employee = await lockEmployee(db, id);
  assertOther(employee, caller);
  // The lock prevents new references to the employee, such as requests for acknowledgments.
  await db.rows(sql`SELECT id FROM employees WHERE id = ${id}::uuid FOR UPDATE`);
  // A pending acknowledgment does not prevent the deletion.
  await db.rows(sql`DELETE FROM acknowledgments WHERE employee_id = ${id}::uuid AND status = 'pending'`);
  const countDependentRecords = async () => {
    const counts: Record<string, number> = {};
    for (const [kind, [table, column]] of Object.entries(HOLDING)) {
      const [found] = await db.rows<{ count: number }>(sql`
        SELECT count(*)::int AS count FROM ${raw(table)} WHERE ${raw(column)} = ${id}::uuid`);
      if (found!.count > 0) counts[kind] = found!.count;
    }
    return counts;
  };
  await assertUnused(countDependentRecords, (counts) => ({ counts }));
  await db.employee.deleteMany({ where: { id } });
  emit(EmployeeDeleted, { employee_id: id, made_user_id: employee.made_user ? (employee.user_id ?? '') : '' });
  return { id };
}
