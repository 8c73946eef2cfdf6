/** Repairs of remote steps after databases were restored to different times (`npm run reconcile`). */
import { type Database, sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import { type Caller, callerOnBehalfOf } from '@suite/chassis/identity';
import { KeyReversed } from '@suite/chassis/rpc';
import {
  findEverywhere,
  isNotPostponed,
  type JobContext,
  jobTransaction,
  rotateByWorkspace,
  runDueWork,
} from '@suite/chassis/service';
import type { Attempt, attemptsIn, StepDatabase } from './attempts.ts';
import type { StepDeclaration, StepRepair, SweptStep } from './step-declaration.ts';

const BATCH = 50;
/**
 * Delays after the first, second, … failed attempt to undo. The first is zero: the answer was lost, or the other
 * service is restarting. Chosen: the interval is at most a minute, so that everything is settled a minute after an
 * outage.
 */
export const WAITS_S = [0, 5, 15, 30, 60];

export type SweeperTools<Db> = Pick<JobContext<Db>, 'database' | 'log'>;

/**
 * Returns the function that repairs an attempt after a restore. A repair that no longer applies does nothing: commands may
 * have continued since the request.
 */
export function repairOf<Db extends StepDatabase, Rpc, Columns extends object, Input, Answer>(
  { lock, ask, undo, repeat, table }: StepDeclaration<Db, Rpc, Columns, Input, Answer>,
  { stateOf }: Pick<ReturnType<typeof attemptsIn<Columns>>, 'stateOf'>,
  keyOf: (attempt: Attempt<Columns>) => string,
): SweptStep<Db, Rpc>['repair'] {
  const { completed, undone } = table.states;
  return async ({ rpc, write }, { action, attempt: number, ...requested }) => {
    const columns = requested.columns as Columns;
    const attempt = { columns, number };
    const key = keyOf(attempt);
    if (action === 'undo') {
      const state = await write((db) => stateOf(db, attempt));
      // The attempt is official, or the sweeper undoes it.
      if (state !== undefined && state !== undone) return;
      return void (await undo({ rpc, key }, columns));
    }
    if (!repeat) throw new Error('This step cannot be repeated.');
    const input = await write(async (db) => {
      await lock(db, columns);
      return (await stateOf(db, attempt)) === completed ? { request: await repeat(db, columns) } : undefined;
    });
    if (input) await ask({ rpc, key, dry_run: false }, input.request);
  };
}

/** A requested repair. */
interface FoundRepair extends StepRepair {
  id: string;
  workspace_id: string;
  asked_by: string;
  /** The name of its step. */
  step: string;
}

/** Returns the function that makes the requested repairs of some steps. A failing repair is retried, and stops no other. */
export function repairSteps<Db extends StepDatabase, Rpc>(schedule: string, steps: readonly SweptStep<Db, Rpc>[]) {
  const byName = new Map(steps.map((step) => [step.name, step]));
  return async ({ database, log }: SweeperTools<Db>, rpc: (caller: Caller) => Rpc): Promise<void> => {
    const all = await findRepairs(database, schedule, [...byName.keys()]);
    await runDueWork({ database, log, waits_s: WAITS_S }, schedule, all, async ({ step, id, ...found }) => {
      const { workspace_id, asked_by, ...repair } = found;
      const write = <T>(work: (db: Db) => Promise<T>) => database.write(jobTransaction(schedule, workspace_id), work);
      await byName
        .get(step)!
        .repair({ rpc: rpc(callerOnBehalfOf(asked_by, workspace_id)), write }, repair)
        .catch((error: unknown) => {
          // The other service has undone the attempt, so there is nothing to repeat.
          if (!(error instanceof Fault) || error.code !== KeyReversed.code) throw error;
        });
      await write((db) => db.rows(sql`DELETE FROM step_repairs WHERE id = ${id}::uuid`));
    });
  };
}

/** Finds the requested repairs of some steps in all workspaces. */
function findRepairs<Db extends StepDatabase>(
  database: Database<Db>,
  schedule: string,
  steps: string[],
): Promise<FoundRepair[]> {
  const due = isNotPostponed(schedule, sql`workspace_id`, sql`id`);
  return findEverywhere<FoundRepair>(
    database,
    schedule,
    rotateByWorkspace(
      sql`SELECT id, workspace_id, asked_by, step, action, attempt, columns, requested_at FROM step_repairs
        WHERE step = ANY(${steps}::text[]) AND ${due}`,
      sql`requested_at, id`,
      BATCH,
    ),
  );
}
