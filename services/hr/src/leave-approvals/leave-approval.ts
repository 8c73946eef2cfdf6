/** Decides as the one whom an application waits for, or as his deputy: that takes no permission. */
import { type ListRequest, NotFound, sql } from '@suite/chassis';
import type { LeaveContext } from '../leave-applications/leave-application.ts';
import { lockWithEmployee } from '../leave-applications/leave-application.ts';
import { listToDecide } from '../leave-applications/leave-application.view.ts';
import { decide } from '../leave-decisions/leave-decision.ts';
import type { LeaveApproval } from '../leave-decisions/leave-decision.schema.ts';
import { leaveToday } from '../leave-ledger/accounts.ts';
import type { Db } from '../operations.ts';
import { selfOf } from '../self/self.ts';

/** Those for whom somebody decides on a day: himself, and everybody whose deputy he is then. */
async function standsInFor(db: Db, employee_id: string): Promise<string[]> {
  const day = await leaveToday(db);
  const others = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM deputies WHERE deputy_id = ${employee_id}::uuid AND ${day}::date BETWEEN "from" AND "to"`);
  return [employee_id, ...others.map((one) => one.employee_id)];
}

/** One page of the applications that wait for the caller. @throws NotAnEmployee */
export async function listOwnApprovals({ db, caller }: Pick<LeaveContext, 'db' | 'caller'>, request: ListRequest) {
  const { id } = await selfOf(db, caller);
  return await listToDecide(db, request, await standsInFor(db, id));
}

/**
 * Decides on an application that waits for the caller.
 * @throws NotAnEmployee, NotFound for one that does not, and what `decide` throws
 */
export async function decideAsApprover(
  context: LeaveContext,
  id: string,
  { action, remark }: Pick<LeaveApproval, 'action' | 'remark'>,
) {
  const { db, caller } = context;
  const self = await selfOf(db, caller);
  const found = await lockWithEmployee(db, id);
  const { approver_id, on_behalf_of } = found.row;
  if (approver_id === null || !(await standsInFor(db, self.id)).includes(approver_id)) throw NotFound();
  const door = { on_behalf_of: approver_id === self.id ? on_behalf_of : approver_id };
  return await decide(context, found, { action, remark }, door);
}
