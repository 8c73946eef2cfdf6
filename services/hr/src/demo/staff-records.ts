/** Demo records about employees: some of each kind, in each status. */
import { sql } from '@suite/chassis/database';
import type { Caller, MasterKeys } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { clock, today } from '@suite/chassis/runtime';
import { dayAt, daysAfter } from '@suite/time-zones';
import { createAward } from '../records/awards/award.ts';
import { createComplaint, decideComplaint } from '../records/complaints/complaint.ts';
import type { Decision } from '../employees/employee-records/employee-record.schema.ts';
import { createTransfer, decideTransfer } from '../records/employee-transfers/employee-transfer.ts';
import type { CommandContext, Db } from '../operations.ts';
import { createPromotion, decidePromotion } from '../records/promotions/promotion.ts';
import { createResignation, decideResignation } from '../records/resignations/resignation.ts';
import { createTermination, decideTermination } from '../records/terminations/termination.ts';
import { createWarning, decideWarning } from '../records/warnings/warning.ts';
import { warningStates } from '../records/warnings/warning.rules.ts';

/** Demo employee with their branch and department. */
interface DemoEmployee {
  id: string;
  department_id: string;
  designation_id: string;
  branch_id: string;
}

const PEOPLE = 24;
const ACTIONS: readonly (Decision['action'] | undefined)[] = ['approve', 'approve', 'reject', 'withdraw', undefined];

/**
 * Proposes one change for each of five employees: approved in the past, approved for the future, rejected, withdrawn
 * and pending.
 */
async function proposeFive(
  people: readonly DemoEmployee[],
  day: string,
  propose: (person: DemoEmployee, effective_date: string, action: Decision['action'] | undefined) => Promise<unknown>,
) {
  for (const [at, action] of ACTIONS.entries())
    await propose(people[at]!, daysAfter(day, at === 0 ? -40 : 30 + at), action);
}

async function promote(context: CommandContext, people: readonly DemoEmployee[], day: string): Promise<void> {
  const { db } = context;
  await proposeFive(people, day, async ({ id: employee_id, department_id }, effective_date, action) => {
    const { id: to_designation_id } = await db.designation.create({ data: { name: 'Team lead', department_id } });
    const body = { employee_id, to_designation_id, effective_date, reason: 'Leads the team already' };
    const { id } = await createPromotion(context, body);
    if (action) await decidePromotion(context, id, { action }, undefined);
  });
}

async function transfer(context: CommandContext, people: readonly DemoEmployee[], day: string): Promise<void> {
  const branches = await context.db.branch.findMany({ orderBy: { id: 'asc' }, select: { id: true } });
  await proposeFive(people, day, async ({ id: employee_id, branch_id }, effective_date, action) => {
    const to_branch_id = branches.find(({ id }) => id !== branch_id)!.id;
    const { id } = await createTransfer(context, {
      employee_id,
      to_branch_id,
      effective_date,
      reason: 'Closer to home',
    });
    if (action) await decideTransfer(context, id, { action }, undefined);
  });
}

async function endEmployments(context: CommandContext, people: readonly DemoEmployee[], day: string): Promise<void> {
  const last_day = daysAfter(day, 120);
  const notice = { notice_date: daysAfter(day, -3), waive_notice: false };
  for (const [at, action] of (['approve', 'reject', undefined] as const).entries()) {
    const resignation = { employee_id: people[at]!.id, ...notice, last_day, reason: 'Moves to the sea' };
    const { id } = await createResignation(context, resignation);
    if (action) await decideResignation(context, id, { action }, undefined);
    const termination = { ...notice, employee_id: people[at + 3]!.id, type: 'contract_end' as const, date: last_day };
    const ended = await createTermination(context, { ...termination, reason: 'The project is over' });
    if (action) await decideTermination(context, ended.id, { action }, undefined);
  }
}

async function createWarnings(context: CommandContext, people: readonly DemoEmployee[], day: string): Promise<void> {
  const columns = { subject: 'Late again', text: 'Three times in a month.', date: daysAfter(day, -20) };
  for (const [at, severity] of (['verbal', 'written', 'final'] as const).entries()) {
    const { id } = await createWarning(context, { employee_id: people[at]!.id, ...columns, severity });
    if (at > 0) await warningStates.move(context.db.warning, id, 'acknowledge', { acknowledged_at: clock.now() });
    if (at > 1) await decideWarning(context, id, { action: 'close', remark: 'Half a year without' }, undefined);
  }
}

async function complain(context: CommandContext, people: readonly DemoEmployee[], day: string): Promise<void> {
  const [from, against] = people;
  const columns = {
    subject: 'Noise in the yard',
    description: 'Every morning before seven.',
    date: daysAfter(day, -9),
  };
  await createComplaint(context, { ...columns, anonymous: false, from_employee_id: from!.id });
  const complaint = {
    ...columns,
    subject: 'Rude words',
    anonymous: false,
    from_employee_id: from!.id,
    against_employee_id: against!.id,
  };
  const { id } = await createComplaint(context, complaint);
  await decideComplaint(context, id, { action: 'investigate' }, undefined);
  await decideComplaint(context, id, { action: 'resolve', outcome: 'They have talked about it.' }, undefined);
}

/** Creates records about employees with the functions of the operations, unless some exist. */
export async function writeRecords(work: { db: Db; emit: Emit; master: MasterKeys }, caller: Caller): Promise<void> {
  const { db, emit, master } = work;
  if ((await db.award.count()) > 0) return;
  const context = { db, emit, caller, keys: { master } };
  const day = dayAt(clock.now().getTime(), caller.timezone);
  const people = await db.rows<DemoEmployee>(sql`
    SELECT id, department_id, designation_id, branch_id FROM employees
    WHERE status = 'active' AND user_id IS NULL AND joining_date < ${daysAfter(today(caller.timezone), -60)}::date
    ORDER BY code LIMIT ${PEOPLE}`);
  if (people.length < PEOPLE) return;
  for (const [at, title] of ['Employee of the month', 'Ten years with us', 'Best idea'].entries())
    await createAward(context, { employee_id: people[at]!.id, type: 'month', date: day, title, public: at > 0 });
  await promote(context, people.slice(0, 5), day);
  await transfer(context, people.slice(5, 10), day);
  await endEmployments(context, people.slice(10, 16), day);
  await createWarnings(context, people.slice(16, 19), day);
  // Anonymous complaints come last, because they clear the actor for the rest of the transaction.
  await complain(context, people.slice(19, 21), day);
  const secret = { subject: 'Favours', description: 'Shifts go to friends.', date: day, anonymous: true };
  await createComplaint(context, { ...secret, from_employee_id: people[21]!.id });
}
