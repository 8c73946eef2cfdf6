/** The schedule that finishes remote steps left open by a crash or an outage. */
import { randomUUID } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { type Caller, onBehalfOf } from '@suite/chassis/identity';
import { eachDue, every, findEverywhere, notPostponed, scheduled, type Tools } from '@suite/chassis/service';
import type { Statements } from './attempts.ts';
import type { OpenAttempt, SweptStep } from './remote-step.ts';

const BATCH = 50;
/**
 * Delays after the first, second, … failed attempt to undo. The first is zero: the answer was lost, or the other
 * service is restarting. Chosen: the interval is at most a minute, so that everything is settled a minute after an
 * outage.
 */
const WAITS_S = [0, 5, 15, 30, 60];

type SweeperTools<Db> = Pick<Tools<Db>, 'database' | 'log'>;

/** An open attempt with its step. */
interface Found<Db, Rpc> extends OpenAttempt {
  step: SweptStep<Db, Rpc>;
}

/**
 * Creates the schedule of one or several steps: `sweeper('crm.settle-reservations', 5_000, [reserveGoods])`. A service
 * runs it with its other schedules.
 * @param interval_ms longest wait until a reversed command is undone
 */
export function sweeper<Db extends Statements, Rpc>(
  name: string,
  interval_ms: number,
  steps: readonly SweptStep<Db, Rpc>[],
) {
  /** Finds the attempts to be undone in all workspaces. */
  async function findOpen({ database }: Pick<SweeperTools<Db>, 'database'>): Promise<Found<Db, Rpc>[]> {
    const found = [];
    for (const step of steps) {
      const waiting = notPostponed(name, sql`workspace_id`, sql`id`);
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
    all: readonly Found<Db, Rpc>[],
  ) {
    await eachDue({ database, log, waits_s: WAITS_S }, name, all, async ({ step, ...open }) => {
      const { workspace_id, asked_by } = open;
      const context = {
        rpc: () => rpc(onBehalfOf(asked_by, workspace_id)),
        write: <T>(work: (db: Db) => Promise<T>) => database.write(scheduled(name, workspace_id), work),
      };
      await step.finish(context, open);
    });
  }

  const schedule = every(name, interval_ms, async (tools: Tools<Db, Rpc>) => {
    await finish(tools, (caller) => tools.rpc(caller, randomUUID()), await findOpen(tools));
  });
  return { findOpen, finish, schedule };
}
