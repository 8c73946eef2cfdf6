/** Own leave: requests, changes and cancellations by the employee. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { StoredFile } from '@suite/chassis/files';
import type { ListRequest } from '@suite/chassis/lists';
import {
  requestForSelf,
  changeForSelf,
  type LeaveContext,
  lockWithEmployee,
} from '../leave-applications/leave-application.ts';
import { LeaveHasBegun, leaveStates } from '../leave-applications/leave-application.rules.ts';
import type { OwnLeaveChanges, OwnLeaveInput } from '../leave-applications/leave-application.schema.ts';
import { type LeaveReader, listLeave, readLeaveApplication } from '../leave-applications/leave-application.view.ts';
import { employeeOf } from '../leave-applications/leave-row.ts';
import { cancelWhole } from '../leave-decisions/leave-decision.ts';
import { leaveToday } from '../../employment/leave-ledger/accounts.ts';
import { queueLeaveMail } from '../leave-mails/leave-mail.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';

/** Returns a page of the caller's own leave requests. @throws NotAnEmployee */
export async function listOwnLeave(context: LeaveReader, request: ListRequest) {
  const { id } = await currentEmployee(context.db, context.caller);
  return await listLeave(context, { ...request, also: {} }, sql`leave_applications.employee_id = ${id}::uuid`);
}

/** Creates a leave request for the caller. @throws NotAnEmployee, and the faults of the policy check */
export async function requestOwnLeave(context: LeaveContext, input: OwnLeaveInput, files: readonly StoredFile[]) {
  const { id } = await currentEmployee(context.db, context.caller);
  return await requestForSelf(context, id, input, files);
}

/** Checks that a leave request belongs to the caller. @throws NotAnEmployee, NotFound */
async function assertOwn({ db, caller }: LeaveContext, application_id: string): Promise<void> {
  const { id } = await currentEmployee(db, caller);
  if ((await employeeOf(db, application_id)) !== id) throw NotFound();
}

/**
 * Changes a pending leave request. @throws NotAnEmployee, NotFound, InvalidTransition, Stale, and faults of a request
 */
export async function changeOwnLeave(
  context: LeaveContext,
  change: { id: string; body: OwnLeaveChanges; files: readonly StoredFile[]; expect: number | undefined },
) {
  await assertOwn(context, change.id);
  return await changeForSelf(context, change);
}

/**
 * Cancels leave that has not begun and notifies the approver of a pending request. @throws NotAnEmployee, NotFound,
 * LeaveHasBegun
 */
export async function cancelOwnLeave(context: LeaveContext, id: string, expect: number | undefined) {
  const { db, caller } = context;
  await assertOwn(context, id);
  const found = await lockWithEmployee(db, id, expect);
  const { row } = found;
  if (row.status !== 'cancelled') {
    leaveStates.assertFits('cancel', row, caller);
    if (row.from <= (await leaveToday(db))) throw LeaveHasBegun();
    await cancelWhole(context, found);
    const { approver_id: employee_id } = row;
    if (employee_id) await queueLeaveMail(db, { application_id: id, employee_id, kind: 'withdrawn' });
  }
  return await readLeaveApplication(context, id);
}
