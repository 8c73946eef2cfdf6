/** Reads payroll inputs for many employees, with one statement for each kind of input. */
import { sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import { employeeCipherLocation } from '../../employees/employees/employee-encrypted-fields.ts';
import type { BankAccount } from '../../employment/employee-users/bank-account.rules.ts';
import { salaryCipherLocation } from '../../employment/employment/salary-cipher-location.ts';
import type { Db } from '../../operations.ts';
import type { AttendedDay, PaidLeavePart } from './day-facts.rules.ts';

type Decryption = Pick<FieldCipher, 'open'>;
interface DaySpan {
  from: string;
  to: string;
}

/** Employee with the fields that payroll needs. */
export interface PaidPerson {
  id: string;
  user_id: string | null;
  dob: string | null;
  bank: BankAccount | null;
  /** Earnings and taxes from earlier employers in the tax year of joining. */
  ytd_opening: { taxable: string; tax: string } | null;
  joining_date: string;
}

/** Returns the employees with the given IDs. */
export async function readPaidPeople(
  db: Db,
  cipher: Decryption,
  ids: readonly string[],
): Promise<Map<string, PaidPerson>> {
  const rows = await db.rows<
    Omit<PaidPerson, 'bank' | 'ytd_opening'> & { bank_sealed: string | null; ytd_opening_sealed: string | null }
  >(sql`
    SELECT id, user_id, dob::text AS dob, joining_date::text AS joining_date, bank_sealed, ytd_opening_sealed FROM employees
    WHERE id = ANY (${ids}::uuid[])`);
  return new Map(
    rows.map(({ bank_sealed, ytd_opening_sealed, ...row }) => {
      const bank = bank_sealed
        ? (JSON.parse(cipher.open(employeeCipherLocation(row.id, 'bank'), bank_sealed)) as BankAccount)
        : null;
      const ytd_opening = ytd_opening_sealed
        ? (JSON.parse(
            cipher.open(employeeCipherLocation(row.id, 'ytd_opening'), ytd_opening_sealed),
          ) as PaidPerson['ytd_opening'])
        : null;
      return [row.id, { ...row, bank, ytd_opening }];
    }),
  );
}

/** Salary from a given day. Null if the employee no longer has a salary. */
export interface DatedSalary {
  from: string;
  salary: {
    basis: 'monthly' | 'hourly';
    amount: string;
    currency: string;
    weekly_hours: string;
    hourly_source: 'attendance' | 'projects' | null;
    components: readonly { component_id: string; value: string | null }[];
  } | null;
}

/** Returns the salaries of employees up to a day, by employee, oldest first. */
export async function readSalaries(
  db: Db,
  cipher: Decryption,
  ids: readonly string[],
  until: string,
): Promise<Map<string, DatedSalary[]>> {
  const rows = await db.rows<{ employee_id: string; id: string; from: string; value_sealed: string | null }>(sql`
    SELECT DISTINCT ON (employee_id, effective_from) employee_id, id, effective_from::text AS "from", value_sealed
    FROM employee_history WHERE employee_id = ANY (${ids}::uuid[]) AND field = 'salary' AND effective_from <= ${until}::date
    ORDER BY employee_id, effective_from, seq DESC`);
  const groups = Map.groupBy(rows, ({ employee_id }) => employee_id);
  return new Map(
    [...groups].map(([employee_id, all]) => [
      employee_id,
      all.map(({ id, from, value_sealed }) => ({
        from,
        salary: value_sealed
          ? (JSON.parse(cipher.open(salaryCipherLocation(id), value_sealed)) as DatedSalary['salary'])
          : null,
      })),
    ]),
  );
}

/** Returns the salaries that apply in a period: the last one up to its first day, and all later ones. */
export function salariesBetween(
  salaries: readonly DatedSalary[],
  { start, end }: { start: string; end: string },
): DatedSalary[] {
  const all = salaries.filter(({ from }) => from <= end);
  const first = all.findLastIndex(({ from }) => from <= start);
  return all.slice(Math.max(first, 0));
}

/**
 * Returns the attendance days that change pay, by employee and day.
 * @param hourly employees paid by the minute, whose days are all returned
 */
export async function readAttendedDays(
  db: Db,
  ids: readonly string[],
  { span: { from, to }, hourly }: { span: DaySpan; hourly: readonly string[] },
): Promise<Map<string, Map<string, AttendedDay>>> {
  const rows = await db.rows<AttendedDay & { employee_id: string; local_date: string }>(sql`
    SELECT day.employee_id, day.local_date::text AS local_date, day.status, day.manual, day.worked_minutes, day.overtime_minutes,
      day.overtime_approved
    FROM attendances AS day
    WHERE day.employee_id = ANY (${ids}::uuid[]) AND day.local_date BETWEEN ${from}::date AND ${to}::date AND day.state = 'closed'
      AND (day.status IN ('absent', 'half_day') OR day.overtime_minutes > 0 OR day.employee_id = ANY (${hourly}::uuid[]))`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  return new Map(
    [...people].map(([id, days]) => [
      id,
      new Map(days.map(({ employee_id: _, local_date, ...day }) => [local_date, day])),
    ]),
  );
}

/** Part of a leave day, with its leave type. */
export interface PaidLeaveDay extends PaidLeavePart {
  leave_type_id: string;
  name: string;
}

/** Returns the approved leave of employees, by employee and day. A day has one part or two. */
export async function readTakenLeave(
  db: Db,
  ids: readonly string[],
  { from, to }: DaySpan,
): Promise<Map<string, Map<string, PaidLeaveDay[]>>> {
  const rows = await db.rows<PaidLeaveDay & { employee_id: string; day: string }>(sql`
    SELECT person AS employee_id, taken.day::text AS day, taken.part, type.paid, type.id AS leave_type_id, type.name
    FROM unnest(${ids}::uuid[]) AS person, leave_parts(person, ${from}::date, ${to}::date) AS taken
      JOIN leave_types AS type ON type.id = taken.leave_type_id
    ORDER BY taken.day, taken.part, type.id`);
  const people = Map.groupBy(rows, ({ employee_id }) => employee_id);
  return new Map([...people].map(([id, parts]) => [id, Map.groupBy(parts, ({ day }) => day)]));
}

/** Returns the seconds of approved project time, by user and day. */
export async function readProjectTime(
  db: Db,
  user_ids: readonly string[],
  { from, to }: DaySpan,
): Promise<Map<string, Map<string, number>>> {
  if (user_ids.length === 0) return new Map();
  const rows = await db.rows<{ user_id: string; day: string; seconds: number }>(sql`
    SELECT user_id, local_date::text AS day, sum(seconds)::int AS seconds FROM project_times
    WHERE user_id = ANY (${user_ids}::uuid[]) AND approved AND local_date BETWEEN ${from}::date AND ${to}::date
    GROUP BY user_id, local_date`);
  const people = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...people].map(([id, days]) => [id, new Map(days.map(({ day, seconds }) => [day, seconds]))]));
}
