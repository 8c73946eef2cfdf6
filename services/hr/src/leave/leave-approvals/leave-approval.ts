/** Decisions by the assigned approver or their deputy, which require no permission. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { ListRequest } from '@suite/chassis/lists';
import type { LeaveContext } from '../leave-applications/leave-application.ts';
import { lockWithEmployee } from '../leave-applications/leave-application.ts';
import { listToDecide } from '../leave-applications/leave-application.view.ts';
import { decideLeave } from '../leave-decisions/leave-decision.ts';
import type { LeaveApproval } from '../leave-decisions/leave-decision.schema.ts';
import { leaveToday } from '../../employment/leave-ledger/accounts.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';

/** Returns the employees for whom an employee decides today: the employee and those they are deputy of. */
async function approversOf(db: Db, employee_id: string): Promise<string[]> {
  const day = await leaveToday(db);
  const [found] = await db.rows<{ ids: string[] }>(
    sql`SELECT leave_approvers(${employee_id}::uuid, ${day}::date) AS ids`,
  );
  return found!.ids;
}

/** Returns a page of the leave requests awaiting the caller's decision. @throws NotAnEmployee */
export async function listOwnApprovals({ db, caller }: Pick<LeaveContext, 'db' | 'caller'>, request: ListRequest) {
  const { id } = await currentEmployee(db, caller);
  return await listToDecide(db, request, await approversOf(db, id));
}

/**
 * Decides on a leave request awaiting the caller's decision.
 * @throws NotAnEmployee, NotFound for any other request, and the faults of `decideLeave`
 */
export async function decideAsApprover(
  context: LeaveContext,
  id: string,
  { action, remark }: Pick<LeaveApproval, 'action' | 'remark'>,
) {
  const { db, caller } = context;
  const self = await currentEmployee(db, caller);
  const found = await lockWithEmployee(db, id);
  const { approver_id, on_behalf_of } = found.row;
  if (approver_id === null || !(await approversOf(db, self.id)).includes(approver_id)) throw NotFound();
  const door = { on_behalf_of: approver_id === self.id ? on_behalf_of : approver_id };
  return await decideLeave(context, found, { action, remark }, door);
}
