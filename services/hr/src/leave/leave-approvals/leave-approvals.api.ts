/** Leave requests awaiting your approval, as the manager or as the deputy. */
import { Id } from '@suite/chassis/fields';
import { ok, page } from '@suite/chassis/operations';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { grantFaults, NoWorkingDay } from '../leave-applications/leave-application.rules.ts';
import { LeaveToDecide, LeaveToDecideFilter } from '../leave-applications/leave-application.schema.ts';
import { DecidedLeave, LeaveApproval } from '../leave-decisions/leave-decision.schema.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { decideAsApprover, listOwnApprovals } from './leave-approval.ts';

const ADDITION =
  'Managers decide on leave of their team without administrator permissions, and deputies replace absent managers.';

export const list = query('GET /api/hrm/approvals', {
  summary: 'List leave requests awaiting your approval',
  description: 'Returns the pending requests of your reports, and of managers for whom you are the deputy today.',
  addition: ADDITION,
  access: employeesOnly,
  query: LeaveToDecideFilter,
  reply: page(LeaveToDecide),
  faults: [NotAnEmployee],
  handle: ({ query: request, ...context }) => listOwnApprovals(context, request),
});

export const decide = command('POST /api/hrm/approvals/{leaveapplication_id}', {
  summary: 'Approve or reject a leave request',
  description:
    'Approves or rejects a leave request as the manager, or as the deputy today. Approval charges the balance and updates the attendance. Returns 404 for requests of other employees.',
  addition: ADDITION,
  access: employeesOnly,
  params: { leaveapplication_id: Id },
  body: LeaveApproval,
  reply: ok(DecidedLeave),
  faults: [NotAnEmployee, OwnRecord, NoWorkingDay, ...grantFaults],
  handle: ({ params: { leaveapplication_id: id }, body, ...context }) => decideAsApprover(context, id, body),
});
