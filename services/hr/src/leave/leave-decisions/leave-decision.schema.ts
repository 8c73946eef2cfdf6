import { choice, Day, Id, input, LongText, QtyOut, version } from '@suite/chassis/fields';
import { z } from 'zod';
import { STATUSES } from '../../attendance/attendance/attendance.schema.ts';
import { LeaveApplication, Overrides } from '../leave-applications/leave-application.schema.ts';

const REASON_REQUIRED = { message: 'Enter a reason for the rejection.', path: ['remark'] };
const hasReason = ({ action, remark }: { action: string; remark?: string | null | undefined }): boolean =>
  action !== 'reject' || Boolean(remark);

export const LeaveDecision = input({
  action: choice('approve', 'reject', 'cancel'),
  remark: LongText.nullish(),
  from: Day.optional().describe('First day to cancel. Earlier days remain taken.'),
  override: Overrides.optional(),
  version,
})
  .refine(hasReason, REASON_REQUIRED)
  .refine(({ action, from }) => action === 'cancel' || from === undefined, {
    message: 'Omit `from`: only a cancellation has a first day.',
    path: ['from'],
  })
  .refine(({ action, override }) => action !== 'reject' || override === undefined, {
    message: 'Omit `override`: a rejection has nothing to override.',
    path: ['override'],
  });

/** Decision of the assigned approver. */
export const LeaveApproval = input({ action: choice('approve', 'reject'), remark: LongText.nullish() }).refine(
  hasReason,
  REASON_REQUIRED,
);

/** Ledger line created by a decision. */
const LedgerLine = z
  .object({
    id: Id,
    kind: z.string(),
    days: QtyOut,
    lot_id: Id.nullable(),
    valid_from: Day.nullable(),
    valid_to: Day.nullable(),
    day: Day.nullable(),
  })
  .meta({ id: 'LeaveDecisionLine' });

const AttendanceDay = z
  .object({ id: Id, local_date: Day, status: choice(...STATUSES).nullable() })
  .meta({ id: 'LeaveAttendanceDay' });

const written = {
  ledger_lines: z
    .array(LedgerLine)
    .describe('Leave ledger entries of the decision. Empty if the request was already decided.'),
  attendance_days: z.array(AttendanceDay).describe('Attendance days created by the decision.'),
};

/** Leave request with the rows created by its decision. */
export const DecidedLeave = LeaveApplication.extend(written).meta({ id: 'DecidedLeave' });

export type LeaveDecision = z.output<typeof LeaveDecision>;
export type LeaveApproval = z.output<typeof LeaveApproval>;
