/** Decisions on leave: approval, rejection and cancellation, for all operations. */
import { sql } from '@suite/chassis/database';
import { Forbidden, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { LeaveApproved, LeaveCancelled, LeaveRejected, LeaveUpdated } from '@suite/proto/hr/v1/events';
import { daysAfter } from '@suite/time-zones';
import { PayrollClosed } from '../../attendance/attendance-days/attendance-day.ts';
import type { LockedEmployee } from '../../employment/employment/employment.ts';
import { assertNotOwn } from '../../employment/employment/own-record.ts';
import {
  assertMayOverride,
  type LeaveContext,
  lockWithEmployee,
  leaveEventOf,
} from '../leave-applications/leave-application.ts';
import { assertGrantable, leaveStates } from '../leave-applications/leave-application.rules.ts';
import { readLeaveApplication } from '../leave-applications/leave-application.view.ts';
import { spanUntil, sumOf } from '../leave-applications/leave-days.rules.ts';
import { firstPaidOf, checkRequest, readType } from '../leave-applications/leave-request.ts';
import { type LeaveRow, readLeaveDays, writeLeaveDays } from '../leave-applications/leave-row.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';
import { queueLeaveMail } from '../leave-mails/leave-mail.ts';
import {
  releaseLeaveDays,
  grantLeave,
  NO_ROWS,
  releaseDays,
  type DecisionContext,
  type DecisionRows,
} from './grant-leave.ts';

/** Decision on a leave request. */
export interface DecisionToApply {
  action: 'approve' | 'reject' | 'cancel';
  remark?: string | null | undefined;
  from?: string | undefined;
  override?: string[] | undefined;
}

/** Origin of a decision: the employee whom the decider represents, or null. */
interface DecisionOrigin {
  on_behalf_of: string | null;
}

/** Locked leave request with its employee. */
export interface LeaveCase {
  row: LeaveRow;
  employee: LockedEmployee;
}

const decisionColumns = ({ user_id }: Caller, { on_behalf_of }: DecisionOrigin, remark: string | null | undefined) => ({
  decided_by: user_id,
  decided_at: clock.now(),
  on_behalf_of,
  remark: remark || null,
});

/** Checks a request again as of today, with the days that currently count. */
async function recheckRequest({ db, caller }: LeaveContext, { row, employee }: LeaveCase, override: readonly string[]) {
  assertMayOverride(caller, override);
  const request = { ...row, application_id: row.id, has_document: row.attachment_key !== null };
  const judged = await checkRequest(db, employee, request, row.id);
  const overrides = [...new Set([...row.overrides, ...override])];
  assertGrantable(judged.facts, overrides);
  return { ...judged, overrides };
}

/** Records the first of two approvals. */
async function approveFirst(context: LeaveContext, { row }: LeaveCase, overrides: string[]): Promise<DecisionRows> {
  const patch = { first_approved_by: context.caller.user_id, overrides };
  await leaveStates.move(context.db.leaveApplication, row.id, 'approve_first', patch, context.caller);
  return NO_ROWS;
}

async function approve(
  context: LeaveContext,
  found: LeaveCase,
  decision: DecisionToApply,
  door: DecisionOrigin,
): Promise<DecisionRows> {
  const { db, emit, caller } = context;
  const { row, employee } = found;
  if (row.status === 'first_approved' && !caller.permissions.includes('leave.decide'))
    throw Forbidden({ permission: 'leave.decide' });
  const { type, leave, counted, overrides } = await recheckRequest(context, found, decision.override ?? []);
  if (type.second_step && row.status === 'pending') return await approveFirst(context, found, overrides);
  await writeLeaveDays(db, row, counted);
  const patch = { ...decisionColumns(caller, door, decision.remark), overrides, days: daysText(sumOf(counted)) };
  await leaveStates.move(db.leaveApplication, row.id, 'approve', patch, caller);
  const written = await grantLeave(context, row, leave, counted);
  emit(LeaveApproved, leaveEventOf(row, employee.user_id));
  return written;
}

async function reject(
  context: LeaveContext,
  { row, employee }: LeaveCase,
  { remark }: DecisionToApply,
  door: DecisionOrigin,
): Promise<DecisionRows> {
  const { db, emit, caller } = context;
  await leaveStates.move(db.leaveApplication, row.id, 'reject', decisionColumns(caller, door, remark), caller);
  emit(LeaveRejected, leaveEventOf(row, employee.user_id));
  return await releaseDays(db, row);
}

/** Options for cancelling a leave request. */
interface CancellationOptions {
  /** Columns to write with the status. */
  patch?: object;
  caller?: Caller | null;
  /** True to keep holidays among the days as attendance days. */
  keeps_holidays?: boolean;
}

/** Cancels an entire leave request. */
export async function cancelWhole(
  { db, emit }: DecisionContext,
  { row, employee }: LeaveCase,
  { patch = {}, caller = null, keeps_holidays = false }: CancellationOptions = {},
): Promise<DecisionRows> {
  await leaveStates.move(db.leaveApplication, row.id, 'cancel', patch, caller);
  emit(LeaveCancelled, leaveEventOf(row, employee.user_id));
  if (row.status !== 'approved') return await releaseDays(db, row);
  const days = (await readLeaveDays(db, row.id)).map(({ day }) => day);
  return await releaseLeaveDays({ db, emit }, row, { days, keeps_holidays });
}

/** Ends granted leave the day before `from`. Later days are released, and the previous version is recorded. */
export async function shortenLeave(
  { db, emit }: DecisionContext,
  { row, employee }: LeaveCase,
  from: string,
): Promise<DecisionRows> {
  const days = await readLeaveDays(db, row.id);
  const remaining = days.filter(({ day }) => day < from);
  const gone = days.filter(({ day }) => day >= from).map(({ day }) => day);
  const span = spanUntil(row, daysAfter(from, -1));
  await db.leaveChange.create({
    data: {
      application_id: row.id,
      from: new Date(row.from),
      to: new Date(row.to),
      half_day: row.half_day,
      starts_midday: row.starts_midday,
      ends_midday: row.ends_midday,
      days: daysText(sumOf(days)),
    },
  });
  const { half_day, starts_midday, ends_midday } = span;
  const data = { to: new Date(span.to), half_day, starts_midday, ends_midday, days: daysText(sumOf(remaining)) };
  await db.leaveApplication.updateMany({ where: { id: row.id }, data });
  await db.rows(sql`DELETE FROM leave_days WHERE application_id = ${row.id}::uuid AND day >= ${from}::date`);
  const written = gone.length > 0 ? await releaseLeaveDays({ db, emit }, row, { days: gone }) : NO_ROWS;
  emit(LeaveUpdated, { ...leaveEventOf({ ...row, ...span }, employee.user_id), status: 'approved' });
  return written;
}

/**
 * Rejects the release of unpaid days in a final payslip, unless this is overridden. @throws PayrollClosed, Forbidden
 */
async function assertMayGiveBack(
  { db, caller }: LeaveContext,
  row: LeaveRow,
  { from = '', override = [] }: DecisionToApply,
) {
  assertMayOverride(caller, override);
  const { paid } = await readType(db, row.leave_type_id);
  if (paid || row.status !== 'approved' || override.includes('payroll_closed')) return;
  const days = (await readLeaveDays(db, row.id)).filter(({ day }) => day >= from);
  const day = await firstPaidOf(db, row.employee_id, days);
  if (day !== undefined) throw PayrollClosed({ day });
}

async function cancel(
  context: LeaveContext,
  found: LeaveCase,
  decision: DecisionToApply,
  door: DecisionOrigin,
): Promise<DecisionRows> {
  const { row } = found;
  const { from, remark } = decision;
  if (from !== undefined && (row.status !== 'approved' || from <= row.from || from > row.to))
    throw invalid('from', 'Enter a day after the first day of the approved leave.');
  await assertMayGiveBack(context, row, decision);
  const days = await readLeaveDays(context.db, row.id);
  const isPart = from !== undefined && days.some(({ day }) => day < from);
  if (isPart) return await shortenLeave(context, found, from);
  const { caller } = context;
  return await cancelWhole(context, found, { patch: decisionColumns(caller, door, remark), caller });
}

const STATUS_AFTER = { approve: 'approved', reject: 'rejected', cancel: 'cancelled' } as const;

/** Checks if a decision was made before. Repeating it has no effect. */
const isAlreadyDecided = (
  { status, first_approved_by }: LeaveRow,
  { action }: DecisionToApply,
  { user_id }: Caller,
): boolean =>
  status === STATUS_AFTER[action] ||
  (action === 'approve' && status === 'first_approved' && first_approved_by === user_id);

const DECISIONS_BY_ACTION = { approve, reject, cancel };

/**
 * Decides on a leave request, by permission or as its assigned approver.
 * @throws OwnRecord, InvalidTransition, Forbidden, and each fault for a request that cannot be granted
 */
export async function decideLeave(
  context: LeaveContext,
  found: LeaveCase,
  decision: DecisionToApply,
  door: DecisionOrigin,
) {
  const { db, caller } = context;
  const { row, employee } = found;
  const { id } = row;
  assertNotOwn(context, employee);
  if (isAlreadyDecided(row, decision, caller)) return { ...(await readLeaveApplication(context, id)), ...NO_ROWS };
  leaveStates.assertFits(decision.action, row, caller);
  const written = await DECISIONS_BY_ACTION[decision.action](context, found, decision, door);
  const decided = await readLeaveApplication(context, id);
  if (decided.status !== 'first_approved')
    await queueLeaveMail(db, { application_id: id, employee_id: row.employee_id, kind: 'decided' });
  return { ...decided, ...written };
}

/**
 * Decides by permission. If the caller is the assigned deputy, the decision names the manager they represent. @throws
 * as `decideLeave`
 */
export async function decideByPermission(
  context: LeaveContext,
  id: string,
  decision: DecisionToApply,
  expect?: number,
) {
  const { db, caller } = context;
  const found = await lockWithEmployee(db, id, expect);
  const { approver_id, on_behalf_of } = found.row;
  const [self] = await db.rows<{ id: string }>(sql`
    SELECT id FROM employees WHERE user_id = ${caller.user_id}::uuid AND id = ${approver_id}::uuid`);
  return await decideLeave(context, found, decision, { on_behalf_of: self ? on_behalf_of : null });
}
