/** The schedule that finishes remote steps left open by a crash or an outage. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { type Caller, callerOnBehalfOf } from '@suite/chassis/identity';
import {
  runDueWork,
  declareSchedule,
  findEverywhere,
  isNotPostponed,
  jobTransaction,
  type JobContext,
} from '@suite/chassis/service';
import type { StepDatabase } from './attempts.ts';
import type { OpenAttempt, SweptStep } from './step-declaration.ts';
import { repairSteps, type SweeperTools, WAITS_S } from './step-repair.ts';

const BATCH = 50;
/** An open attempt with its step. */
interface FoundAttempt<Db, Rpc> extends OpenAttempt {
  step: SweptStep<Db, Rpc>;
}

/**
 * Creates the schedule of one or several steps: `sweeper('crm.settle-reservations', 5_000, [reserveGoods])`. A service
 * runs it with its other schedules.
 * @param interval_ms longest wait until a reversed command is undone
 */
export function undoSchedule<Db extends StepDatabase, Rpc>(
  name: string,
  interval_ms: number,
  steps: readonly SweptStep<Db, Rpc>[],
) {
  /** Finds the attempts to be undone in all workspaces. */
  async function findOpen({ database }: Pick<SweeperTools<Db>, 'database'>): Promise<FoundAttempt<Db, Rpc>[]> {
    const found = [];
    for (const step of steps) {
      const waiting = isNotPostponed(name, sql`workspace_id`, sql`id`);
      const rows = await findEverywhere<OpenAttempt>(database, name, step.abandoned(BATCH, waiting));
      found.push(...rows.map((row) => ({ ...row, step })));
    }
    return found;
  }

  /**
   * Finishes attempts, one after the other. A failing attempt does not stop the others, and waits longer after each
   * failure.
   */
  async function finish(
    { database, log }: SweeperTools<Db>,
    rpc: (caller: Caller) => Rpc,
    all: readonly FoundAttempt<Db, Rpc>[],
  ) {
    await runDueWork({ database, log, waits_s: WAITS_S }, name, all, async ({ step, ...open }) => {
      const { workspace_id, asked_by } = open;
      const context = {
        rpc: () => rpc(callerOnBehalfOf(asked_by, workspace_id)),
        write: <T>(work: (db: Db) => Promise<T>) => database.write(jobTransaction(name, workspace_id), work),
      };
      await step.finish(context, open);
    });
  }

  const repair = repairSteps(name, steps);
  const schedule = declareSchedule(name, interval_ms, async (tools: JobContext<Db, Rpc>) => {
    const rpc = (caller: Caller) => tools.rpc(caller, randomUUID());
    await finish(tools, rpc, await findOpen(tools));
    await repair(tools, rpc);
  });
  return { findOpen, finish, repair, schedule };
}
