/** Marks of what payslips are computed from: by them it is found whose payslip may be another one, without computing all anew. */
import { type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { taxYearOf } from '../payroll-facts/tax-year.rules.ts';
import { firstFact } from './arrears-marks.ts';
import type { CalculatedRun } from './inputs.ts';

/** The mark of somebody, in a statement. */
export function markOf(run: CalculatedRun, employee_id: Sql): Sql {
  const { from } = taxYearOf(run.pay_date, run.settings.tax_year_start);
  const since = [firstFact(run), from].toSorted()[0]!;
  return sql`payroll_facts_mark(${run.id}::uuid, ${employee_id}, ${since}::date, ${run.period_end}::date)`;
}

/** The mark of what everybody shares. */
export async function companyMark(db: Db): Promise<string> {
  const [company] = await db.rows<{ mark: string }>(sql`SELECT payroll_company_mark() AS mark`);
  return company!.mark;
}

/** Reads the marks of some people, before their facts are read: what changes in between is a change. */
export async function readMarks(db: Db, run: CalculatedRun, ids: readonly string[]): Promise<Map<string, string>> {
  const company = await companyMark(db);
  const rows = await db.rows<{ id: string; mark: string }>(sql`
    SELECT id, ${markOf(run, sql`id`)} AS mark FROM unnest(${ids}::uuid[]) AS person (id)`);
  return new Map(rows.map(({ id, mark }) => [id, `${company} ${mark}`]));
}
