/**
 * Calculates started payroll runs in all workspaces. Each run gets one batch at a time, so that large workspaces do not
 * delay others. One process works at a time. If it fails, another one continues with the remaining employees.
 */
import { sql } from '@suite/chassis/database';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
  rotateByWorkspace,
} from '@suite/chassis/service';
import type { Db } from '../../operations.ts';
import { CALCULATE } from '../payslips/payslip.rules.ts';
import { calculateBatch } from './calculate.ts';

const RUNS_MAX = 50;
interface DueRun {
  id: string;
  workspace_id: string;
}

const dueRuns = (database: JobContext<Db>['database']): Promise<DueRun[]> =>
  findEverywhere<DueRun>(
    database,
    CALCULATE,
    rotateByWorkspace(
      sql`
      SELECT id, workspace_id, run_at FROM payrolls
      WHERE status = 'processing' AND ${isNotPostponed(CALCULATE, sql`payrolls.workspace_id`, sql`payrolls.id`)}`,
      sql`run_at, id`,
      RUNS_MAX,
    ),
  );

/** Calculates until no run has pending payslips. Returns the number of batches. */
export async function calculatePayrolls(tools: Pick<JobContext<Db>, 'database' | 'log' | 'keys'>): Promise<number> {
  const { database, keys } = tools;
  let batches = 0;
  for (let due = await dueRuns(database); due.length > 0; due = await dueRuns(database)) {
    await runDueWork(tools, CALCULATE, due, ({ id, workspace_id }: DueRun) =>
      database.write(jobTransaction(CALCULATE, workspace_id), (db, emit) => calculateBatch({ db, emit, keys }, id)),
    );
    batches += due.length;
  }
  return batches;
}

export const calculateDuePayrolls = declareSchedule(CALCULATE, 2_000, calculatePayrolls);
