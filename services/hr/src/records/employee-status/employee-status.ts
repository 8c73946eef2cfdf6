/** Changes of an employee's status: by an action, by notice, and by rehiring. */
import { assertVersion } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { randomUUIDv7 } from 'node:crypto';
import type { z } from 'zod';
import { readPlainEmployee } from '../../employees/employees/employee.view.ts';
import { assertDates, assertMayWrite } from '../../employment/employee-users/employee.rules.ts';
import {
  date,
  dates,
  salaryOf,
  openKeysFor,
  termsOfBody,
  convertUniqueViolation,
} from '../../employees/employees/employee-columns.ts';
import { assertOther, lockEmployee } from '../../employment/employment/employment.ts';
import { employeeStates } from '../../employment/employment/employment.rules.ts';
import { writeStatus } from '../../employment/employment/status-history.ts';
import { announceStatus, giveNotice, withdrawNotice } from '../../employment/employment/exit.ts';
import { assertReportingLine } from '../../employment/employment/reporting-line.ts';
import {
  applyTerms,
  type EmploymentTerms,
  employmentTermsOf,
  writeTerms,
} from '../../employment/employment/employment-terms.ts';
import { assertWorkplace } from '../../employment/employment/workplace.ts';
import { debtWarningsOf } from '../../employment/open-debts/debt-warnings.ts';
import { withdrawNoticesOf } from '../exit-notices/exit-notice.ts';
import type { CommandContext, Db } from '../../operations.ts';
import type { Ending, Rehiring, StatusChange } from './employee-status.schema.ts';

/** Locks an employee for a change by another user. @throws NotFound, Stale, OwnRecord */
async function lockForStatus({ db, caller }: { db: Db; caller: Caller }, id: string, expect: number | undefined) {
  const employee = await lockEmployee(db, id);
  assertVersion(employee, expect);
  assertOther(employee, caller);
  return employee;
}

/** Changes the status of an employee. @throws InvalidTransition, OwnRecord, Stale */
export async function changeStatus(
  context: CommandContext,
  id: string,
  { action, reason }: z.output<typeof StatusChange>,
  expect: number | undefined,
) {
  const { db, caller, emit } = context;
  const employee = await lockForStatus(context, id, expect);
  if (action === 'activate' && employee.joining_date > today(caller.timezone))
    throw invalid('action', 'This employee becomes active on the joining date.');
  const moved = await employeeStates.move(db.employee, id, action, {}, caller);
  const after = await readPlainEmployee(db, caller, id);
  if (moved) {
    await writeStatus(db, employee, { status: after.status, reason: reason ?? null, day: today(caller.timezone) });
    announceStatus(emit, employee, after.status);
  }
  return after;
}

/** Ends an employment. @throws EmploymentEnded, ExitBeforeJoining, InvalidTransition, OwnRecord, Stale */
export async function endEmployment(
  context: CommandContext,
  id: string,
  { exit_date, cause }: z.output<typeof Ending>,
  expect: number | undefined,
) {
  await giveNotice(context, await lockForStatus(context, id, expect), { exit_date, cause });
  const employee = await readPlainEmployee(context.db, context.caller, id);
  return { ...employee, warnings: await debtWarningsOf(context, id) };
}

/** Withdraws notice with the resignation or termination that caused it. @throws InvalidTransition, OwnRecord */
export async function continueEmployment(context: CommandContext, id: string) {
  await withdrawNotice(context, await lockForStatus(context, id, undefined));
  await withdrawNoticesOf(context, id);
  return await readPlainEmployee(context.db, context.caller, id);
}

/**
 * Rehires a former employee with the same record and code, and a new employment. @throws InvalidTransition,
 * IdentityTaken, OwnRecord
 */
export async function rehire(
  context: CommandContext,
  id: string,
  body: z.output<typeof Rehiring>,
  expect: number | undefined,
) {
  const { db, caller, emit } = context;
  const employee = await lockForStatus(context, id, expect);
  assertMayWrite(caller, body);
  const { joining_date, probation_end, notice_days } = body;
  const day = today(caller.timezone);
  assertDates(body, day);
  // Unknown references in the body are reported before the employee's status is checked.
  const newTerms = termsOfBody(body);
  const terms = { ...(await employmentTermsOf(db, id, employee.exit_date ?? day)), ...newTerms } as EmploymentTerms;
  await assertWorkplace(db, newTerms, terms);
  await assertReportingLine(context, id, newTerms.manager_id, joining_date);
  employeeStates.assertFits('rehire', employee, caller);
  if (joining_date <= employee.exit_date!)
    throw invalid('joining_date', 'This day is within the previous employment. Enter a later day.');
  await assertWorkplace(db, terms, terms);
  await assertReportingLine(context, id, terms.manager_id, joining_date);
  // The employee is erased again after they leave.
  const known = { erased_at: null, erasure_basis: null };
  const patch = { exit_date: null, joining_date: date(joining_date), notice_days: notice_days ?? null };
  const again = { ...known, ...patch, ...dates({ probation_end: probation_end ?? null }) };
  await convertUniqueViolation(employeeStates.move(db.employee, id, 'rehire', again, caller));
  if (joining_date <= day) await employeeStates.move(db.employee, id, 'activate');
  const employment_id = randomUUIDv7();
  await db.employment.create({ data: { id: employment_id, employee_id: id, joining_date: date(joining_date) } });
  const source = { employee_id: id, employment_id, effective_from: joining_date, cause: 'rehire' as const };
  await writeTerms(db, source, terms, (await salaryOf(context, body.salary, await openKeysFor(context, body))) ?? null);
  await applyTerms(db, id, day);
  const after = await readPlainEmployee(db, caller, id);
  announceStatus(emit, employee, after.status);
  return after;
}
