/**
 * The terms of an employment, each as a fact from a day on. The value of a term on a day is that of the row with the greatest
 * (effective_from, seq) whose effective_from is not later; employees hold the values of today beside them.
 */
import { randomUUIDv7 } from 'node:crypto';
import { join, raw, type Sql, sql } from '@suite/chassis';
import type { Sealed } from '@suite/sealed';
import type { Db } from '../operations.ts';
import { salaryPlace } from './salary-place.ts';

/** The terms that lie with employees, too. A salary is dated alike, and sealed. */
export const DATED = [
  'branch_id',
  'department_id',
  'designation_id',
  'manager_id',
  'shift_id',
  'calendar_id',
  'employment_type',
  'payroll_basis',
] as const;
export type DatedField = (typeof DATED)[number];
/** The terms of a day. */
export type Terms = Record<DatedField, string | null>;

const TEXTS: readonly DatedField[] = ['employment_type', 'payroll_basis'];
const kindOf = (field: DatedField): string => (TEXTS.includes(field) ? 'text' : 'uuid');

/**
 * The terms of employees on a day, one row for each who had any by then: `employee_id`, and the dated fields by their names.
 * @param of which rows of employee_history count, all by default
 */
export const termsOn = (day: string | Sql, of: Sql = sql`TRUE`): Sql => {
  const values = DATED.map(
    (field) => sql`
      (array_agg(value ORDER BY effective_from DESC, seq DESC) FILTER (WHERE field = ${raw(`'${field}'`)}))[1]${raw(`::${kindOf(field)} AS ${field}`)}`,
  );
  return sql`
    SELECT employee_id, ${join(values)} FROM employee_history
    WHERE effective_from <= ${day}::date AND ${of} GROUP BY employee_id`;
};

/** The terms of one employee on a day; none before he joined. */
export async function termsOf(db: Db, employee_id: string, day: string): Promise<Terms | undefined> {
  const [found] = await db.rows<Terms & { employee_id: string }>(termsOn(day, sql`employee_id = ${employee_id}::uuid`));
  if (!found) return undefined;
  const { employee_id: _, ...terms } = found;
  return terms;
}

/** A value as it is sealed, and the row of its place. */
export interface HeldValue {
  employee_id: string;
  row_id: string;
  sealed: string;
}

/** The sealed salaries of employees on a day; opened in `salaryPlace(row_id)`. */
export const salariesOn = (db: Db, ids: readonly string[], day: string): Promise<HeldValue[]> =>
  db.rows<HeldValue>(sql`
    SELECT employee_id, id AS row_id, value_sealed AS sealed FROM (
      SELECT DISTINCT ON (employee_id) employee_id, id, value_sealed FROM employee_history
      WHERE employee_id = ANY(${ids}::uuid[]) AND field = 'salary' AND effective_from <= ${day}::date
      ORDER BY employee_id, effective_from DESC, seq DESC) AS latest
    WHERE value_sealed IS NOT NULL`);

/** The place and reason of terms that are written down. */
export interface TermsSource {
  employee_id: string;
  employment_id: string;
  effective_from: string;
  cause: 'joining' | 'promotion' | 'transfer' | 'manual' | 'rehire';
  /** The promotion or transfer that they come of. */
  cause_id?: string;
}

/** The components that a salary has: they stand beside what is sealed, so that one in use is known as such. */
const componentsOf = (salary: string): string[] =>
  (JSON.parse(salary) as { components?: { component_id: string }[] }).components?.map((one) => one.component_id) ?? [];

/**
 * Writes terms down from a day on; the employee must be locked. Of two rows of a day the later one holds, and nothing is
 * overwritten. The employee shows them after `applyTerms`.
 * @param salary the text that is sealed; null for none from that day on, undefined to leave it as it is
 */
export async function writeTerms(
  db: Db,
  { employee_id, employment_id, effective_from, cause, cause_id }: TermsSource,
  terms: Partial<Terms>,
  salary?: { sealed: Sealed; text: string } | null,
): Promise<void> {
  const rows = Object.entries(terms).map(([field, value]) => ({
    id: randomUUIDv7(),
    field,
    value,
    value_sealed: null as string | null,
    component_ids: [] as string[],
  }));
  if (salary !== undefined) {
    const id = randomUUIDv7();
    rows.push({
      id,
      field: 'salary',
      value: null,
      value_sealed: salary && salary.sealed.seal(salaryPlace(id), salary.text),
      component_ids: salary ? componentsOf(salary.text) : [],
    });
  }
  if (rows.length === 0) return;
  await db.rows(sql`
    INSERT INTO employee_history (id, employee_id, employment_id, field, effective_from, seq, value, value_sealed, component_ids,
      cause, cause_id)
    SELECT id, ${employee_id}::uuid, ${employment_id}::uuid, field, ${effective_from}::date,
      1 + coalesce((SELECT max(known.seq) FROM employee_history AS known WHERE known.employee_id = ${employee_id}::uuid
        AND known.field = written.field AND known.effective_from = ${effective_from}::date), 0),
      value, value_sealed, component_ids, ${cause}, ${cause_id ?? null}::uuid
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS written (id uuid, field text, value text, value_sealed text, component_ids uuid[])`);
}

/**
 * Has an employee show the terms of a day, or of the day on which he joins where that is later, and the next day on which one
 * changes.
 */
export async function applyTerms(db: Db, employee_id: string, day: string): Promise<void> {
  const values = DATED.map((field) => raw(`${field} = terms.${field}`));
  await db.rows(sql`
    UPDATE employees SET ${join(values)}, next_change_on = (
      SELECT min(effective_from) FROM employee_history AS later
      WHERE later.employee_id = employees.id AND later.effective_from > greatest(${day}::date, employees.joining_date))
    FROM (${termsOn(sql`greatest(${day}::date, (SELECT joining_date FROM employees WHERE id = ${employee_id}::uuid))`, sql`employee_id = ${employee_id}::uuid`)}) AS terms
    WHERE employees.id = terms.employee_id`);
}
