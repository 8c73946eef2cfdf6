/**
 * Changes the caller's profile. Contact data changes immediately. Bank account and official numbers require
 * confirmation by another user.
 */
import { assertVersion, find, sql } from '@suite/chassis/database';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { NothingAskedFor } from '../../employees/change-requests/request.rules.ts';
import { storeChangeRequests } from '../../employees/change-requests/request.ts';
import { readRequest } from '../../employees/change-requests/request.view.ts';
import { personOf } from '../../employees/employees/employee-columns.ts';
import { readPlainEmployee } from '../../employees/employees/employee.view.ts';
import type { CommandContext } from '../../operations.ts';
import { lockCurrentEmployee } from '../../employment/employee-users/current-employee.ts';
import type { ProfileChanges } from './profile.schema.ts';

/** Updates the caller's profile. @throws NotAnEmployee, NothingAskedFor, IbanInvalid, Stale */
export async function changeProfile(context: CommandContext, body: ProfileChanges, expect: number | undefined) {
  const { db, caller, emit } = context;
  const { id } = await lockCurrentEmployee(db, caller);
  assertVersion(await find(db.employee, id), expect);
  const { bank, national_id, tax_id, version: _, ...own } = body;
  const fields = Object.keys(own).filter((field) => own[field as keyof typeof own] !== undefined);
  if (fields.length === 0 && [bank, national_id, tax_id].every((value) => value === undefined)) throw NothingAskedFor();
  if (fields.length > 0) {
    await db.employee.updateMany({ where: { id }, data: personOf(own) });
    emit(EmployeeUpdated, { employee_id: id, user_id: caller.user_id, fields, effective_from: '' });
  }
  await storeChangeRequests(context, id, { bank, national_id, tax_id });
  const waiting = await db.rows<{ id: string }>(sql`
    SELECT id FROM change_requests WHERE employee_id = ${id}::uuid AND status = 'pending' ORDER BY created_at, id`);
  const change_requests = [];
  for (const request of waiting) change_requests.push(await readRequest(context, request.id));
  return { ...(await readPlainEmployee(db, caller, id)), change_requests };
}
