/**
 * Payroll runs in lists and replies. Sums include all employees of a run, so they need the record scope `all`. The sums of a run
 * of one or two employees are salaries, and also need the permission to see salaries.
 */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { type ListRequest, type Page, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { pendingPostings } from '../payroll-postings/posting-step.ts';
import { payrollStates, canSeeAllPayslips } from './payroll.rules.ts';
import { AMOUNTS_PERMISSION, Payroll } from './payroll.schema.ts';

/** Context for reading runs, with the keys of encrypted fields. */
export interface PayrollReader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}

/** Minimum number of employees whose totals hide individual pay. */
const EMPLOYEES_MIN = 3;
const TOTALS = ['gross', 'deductions', 'employer_cost', 'net'] as const;

/** Checks if a caller may see individual amounts. */
export const canSeeAmounts = ({ permissions }: Caller): boolean => permissions.includes(AMOUNTS_PERMISSION);
/** Checks if a caller may see the totals of a run. */
export const canSeeTotals = (caller: Caller, { employee_count }: { employee_count: number }): boolean =>
  canSeeAllPayslips(caller) && (canSeeAmounts(caller) || employee_count >= EMPLOYEES_MIN);

const payrollView = (caller: Caller) => ({
  table: 'payrolls',
  compute: {
    scope: sql`jsonb_build_object('branch_id', payrolls.branch_id, 'department_id', payrolls.department_id)`,
    exclude_employee_ids: sql`payrolls.excluded_employee_ids`,
    progress: sql`jsonb_build_object('total', payrolls.employee_count, 'done', payrolls.done, 'failed', payrolls.failed)`,
    pending_effects: pendingPostings(sql`payrolls.id`),
    allowed_actions: payrollStates.shownTo(caller, 'payrolls'),
  },
});

/** Removes totals that the caller cannot see. */
function removeHiddenTotals<Row extends object>(caller: Caller, row: Row): Row {
  if (!canSeeTotals(caller, row as { employee_count?: number } as { employee_count: number }))
    for (const name of TOTALS) delete (row as Record<string, unknown>)[name];
  return row;
}

/** Returns a page of the payroll runs. */
export async function listPayrolls(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const found = await paginate(db, request, payrollView(caller));
  return { ...found, rows: found.rows.map((row) => removeHiddenTotals(caller, row)) };
}

/** Returns a run without encrypted fields, as commands do. @throws NotFound */
export const readPayroll = async (db: Db, caller: Caller, id: string) =>
  removeHiddenTotals(caller, await readOne(db, Payroll, id, payrollView(caller)));
