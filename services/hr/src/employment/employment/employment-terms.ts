/**
 * Terms of an employment, each valid from a given day. The value on a day is in the row with the greatest
 * `(effective_from, seq)` up to that day. `employees` stores a copy of the current values.
 */
import { randomUUIDv7 } from 'node:crypto';
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { FieldCipher } from '@suite/field-encryption';
import type { Db } from '../../operations.ts';
import { salaryCipherLocation } from './salary-cipher-location.ts';

/** Terms that `employees` stores as well. A salary is also dated, but encrypted. */
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
/** Terms on one day. */
export type EmploymentTerms = Record<DatedField, string | null>;

const TEXTS: readonly DatedField[] = ['employment_type', 'payroll_basis'];
const kindOf = (field: DatedField): string => (TEXTS.includes(field) ? 'text' : 'uuid');

/**
 * Returns the terms of employees on a day: `employee_id` and the dated fields. There is one row for each employee with
 * terms by then.
 * @param of condition for rows of `employee_history`. Defaults to all rows.
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

/** Returns the terms of one employee on a day, or undefined before they joined. */
export async function employmentTermsOf(
  db: Db,
  employee_id: string,
  day: string,
): Promise<EmploymentTerms | undefined> {
  const [found] = await db.rows<EmploymentTerms & { employee_id: string }>(
    termsOn(day, sql`employee_id = ${employee_id}::uuid`),
  );
  if (!found) return undefined;
  const { employee_id: _, ...terms } = found;
  return terms;
}

/** Encrypted value with the row that contains it. */
export interface EncryptedValue {
  employee_id: string;
  row_id: string;
  sealed: string;
}

/** Returns the encrypted salaries of employees on a day. Decrypt with `salaryCipherLocation(row_id)`. */
export const salariesOn = (db: Db, ids: readonly string[], day: string): Promise<EncryptedValue[]> =>
  db.rows<EncryptedValue>(sql`
    SELECT employee_id, id AS row_id, value_sealed AS sealed FROM (
      SELECT DISTINCT ON (employee_id) employee_id, id, value_sealed FROM employee_history
      WHERE employee_id = ANY(${ids}::uuid[]) AND field = 'salary' AND effective_from <= ${day}::date
      ORDER BY employee_id, effective_from DESC, seq DESC) AS latest
    WHERE value_sealed IS NOT NULL`);

/** Employee, employment, day and cause of new terms. */
export interface TermsSource {
  employee_id: string;
  employment_id: string;
  effective_from: string;
  cause: 'joining' | 'promotion' | 'transfer' | 'manual' | 'rehire';
  /** Promotion or transfer that caused the terms. */
  cause_id?: string;
}

/** Returns the components of a salary. They are stored unencrypted, so that components in use can be found. */
const componentsOf = (salary: string): string[] =>
  (JSON.parse(salary) as { components?: { component_id: string }[] }).components?.map((one) => one.component_id) ?? [];

/**
 * Writes terms from a given day. The employee must be locked. Later rows for a day replace earlier ones, and no row is
 * overwritten. Call `applyTerms` to update the employee.
 * @param salary text to encrypt. Null for no salary from that day, undefined to leave it unchanged
 */
export async function writeTerms(
  db: Db,
  { employee_id, employment_id, effective_from, cause, cause_id }: TermsSource,
  terms: Partial<EmploymentTerms>,
  salary?: { cipher: FieldCipher; text: string } | null,
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
      value_sealed: salary && salary.cipher.seal(salaryCipherLocation(id), salary.text),
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
 * Copies the terms of a day, or of the joining date if later, to the employee. Also sets the next day on which a term
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
