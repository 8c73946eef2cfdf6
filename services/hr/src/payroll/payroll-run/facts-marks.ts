/** Hashes of payslip inputs. They identify payslips that may have changed without calculating all again. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { taxYearOf } from '../payroll-facts/tax-year.rules.ts';
import { firstFact } from './arrears-marks.ts';
import type { CalculatedRun } from './inputs.ts';

/** Returns an SQL expression for the hash of an employee's inputs. */
export function markOf(run: CalculatedRun, employee_id: Sql): Sql {
  const { from } = taxYearOf(run.pay_date, run.settings.tax_year_start);
  const since = [firstFact(run), from].toSorted()[0]!;
  return sql`payroll_facts_mark(${run.id}::uuid, ${employee_id}, ${since}::date, ${run.period_end}::date)`;
}

/** Returns the hash of the inputs that all employees share. */
export async function companyMark(db: Db): Promise<string> {
  const [company] = await db.rows<{ mark: string }>(sql`SELECT payroll_company_mark() AS mark`);
  return company!.mark;
}

/** Reads the marks of some employees, before their input data. A concurrent change then counts as a change. */
export async function readMarks(db: Db, run: CalculatedRun, ids: readonly string[]): Promise<Map<string, string>> {
  const company = await companyMark(db);
  const rows = await db.rows<{ id: string; mark: string }>(sql`
    SELECT id, ${markOf(run, sql`id`)} AS mark FROM unnest(${ids}::uuid[]) AS person (id)`);
  return new Map(rows.map(({ id, mark }) => [id, `${company} ${mark}`]));
}
