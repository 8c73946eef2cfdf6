/** Creates, changes and deletes leave requests. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, remove } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { FileLinks, StoredFile } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { LeaveCancelled, LeaveRequested, LeaveUpdated } from '@suite/proto/hr/v1/events';
import { type LockedEmployee, lockEmployee } from '../../employment/employment/employment.ts';
import { type RecordContext, assertNotOwn } from '../../employment/employment/own-record.ts';
import { assertInReach } from '../../employment/employment/record-scope.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';
import { queueLeaveMail } from '../leave-mails/leave-mail.ts';
import type { Db } from '../../operations.ts';
import { findApprover } from '../deputies/approver.ts';
import { assertGrantable, leaveStates } from './leave-application.rules.ts';
import type {
  LeaveApplicationChanges,
  LeaveApplicationInput,
  OwnLeaveChanges,
  OwnLeaveInput,
} from './leave-application.schema.ts';
import { readLeaveApplication } from './leave-application.view.ts';
import { sumOf } from './leave-days.rules.ts';
import { type RequestedLeave, checkRequest } from './leave-request.ts';
import { employeeOf, type LeaveRow, lockLeave, writeLeaveDays } from './leave-row.ts';

/** Context of commands on leave. */
export interface LeaveContext extends RecordContext {
  db: Db;
  emit: Emit;
  links: FileLinks;
}

/** Checks that the caller may override these rules. @throws Forbidden */
export function assertMayOverride({ permissions }: Caller, overrides: readonly string[]): void {
  if (overrides.includes('payroll_closed') && !permissions.includes('payroll.run'))
    throw Forbidden({ permission: 'payroll.run' });
}

/** Returns the common fields of all leave events. */
export const leaveEventOf = (
  leave: Pick<LeaveRow, 'id' | 'employee_id' | 'from' | 'to' | 'half_day'>,
  user_id: string | null,
) => ({
  leave_id: leave.id,
  employee_id: leave.employee_id,
  user_id: user_id ?? '',
  from: leave.from,
  to: leave.to,
  half: leave.half_day,
});

type LeaveDocument = Pick<StoredFile, 'key' | 'name' | 'mime'> | undefined;

const documentOf = (file: LeaveDocument) =>
  file && { attachment_key: file.key, attachment_name: file.name, attachment_mime: file.mime };

const textOf = (days: number | null): string | null => (days === null ? null : daysText(days));

const columnsOf = (request: RequestedLeave) => ({
  leave_type_id: request.leave_type_id,
  from: new Date(request.from),
  to: new Date(request.to),
  half_day: request.half_day,
  starts_midday: request.starts_midday,
  ends_midday: request.ends_midday,
  reason: request.reason,
});

/** Writes a checked request and notifies its approver. */
async function submit(
  context: LeaveContext,
  employee: LockedEmployee,
  request: RequestedLeave,
  { overrides, file }: { overrides: string[]; file: LeaveDocument },
) {
  const { db, emit } = context;
  const id = randomUUIDv7();
  const { leave, counted, facts, balance_before, balance_after } = await checkRequest(db, employee, request, id);
  assertGrantable(facts, overrides);
  const approver = await findApprover(db, request.employee_id, leave.today);
  await db.leaveApplication.create({
    data: {
      id,
      employee_id: request.employee_id,
      ...columnsOf(request),
      ...documentOf(file),
      ...approver,
      overrides,
      days: daysText(sumOf(counted)),
      balance_before: textOf(balance_before),
      asked_at: clock.now(),
    },
  });
  await writeLeaveDays(db, { id, employee_id: request.employee_id }, counted);
  emit(LeaveRequested, leaveEventOf({ id, ...request }, employee.user_id));
  const { approver_id } = approver;
  if (approver_id) await queueLeaveMail(db, { application_id: id, employee_id: approver_id, kind: 'requested' });
  return { ...(await readLeaveApplication(context, id)), balance_after: textOf(balance_after) };
}

const requestOf = (
  employee_id: string,
  { half_day = 'none', starts_midday = false, ends_midday = false, reason, ...input }: OwnLeaveInput,
  file: LeaveDocument,
): RequestedLeave => ({
  employee_id,
  leave_type_id: input.leave_type_id,
  from: input.from,
  to: input.to,
  half_day,
  starts_midday,
  ends_midday,
  reason: reason || null,
  has_document: file !== undefined,
});

/**
 * Requests leave for another employee.
 * @throws OwnRecord, Forbidden, errors of `checkRequest`, and all faults that prevent a grant
 */
export async function requestForOther(
  context: LeaveContext,
  { employee_id, override = [], ...input }: LeaveApplicationInput,
  files: readonly StoredFile[],
) {
  assertMayOverride(context.caller, override);
  await assertInReach(context, 'leave', employee_id);
  const employee = await lockEmployee(context.db, employee_id);
  assertNotOwn(context, employee);
  return await submit(context, employee, requestOf(employee_id, input, files[0]), {
    overrides: override,
    file: files[0],
  });
}

