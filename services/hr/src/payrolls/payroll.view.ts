/**
 * Payroll runs in lists and replies. Sums include all employees of a run, so they need the record scope `all`. The sums of a run
 * of one or two employees are salaries, and also need the permission to see salaries.
 */
import { type Caller, type Keys, type ListRequest, type Page, paginate, readOne, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { pendingPostings } from '../payroll-postings/posting-step.ts';
import { payrollStates, seesAllPayslips } from './payroll.rules.ts';
import { FIGURES, Payroll } from './payroll.schema.ts';

/** The reader of runs, and the keys of what is sealed. */
export interface Reader {
  db: Db;
  caller: Caller;
  keys: Pick<Keys, 'master'>;
}

/** So many people hide what each of them earns. */
const CROWD = 3;
const SUMS = ['gross', 'deductions', 'employer_cost', 'net'] as const;

/** Whether a caller may see figures of persons. */
export const seesFigures = ({ permissions }: Caller): boolean => permissions.includes(FIGURES);
/** Whether a caller may see the sums of a run. */
export const seesSums = (caller: Caller, { employee_count }: { employee_count: number }): boolean =>
  seesAllPayslips(caller) && (seesFigures(caller) || employee_count >= CROWD);

const viewFor = (caller: Caller) => ({
  table: 'payrolls',
  compute: {
    exclude_employee_ids: sql`payrolls.excluded_employee_ids`,
    progress: sql`jsonb_build_object('total', payrolls.employee_count, 'done', payrolls.done, 'failed', payrolls.failed)`,
    pending_effects: pendingPostings(sql`payrolls.id`),
    allowed_actions: payrollStates.shownTo(caller, 'payrolls'),
  },
});

/** Leaves out the sums that a caller may not see. */
function withoutSums<Row extends object>(caller: Caller, row: Row): Row {
  if (!seesSums(caller, row as { employee_count?: number } as { employee_count: number }))
    for (const name of SUMS) delete (row as Record<string, unknown>)[name];
  return row;
}

/** One page of the runs. */
export async function listPayrolls(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const found = await paginate(db, request, viewFor(caller));
  return { ...found, rows: found.rows.map((row) => withoutSums(caller, row)) };
}

/** A run, without anything that is sealed: as commands answer it. @throws NotFound */
export const readPayroll = async (db: Db, caller: Caller, id: string) =>
  withoutSums(caller, await readOne(db, Payroll, id, viewFor(caller)));
