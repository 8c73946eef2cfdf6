/**
 * Creates monthly payroll drafts automatically, on the day that a workspace has chosen. The settings record the last
 * finished month, so that each month is drafted once and missed months are caught up.
 */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { draftPayroll } from '../payrolls/payroll.ts';
import { NobodyToPay, PeriodOverlaps } from '../payrolls/payroll.rules.ts';
import { monthsDue } from './draft-month.rules.ts';

const SCHEDULE = 'hr.draft-payrolls';
const INTERVAL_MS = 60_000;

interface DueDraft {
  workspace_id: string;
  /** Current day in the workspace zone. */
  day: string;
  payroll_day: number;
  currency: string;
  payrolls_through: string | null;
}
type JobTools = Pick<JobContext<Db>, 'database' | 'log' | 'keys'>;

/** Faults that make a draft unnecessary: the run was drafted manually, or there is no employee to pay. */
const isUnnecessary = (error: unknown): boolean =>
  error instanceof Fault && [PeriodOverlaps, NobodyToPay].some(({ code }) => code === error.code);

const recordDrafted = (db: Db, month_end: string) =>
  db.rows(sql`UPDATE settings SET payrolls_through = ${month_end}::date`);

async function draftMonth(
  { database, keys }: JobTools,
  { workspace_id, currency }: DueDraft,
  end: string,
): Promise<boolean> {
  const context = jobTransaction(SCHEDULE, workspace_id);
  const span = { period_start: `${end.slice(0, 8)}01`, period_end: end, pay_date: end };
  const usual = {
    type: 'regular' as const,
    frequency: 'monthly' as const,
    scope: {},
    exclude_employee_ids: [],
    one_offs: [],
  };
  try {
    await database.write(context, async (db) => {
      await draftPayroll({ db, keys, caller: null }, { ...usual, ...span, currency });
      await recordDrafted(db, end);
    });
    return true;
  } catch (error) {
    if (!isUnnecessary(error)) throw error;
    await database.write(context, (db) => recordDrafted(db, end));
    return false;
  }
}

/** Creates due drafts in all workspaces. Returns the number of drafts. */
export async function draftPayrolls(tools: JobTools): Promise<number> {
  const workspaces = await findEverywhere<DueDraft>(
    tools.database,
    SCHEDULE,
    sql`
      SELECT workspace_id, (${clock.now()}::timestamptz AT TIME ZONE timezone)::date::text AS day, payroll_day, currency,
        payrolls_through::text AS payrolls_through
      FROM settings WHERE auto_draft AND currency IS NOT NULL AND ${isNotPostponed(SCHEDULE, sql`workspace_id`)}
      ORDER BY workspace_id`,
  );
  let drafted = 0;
  await runDueWork(tools, SCHEDULE, workspaces, async (due) => {
    for (const end of monthsDue(due.day, due.payroll_day, due.payrolls_through))
      if (await draftMonth(tools, due, end)) drafted += 1;
  });
  return drafted;
}

export const draftDuePayrolls = declareSchedule(SCHEDULE, INTERVAL_MS, draftPayrolls);