/** Requests leave for the caller. @param employee_id the caller's employee */
export async function requestForSelf(
  context: LeaveContext,
  employee_id: string,
  input: OwnLeaveInput,
  files: readonly StoredFile[],
) {
  const employee = await lockEmployee(context.db, employee_id);
  return await submit(context, employee, requestOf(employee_id, input, files[0]), { overrides: [], file: files[0] });
}

/** Returns the leave request with the changes applied. */
function applyChanges(row: LeaveRow, changes: OwnLeaveChanges, file: LeaveDocument): RequestedLeave {
  const { from = row.from, to = changes.from && row.from === row.to ? changes.from : row.to } = changes;
  return {
    employee_id: row.employee_id,
    leave_type_id: changes.leave_type_id ?? row.leave_type_id,
    from,
    to,
    half_day: changes.half_day ?? row.half_day,
    starts_midday: changes.starts_midday ?? row.starts_midday,
    ends_midday: changes.ends_midday ?? row.ends_midday,
    reason: changes.reason === undefined ? row.reason : changes.reason || null,
    has_document: file !== undefined || row.attachment_key !== null,
  };
}

/** Changes a locked request that is pending. The request is checked again and requires all approvals again. */
async function resubmitRequest(
  context: LeaveContext,
  { row, employee }: { row: LeaveRow; employee: LockedEmployee },
  changes: OwnLeaveChanges,
  { overrides, file }: { overrides: string[]; file: LeaveDocument },
) {
  const { db, emit } = context;
  const { id } = row;
  const request = applyChanges(row, changes, file);
  const { counted, facts, balance_before, balance_after } = await checkRequest(
    db,
    employee,
    { ...request, is_changed: true, application_id: id },
    id,
  );
  assertGrantable(facts, overrides);
  if (row.status === 'first_approved')
    await leaveStates.move(db.leaveApplication, id, 'ask_anew', { first_approved_by: null });
  await db.leaveApplication.updateMany({
    where: { id },
    data: {
      ...columnsOf(request),
      ...documentOf(file),
      overrides,
      days: daysText(sumOf(counted)),
      balance_before: textOf(balance_before),
      asked_at: clock.now(),
    },
  });
  await writeLeaveDays(db, row, counted);
  emit(LeaveUpdated, { ...leaveEventOf({ id, ...request }, employee.user_id), status: 'pending' });
  return { ...(await readLeaveApplication(context, id)), balance_after: textOf(balance_after) };
}

/** Locks a leave request and its employee. @throws NotFound, Stale */
export async function lockWithEmployee(db: Db, id: string, expect?: number) {
  const employee = await lockEmployee(db, await employeeOf(db, id));
  const row = await lockLeave(db, id);
  assertVersion(row, expect);
  return { employee, row };
}

/** Change request from a client. */
interface LeaveChange<Body> {
  id: string;
  body: Body;
  files: readonly StoredFile[];
  expect: number | undefined;
}

/**
 * Changes another employee's leave request. Chosen: overrides apply only to the previous version, so a change must name
 * them again.
 * @throws OwnRecord, InvalidTransition, Stale, Forbidden, and as `requestForOther`
 */
export async function changeForOther(
  context: LeaveContext,
  { id, body, files, expect }: LeaveChange<LeaveApplicationChanges>,
) {
  const { override = [], version: _, ...changes } = body;
  assertMayOverride(context.caller, override);
  const { employee, row } = await lockWithEmployee(context.db, id, expect);
  assertNotOwn(context, employee);
  leaveStates.assertFits('update', row, context.caller);
  return await resubmitRequest(context, { row, employee }, changes, { overrides: override, file: files[0] });
}

/** Changes the caller's own leave request. @param id ID of the caller's request @throws InvalidTransition, Stale */
export async function changeForSelf(context: LeaveContext, { id, body, files, expect }: LeaveChange<OwnLeaveChanges>) {
  const { version: _, ...changes } = body;
  const found = await lockWithEmployee(context.db, id, expect);
  leaveStates.assertFits('update', found.row, context.caller);
  return await resubmitRequest(context, found, changes, { overrides: [], file: files[0] });
}

/** Deletes a pending leave request. @throws OwnRecord, InvalidTransition */
export async function removeLeave(context: LeaveContext, id: string) {
  const { db, emit, caller } = context;
  const { employee, row } = await lockWithEmployee(db, id);
  assertNotOwn(context, employee);
  leaveStates.assertFits('delete', row, caller);
  emit(LeaveCancelled, leaveEventOf(row, employee.user_id));
  return await remove(db.leaveApplication, id);
}
