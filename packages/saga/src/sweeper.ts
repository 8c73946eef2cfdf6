/** The schedule that brings to an end what a crash or an outage left open of remote steps. */
import { randomUUID } from 'node:crypto';
import {
  type Caller,
  eachDue,
  every,
  findEverywhere,
  notPostponed,
  onBehalfOf,
  scheduled,
  sql,
  type Tools,
} from '@suite/chassis';
import type { Statements } from './attempts.ts';
import type { OpenAttempt, SweptStep } from './remote-step.ts';

const BATCH = 50;
/**
 * How long an attempt waits that was not undone for the first, second, … time. The first time it does not: the answer was
 * lost, or the other service starts again. Chosen: a minute at most, so that all is settled a minute after an outage.
 */
const WAITS_S = [0, 5, 15, 30, 60];

type SweeperTools<Db> = Pick<Tools<Db>, 'database' | 'log'>;

/** An attempt that was found, and the step that it belongs to. */
interface Found<Db, Rpc> extends OpenAttempt {
  step: SweptStep<Db, Rpc>;
}

/**
 * Makes the schedule of one or several steps: `sweeper('crm.settle-reservations', 5_000, [reserveGoods])`. A service runs it
 * with its other schedules.
 * @param interval_ms how long what was taken back may wait for being undone
 */
export function sweeper<Db extends Statements, Rpc>(
  name: string,
  interval_ms: number,
  steps: readonly SweptStep<Db, Rpc>[],
) {
  /** Finds the attempts that are to be undone, over all workspaces. */
  async function findOpen({ database }: Pick<SweeperTools<Db>, 'database'>): Promise<Found<Db, Rpc>[]> {
    const found = [];
    for (const step of steps) {
      const waiting = notPostponed(name, sql`workspace_id`, sql`id`);
      const rows = await findEverywhere<OpenAttempt>(database, name, step.abandoned(BATCH, waiting));
      found.push(...rows.map((row) => ({ ...row, step })));
    }
    return found;
  }

  /** Finishes attempts, one after the other. One that fails stops no other, and waits longer each time. */
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
