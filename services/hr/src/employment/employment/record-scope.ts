/**
 * Record scope: the employees whose records of a kind a caller works with. All, only the caller, or also the caller's
 * team.
 */
import { type Sql, sql } from '@suite/chassis/database';
import { Forbidden, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';

/**
 * Returns the condition that an employee is in the caller's record scope.
 * @param noun kind of record
 * @param column column with the ID of the employee
 */
export const inReach = (
  { record_scopes }: Pick<Caller, 'record_scopes'>,
  noun: string,
  column: Sql = sql`employees.id`,
): Sql => {
  const scope = record_scopes[noun] ?? 'all';
  return scope === 'all' ? sql`TRUE` : sql`${column} = ANY (employees_in_reach(${scope}))`;
};

/** Checks if an employee is in the caller's record scope at present. */
export async function isInReach(db: Db, caller: Caller, noun: string, employee_id: string): Promise<boolean> {
  const found = await db.rows(sql`
    SELECT id FROM employees WHERE id = ${employee_id}::uuid AND ${inReach(caller, noun)}`);
  return found.length > 0;
}

/** Rejects an employee outside the caller's record scope, if a body names them. @throws a 422 */
export async function assertInReach(
  { db, caller }: { db: Db; caller: Caller },
  noun: string,
  employee_id: string,
): Promise<void> {
  if (!(await isInReach(db, caller, noun, employee_id))) throw invalid('employee_id', 'Record not found.');
}

/** Nouns whose records managers see with the scope `team`. A test compares them with the visibility of the tables. */
export const LED_NOUNS = [
  'employee',
  'attendance',
  'leave',
  'leave_balance',
  'payroll',
  'acknowledgment',
  'award',
  'promotion',
  'employee_transfer',
  'resignation',
];

const decidesOnAllLeave = ({ permissions, record_scopes }: Pick<Caller, 'permissions' | 'record_scopes'>): boolean =>
  permissions.includes('leave.decide') && (record_scopes['leave'] ?? 'all') === 'all';

/** Returns what a caller lacks to manage more employees: the scope `all`, or the permission to decide on leave. */
function missingToManage({ permissions, record_scopes }: Caller): object | undefined {
  const noun = LED_NOUNS.find((each) => record_scopes[each] === 'team');
  if (noun) return { permission: `${noun}.view`, record_scope: 'all' };
  return decidesOnAllLeave({ permissions, record_scopes }) ? undefined : { permission: 'leave.decide' };
}

interface AppointmentContext {
  db: Db;
  caller: Caller;
}

/**
 * Rejects a change that adds an employee to the caller's own team, directly or indirectly. Managers see records with
 * the scope `team` and decide on leave. The caller therefore needs these permissions for all employees already.
 * @param field body field that names the manager
 * @throws Forbidden, naming the permission and, if narrower, the record scope
 */
export async function assertMayLead(
  { db, caller }: AppointmentContext,
  employee_id: string,
  { manager_id, field }: { manager_id: string; field: string },
): Promise<void> {
  const lacking = missingToManage(caller);
  if (!lacking) return;
  const [gained] = await db.rows(sql`
    SELECT FROM employees_in_reach('team') AS led
    WHERE ${manager_id}::uuid = ANY (led) AND ${employee_id}::uuid <> ALL (led)`);
  if (gained) throw Forbidden({ ...lacking, field });
}

/**
 * Rejects callers who make themselves a department head without the permission to decide on leave. Heads decide on
 * leave of employees without a manager.
 * @throws Forbidden
 */
export async function assertMayHead({ db, caller }: AppointmentContext, head_id: string): Promise<void> {
  if (decidesOnAllLeave(caller)) return;
  const own = await db.rows(sql`
    SELECT FROM employees WHERE id = ${head_id}::uuid AND user_id = ${caller.user_id}::uuid`);
  if (own.length > 0) throw Forbidden({ permission: 'leave.decide', field: 'head_id' });
}
