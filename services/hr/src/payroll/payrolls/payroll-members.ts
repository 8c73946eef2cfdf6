/** Employees of a run, each with one pending payslip. */
import { randomUUIDv7 } from 'node:crypto';
import { empty, type Sql, sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { openEncryption } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { hasUnsettledLeave } from '../payroll-facts/leave-rows.ts';
import { employeesPaidIn } from '../payroll-facts/employees-by-currency.ts';
import { NobodyToPay, PeriodOverlaps } from './payroll.rules.ts';

/** Period and employees of a run. */
export interface PayrollPeriod {
  id: string;
  type: string;
  period_start: string;
  period_end: string;
  pay_date: string;
  branch_id: string | null;
  department_id: string | null;
  excluded_employee_ids: readonly string[];
  currency: string;
}

/** Returns an SQL expression for a term of an employee on a day. Without history, the current value applies. */
const termOf = (field: 'branch_id' | 'department_id', day: string): Sql => {
  const today = field === 'branch_id' ? sql`employees.branch_id` : sql`employees.department_id`;
  return sql`coalesce((SELECT history.value::uuid FROM employee_history AS history
    WHERE history.employee_id = employees.id AND history.field = ${field} AND history.effective_from <= ${day}::date
    ORDER BY history.effective_from DESC, history.seq DESC LIMIT 1), ${today})`;
};

/** Selects the employees with an employment in the period of a run. */
const employedIn = ({ period_start, period_end }: PayrollPeriod): Sql => sql`
  EXISTS (SELECT FROM employments WHERE employments.employee_id = employees.id
    AND employments.joining_date <= ${period_end}::date
    AND (employments.exit_date IS NULL OR employments.exit_date >= ${period_start}::date))`;

/** Returns the IDs of a run's employees that match a condition. */
async function findWhere(db: Db, run: PayrollPeriod, belongs: Sql): Promise<string[]> {
  const { period_end, branch_id, department_id, excluded_employee_ids } = run;
  const inBranch = branch_id ? sql`AND ${termOf('branch_id', period_end)} = ${branch_id}::uuid` : empty;
  const inDepartment = department_id ? sql`AND ${termOf('department_id', period_end)} = ${department_id}::uuid` : empty;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT employees.id FROM employees WHERE ${belongs} AND employees.id <> ALL (${excluded_employee_ids}::uuid[])
      ${inBranch} ${inDepartment} ORDER BY employees.id`);
  return rows.map((row) => row.id);
}

/** Returns former employees in the scope of a run, who left before its period and have an open loan or recovery. */
export const formerDebtors = (db: Db, run: PayrollPeriod): Promise<string[]> => {
  const isOpen = sql`status = 'open' AND employee_id = employees.id`;
  return findWhere(
    db,
    run,
    sql`(EXISTS (SELECT FROM employee_loans WHERE ${isOpen}) OR EXISTS (SELECT FROM recoveries WHERE ${isOpen}))
      AND NOT EXISTS (SELECT FROM employments WHERE employments.employee_id = employees.id
        AND (employments.exit_date IS NULL OR employments.exit_date >= ${run.period_start}::date))`,
  );
};

/** Returns the employees in the scope and period of a run, whether it pays them or not. */
export const employeesOfRun = (db: Db, run: PayrollPeriod): Promise<string[]> => findWhere(db, run, employedIn(run));

/**
 * Returns all employees that a run pays, including former ones with unsettled leave. Chosen: an employee belongs to
 * their branch and department at the end of the period.
 */
function employeesPaidBy(db: Db, run: PayrollPeriod): Promise<string[]> {
  const hasOneOff = sql`EXISTS (SELECT FROM payroll_one_offs WHERE payroll_one_offs.payroll_id = ${run.id}::uuid
    AND payroll_one_offs.employee_id = employees.id)`;
  if (run.type !== 'regular') return findWhere(db, run, hasOneOff);
  const isOwedLeave = sql`${hasUnsettledLeave(sql`employees.id`, run.period_end)} AND EXISTS (SELECT FROM employee_history AS paid
    WHERE paid.employee_id = employees.id AND paid.field = 'salary' AND paid.value_sealed IS NOT NULL)`;
  return findWhere(db, run, sql`(${employedIn(run)} OR (${isOwedLeave}))`);
}

/** Context for enrolling employees. @property caller null for an automatic draft, which is in base currency */
export interface Enrolment {
  db: Db;
  keys: Pick<Keys, 'master'>;
  caller: Caller | null;
}

/** Checks that no employee is in another run of the period. @throws PeriodOverlaps, with the first such employee */
async function assertFree(
  db: Db,
  { id, period_start, period_end }: PayrollPeriod,
  people: readonly string[],
): Promise<void> {
  const taken = await db.rows<{ employee_id: string; payroll_id: string }>(sql`
    SELECT employee_id, payroll_id FROM payroll_entries
    WHERE employee_id = ANY (${people}::uuid[]) AND payroll_id <> ${id}::uuid AND regular
      AND status NOT IN ('cancelled', 'reversed') AND daterange(period_start, period_end, '[]') && daterange(${period_start}::date, ${period_end}::date, '[]')
    ORDER BY employee_id LIMIT 100`);
  if (taken.length === 0) return;
  const payroll_ids = [...new Set(taken.map(({ payroll_id }) => payroll_id))];
  throw PeriodOverlaps({ payroll_ids, employee_ids: taken.map(({ employee_id }) => employee_id) });
}

/**
 * Creates a payslip for each employee of a run. Deletes payslips of employees who no longer belong to the run. The run
 * must be locked. Rows are written in employee order, so that two runs of one period cannot deadlock. Only one of them
 * gets each employee.
 * @returns the number of employees
 * @throws PeriodOverlaps, NobodyToPay
 */
export async function enrol(context: Enrolment, run: PayrollPeriod): Promise<number> {
  const { db } = context;
  const all = await employeesPaidBy(db, run);
  const cipher = await openEncryption(db, context.keys.master);
  const people = run.type === 'regular' ? await employeesPaidIn({ db, cipher }, run, all) : all;
  if (people.length === 0) throw NobodyToPay();
  const regular = run.type === 'regular';
  if (regular) await assertFree(db, run, people);
  const { id, period_start, period_end, pay_date, currency } = run;
  await db.rows(sql`
    DELETE FROM payroll_entries WHERE payroll_id = ${id}::uuid
      AND (employee_id <> ALL (${people}::uuid[]) OR period_start <> ${period_start}::date OR period_end <> ${period_end}::date
        OR pay_date IS DISTINCT FROM ${pay_date}::date OR regular <> ${regular} OR currency IS DISTINCT FROM ${currency})`);
  const ids = people.map(() => randomUUIDv7()).toSorted();
  await db.rows(sql`
    INSERT INTO payroll_entries (id, payroll_id, employee_id, regular, period_start, period_end, pay_date, currency)
    SELECT slip.id, ${id}::uuid, slip.employee_id, ${regular}, ${period_start}::date, ${period_end}::date, ${pay_date}::date, ${currency}
    FROM unnest(${ids}::uuid[], ${people}::uuid[]) AS slip (id, employee_id) ORDER BY slip.employee_id
    ON CONFLICT (workspace_id, payroll_id, employee_id) DO NOTHING`);
  return people.length;
}
