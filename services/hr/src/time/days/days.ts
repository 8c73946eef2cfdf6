/**
 * Reads the work days of employees. Leave, attendance and payroll are all calculated from these days.
 *
 * Most callers need `daysOfEmployee(db, id, from, to)`. For many employees, read `readCompany` once and `readPeople` in
 * batches, and call `workDays` of `day.rules.ts`. Results do not depend on the caller. In a query, use these functions
 * only for employees that the caller can see.
 */
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import {
  type CalendarHoliday,
  type WorkspaceCalendar,
  type DatedValue,
  type PayrollBasis,
  type EmployeeSchedule,
  type ShiftTerms,
  type WorkDay,
  workDays,
} from './day.rules.ts';

/** First and last requested day. */
interface DaySpan {
  from: string;
  to: string;
}

interface CompanyRow {
  shifts: [string, DatedValue<ShiftTerms>[]][] | null;
  default_shift_id: string | null;
  branches: [string, string][] | null;
  default_calendar_id: string | null;
  holidays: [string, CalendarHoliday[]][] | null;
  payroll_basis: PayrollBasis | null;
  founded_at: number | null;
}

/** Returns the shared workspace data for some days, as values of one row. */
const companyFacts = ({ from, to }: DaySpan): Sql => sql`
      (SELECT jsonb_agg(jsonb_build_array(shift_id, versions)) FROM (
        SELECT shift_id, jsonb_agg(jsonb_build_object('effective_from', to_char(effective_from, 'YYYY-MM-DD'), 'seq', seq, 'value', terms)) AS versions
        FROM shift_versions WHERE effective_from <= ${to}::date GROUP BY shift_id) AS of_shift) AS shifts,
      (SELECT id FROM shifts WHERE is_default) AS default_shift_id,
      (SELECT jsonb_agg(jsonb_build_array(branch_id, id)) FROM holiday_calendars WHERE active AND branch_id IS NOT NULL) AS branches,
      (SELECT id FROM holiday_calendars WHERE is_default) AS default_calendar_id,
      (SELECT jsonb_agg(jsonb_build_array(calendar_id, days)) FROM (
        SELECT calendar_id, jsonb_agg(jsonb_build_object('id', id, 'name', name, 'from', to_char("from", 'YYYY-MM-DD'),
          'to', to_char("to", 'YYYY-MM-DD'), 'paid', paid) ORDER BY "from", id) AS days
        FROM holidays WHERE "from" <= ${to}::date AND "to" >= ${from}::date GROUP BY calendar_id) AS of_calendar) AS holidays,
      (SELECT payroll_basis FROM settings) AS payroll_basis,
      (SELECT round(extract(epoch FROM created_at) * 1000)::float8 FROM settings) AS founded_at`;

const companyOf = (facts: CompanyRow): WorkspaceCalendar => ({
  shifts: new Map(facts.shifts ?? []),
  default_shift_id: facts.default_shift_id,
  calendar_of_branch: new Map(facts.branches ?? []),
  default_calendar_id: facts.default_calendar_id,
  holidays: new Map(facts.holidays ?? []),
  payroll_basis: facts.payroll_basis ?? 'leave',
  founded_at: facts.founded_at ?? 0,
});

/** Reads the workspace data that all employees share, for some days. */
export async function readCompany(db: Db, span: DaySpan): Promise<WorkspaceCalendar> {
  const [facts] = await db.rows<CompanyRow>(sql`SELECT ${companyFacts(span)}`);
  return companyOf(facts!);
}

interface EmployeeRow {
  id: string;
  joining_date: string;
  exit_date: string | null;
  shift_id: string | null;
  branch_id: string;
  calendar_id: string | null;
  payroll_basis: PayrollBasis | null;
  recorded_at: number;
  employments: EmployeeSchedule['employments'] | null;
  history: (DatedValue<string | null> & { field: string })[] | null;
}

/** Day before any history. */
const BEFORE_HISTORY = '0001-01-01';

function personOf({ employments, history, ...row }: EmployeeRow): EmployeeSchedule {
  type DatedField = 'shift_id' | 'branch_id' | 'calendar_id' | 'payroll_basis';
  const historyOf = <Value extends string>(field: DatedField): DatedValue<Value | null>[] => {
    const entries = (history ?? []).filter((one) => one.field === field) as DatedValue<Value | null>[];
    return entries.length > 0
      ? entries
      : [{ effective_from: BEFORE_HISTORY, seq: 0, value: row[field] as Value | null }];
  };
  return {
    employments: employments ?? [row],
    shifts: historyOf('shift_id'),
    branches: historyOf('branch_id'),
    calendars: historyOf('calendar_id'),
    payroll_bases: historyOf<PayrollBasis>('payroll_basis'),
  };
}

const personRows = (employee_ids: readonly string[]): Sql => sql`
    SELECT id, joining_date::text AS joining_date, exit_date::text AS exit_date, shift_id, branch_id, calendar_id,
      payroll_basis, round(extract(epoch FROM created_at) * 1000)::float8 AS recorded_at,
      (SELECT jsonb_agg(jsonb_build_object('joining_date', to_char(joining_date, 'YYYY-MM-DD'), 'exit_date', to_char(exit_date, 'YYYY-MM-DD'),
          'recorded_at', round(extract(epoch FROM created_at) * 1000)))
        FROM employments WHERE employments.employee_id = employees.id) AS employments,
      (SELECT jsonb_agg(jsonb_build_object('field', field, 'effective_from', to_char(effective_from, 'YYYY-MM-DD'), 'seq', seq, 'value', value))
        FROM employee_history WHERE employee_history.employee_id = employees.id
          AND field IN ('shift_id', 'branch_id', 'calendar_id', 'payroll_basis')) AS history
    FROM employees WHERE id = ANY (${employee_ids}::uuid[])`;

const peopleOf = (rows: readonly EmployeeRow[]): Map<string, EmployeeSchedule> =>
  new Map(rows.map((row) => [row.id, personOf(row)]));

/** Reads the data of single employees, by employee ID. Unknown IDs are omitted. */
export const readPeople = async (db: Db, employee_ids: readonly string[]): Promise<Map<string, EmployeeSchedule>> =>
  peopleOf(await db.rows<EmployeeRow>(personRows(employee_ids)));

/** Reads workspace and employee data in one statement. */
export async function readCompanyAndPeople(
  db: Db,
  span: DaySpan,
  employee_ids: readonly string[],
): Promise<{ company: WorkspaceCalendar; people: Map<string, EmployeeSchedule> }> {
  const [facts] = await db.rows<CompanyRow & { people: EmployeeRow[] | null }>(sql`
    SELECT ${companyFacts(span)}, (SELECT jsonb_agg(to_jsonb(person)) FROM (${personRows(employee_ids)}) AS person) AS people`);
  return { company: companyOf(facts!), people: peopleOf(facts!.people ?? []) };
}

/**
 * Returns the work days of an employee between two days, inclusive. Each has its kind, its holiday and the shift terms
 * as of that day. Empty for an unknown ID.
 */
export async function daysOfEmployee(db: Db, employee_id: string, from: string, to: string): Promise<WorkDay[]> {
  const { company, people } = await readCompanyAndPeople(db, { from, to }, [employee_id]);
  const person = people.get(employee_id);
  return person ? workDays(company, person, from, to) : [];
}
