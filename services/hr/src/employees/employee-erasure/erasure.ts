/**
 * Erases the identity of former employees. Amounts remain under the employee code and can no longer be traced to a
 * person.
 */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { clock, today } from '@suite/chassis/runtime';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { inYears } from '../../employment/employee-users/employee.rules.ts';
import { readPlainEmployee } from '../employees/employee.view.ts';
import { assertOther, lockEmployee } from '../../employment/employment/employment.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import type { Erasure } from './erasure.schema.ts';

export const StillEmployed = fault(409, 'still_employed', 'This employee has not left. End the employment first.');
export const RetentionNotOver = fault(
  409,
  'retention_not_over',
  'The retention period of these records has not ended. Enter the legal basis for an earlier erasure.',
);

const NAME = 'Former employee';

/** Personal columns of an employee, and their values after the erasure. */
const ERASED = {
  name: NAME,
  user_id: null,
  made_user: false,
  email: null,
  phone: null,
  dob: null,
  gender: null,
  private_phone: null,
  address: null,
  hide_birthday: true,
  bank_sealed: null,
  national_id_sealed: null,
  national_id_index: null,
  tax_id_sealed: null,
  tax_id_index: null,
  external_id: null,
};

/**
 * Columns of other records with texts about an employee, or with their locations. Append-only records are not changed.
 * A payslip that is still to be paid retains its bank account.
 */
const TEXT_COLUMNS = [
  sql`employees SET emergency_contact = NULL WHERE id`,
  sql`attendances SET reason = NULL WHERE employee_id`,
  sql`attendance_events SET ip = NULL, geo = NULL, note = NULL WHERE employee_id`,
  sql`leave_applications SET reason = NULL, remark = NULL, attachment_key = NULL, attachment_name = NULL,
    attachment_mime = NULL WHERE employee_id`,
  sql`promotions SET reason = NULL, remark = NULL WHERE employee_id`,
  sql`employee_transfers SET reason = NULL, remark = NULL WHERE employee_id`,
  sql`resignations SET reason = NULL, remark = NULL WHERE employee_id`,
  sql`terminations SET reason = NULL, remark = NULL WHERE employee_id`,
  sql`payroll_entries SET bank_sealed = NULL WHERE status NOT IN ('finalised', 'withheld') AND employee_id`,
];

async function eraseTexts(db: Db, id: string): Promise<void> {
  for (const words of TEXT_COLUMNS) await db.rows(sql`UPDATE ${words} = ${id}::uuid`);
  // Warnings are deleted, because they only contain reproaches.
  await db.warning.deleteMany({ where: { employee_id: id } });
}

/**
 * Erases a former employee. Repeated calls have no effect. @throws NotFound, OwnRecord, StillEmployed, RetentionNotOver
 */
export async function eraseEmployee(context: CommandContext, id: string, { force_legal_basis }: Erasure) {
  const { db, caller, emit } = context;
  const employee = await lockEmployee(db, id);
  assertOther(employee, caller);
  if (employee.status !== 'left') throw StillEmployed();
  const { retention_years } = await readSettings(db);
  const until = inYears(employee.exit_date!, retention_years);
  if (until >= today(caller.timezone) && !force_legal_basis) throw RetentionNotOver({ until });
  const [{ erased_at } = { erased_at: null }] = await db.rows<{ erased_at: unknown }>(sql`
    SELECT erased_at FROM employees WHERE id = ${id}::uuid`);
  if (erased_at === null) {
    await db.employee.updateMany({
      where: { id },
      data: { ...ERASED, erased_at: clock.now(), erasure_basis: force_legal_basis ?? null },
    });
    await eraseTexts(db, id);
    await db.employeeDocument.deleteMany({ where: { employee_id: id } });
    await db.changeRequest.deleteMany({ where: { employee_id: id } });
    emit(EmployeeUpdated, { employee_id: id, user_id: '', fields: ['name'], effective_from: '' });
  }
  return await readPlainEmployee(db, caller, id);
}
