/** Decisions on leave requests by permission, never on your own. */
import { DryRun, idOf } from '@suite/chassis/fields';
import { ok } from '@suite/chassis/operations';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { soleApproverFor } from '../../employment/employment/own-record.ts';
import { grantFaults, leaveStates, NoWorkingDay } from '../leave-applications/leave-application.rules.ts';
import { command } from '../../operations.ts';
import { decideByPermission } from './leave-decision.ts';
import { DecidedLeave, LeaveDecision } from './leave-decision.schema.ts';

export const decide = command('POST /api/leave-application/update-status/{leaveapplication_id}', {
  summary: 'Approve, reject or cancel a leave request',
  description:
    'Decides on a leave request. Approval charges the balance and updates the attendance. Cancellation reverses both. Some leave types need two approvals by different users. Repeating a decision changes nothing.',
  access: leaveStates.can('approve', 'reject', 'cancel'),
  params: { leaveapplication_id: idOf('leave_applications') },
  query: { dry_run: DryRun },
  body: LeaveDecision,
  reply: ok(DecidedLeave),
  faults: [OwnRecord, NoWorkingDay, ...grantFaults],
  prepare: soleApproverFor('leave.decide'),
  handle: ({ params: { leaveapplication_id: id }, body, expect, ...context }) =>
    decideByPermission(context, id, body, expect),
});
