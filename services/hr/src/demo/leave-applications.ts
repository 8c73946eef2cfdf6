/** Leave that the people of the demo have asked for, in every state. */
import type { Caller, Emit } from '@suite/chassis';
import { daysAfter } from '@suite/wall-clock';
import { askForOther } from '../leave-applications/leave-application.ts';
import { decideByPermission } from '../leave-decisions/leave-decision.ts';
import { leaveToday } from '../leave-ledger/accounts.ts';
import { earlier, lastOf, yearOf } from '../leave-ledger/calendar.rules.ts';
import type { Db } from '../operations.ts';

/** The decisions on every fifth application. One of five waits. */
const DECISIONS = [
  [],
  [{ action: 'approve' }],
  [{ action: 'approve' }, { action: 'cancel', remark: 'A customer comes' }],
  [{ action: 'reject', remark: 'We take stock in that week' }],
] as const;
const EVERY = 3;
/** Within a working week, whatever day it is. */
const LENGTH_DAYS = 4;

/** Has every third of the demo's people ask for leave, by the functions that the operations call. */
export async function provideApplications(work: { db: Db; emit: Emit }, caller: Caller): Promise<void> {
  const { db } = work;
  const annual = await db.leaveType.findFirstOrThrow({ where: { code: 'annual' }, select: { id: true } });
  const people = await db.employee.findMany({ orderBy: { id: 'asc' }, select: { id: true, user_id: true } });
  const today = await leaveToday(db);
  // Nothing has a document here, so that no link to one is made.
  const context = { ...work, caller, links: {} as never };
  const asking = people.filter(({ user_id }, at) => at % EVERY === 0 && user_id !== caller.user_id);
  for (const [at, { id: employee_id }] of asking.entries()) {
    // Days of the next year are granted when it begins: late in a year its last weeks are asked for.
    const from = earlier(daysAfter(today, 14 + at * 3), daysAfter(lastOf(yearOf(today)), -LENGTH_DAYS - at));
    const asked = { employee_id, leave_type_id: annual.id, from, to: daysAfter(from, LENGTH_DAYS - 1) };
    const { id } = await askForOther(context, asked, []);
    for (const decision of DECISIONS[at % DECISIONS.length]!) await decideByPermission(context, id, decision);
  }
}
