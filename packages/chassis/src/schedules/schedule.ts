import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Pool, PoolClient } from 'pg';
import { type Stoppable, untilStopped } from '../bus/bus.ts';
import type { Database, Rows } from '../database/database.ts';
import type { Log } from '../runtime/log.ts';
import { Nap } from '../runtime/nap.ts';
import type { Context } from '../database/running.ts';
import { giveTurn, RENEW_MS, renewTurn, takeTurn, type Turn, waitForTurn } from './turns.ts';

/** Work that a service does by itself, again and again. `T` is what it is given: the database, the mailer, … */
export interface Schedule<T = unknown> {
  name: string;
  interval_ms: number;
  work(tools: T): Promise<unknown>;
}

/** Declares scheduled work: `every('crm.deliver-mail', 5_000, async ({ database, mailer }: Tools) => …)`. */
export function every<T>(name: string, interval_ms: number, work: (tools: T) => Promise<unknown>): Schedule<T> {
  return { name, interval_ms, work };
}

/** Lends a connection. One on which the work failed is given up, and with it its transaction and its locks. */
export async function lent<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken = true;
  try {
    const result = await work(client);
    broken = false;
    return result;
  } finally {
    client.release(broken);
  }
}

const LEASE_MS = 10_000;
/** How long a schedule that was woken leaves others the processor: what is committed meanwhile is done together. */
const PACE_MS = 100;
/** How soon one that was woken looks again, while another replica has the turn and may have looked before the commit. */
const AGAIN_MS = 500;

/** Schedules that wait for their turn. A commit that leaves work for some of them wakes those. */
export class Sleepers {
  readonly #naps = new Map<string, Nap>();

  napOf(schedule: string): Nap {
    const nap = this.#naps.get(schedule) ?? new Nap();
    this.#naps.set(schedule, nap);
    return nap;
  }

  wake(schedules: Iterable<string>): void {
    for (const schedule of schedules) this.#naps.get(schedule)?.wake();
  }
}

/** One run of a schedule, as its log lines and whatever it changes name it. */
interface Run {
  request_id: string;
  trace_id: string;
}

const running = new AsyncLocalStorage<Run>();

/** Runs the work in a turn that is kept until it is done; when this process dies meanwhile, another takes the turn over. */
async function inTurn<T extends { database: Database; log: Log }>(
  { name, interval_ms, work }: Schedule<T>,
  tools: T,
  { turn, stopping }: { turn: Turn; stopping: AbortSignal },
): Promise<void> {
  const { pool } = tools.database;
  const run = { request_id: randomUUID(), trace_id: randomBytes(16).toString('hex') };
  const log = tools.log.child({ schedule: name, ...run });
  const keeping = setInterval(() => void renewTurn(pool, turn).catch(() => undefined), RENEW_MS);
  const began = performance.now();
  try {
    await running.run(run, () => work({ ...tools, log, stopping }));
  } catch (error) {
    log.error({ err: error }, 'Scheduled work failed.');
  } finally {
    clearInterval(keeping);
  }
  await giveTurn(pool, turn, Math.max(interval_ms - (performance.now() - began), 0));
}

/**
 * Runs schedules until stopped, each once per interval over all replicas, and at once where work was left for it
 * (`dueAtOnce`); a run that fails is tried again at its next turn.
 */
export function startSchedules<T extends { database: Database; log: Log }>(
  schedules: readonly Schedule<T>[],
  tools: T,
  sleepers = new Sleepers(),
): Stoppable {
  const { database, log } = tools;
  const turns = async (schedule: Schedule<T>, signal: AbortSignal) => {
    const { name, interval_ms } = schedule;
    const turn = { name, holder: randomUUID(), lease_ms: LEASE_MS };
    const nap = sleepers.napOf(name);
    signal.addEventListener('abort', nap.wake);
    let early = false;
    const next = async () => {
      if (!(await takeTurn(database.pool, turn, interval_ms, early))) {
        const wait_ms = await waitForTurn(database.pool, turn);
        return early ? Math.min(wait_ms, AGAIN_MS) : wait_ms;
      }
      await inTurn(schedule, tools, { turn, stopping: signal });
      if (early) await pause(PACE_MS, undefined, { signal }).catch(() => undefined);
      early = false;
      return interval_ms;
    };
    for (let wait_ms = 0; ; ) {
      // The jitter keeps replicas that wait for the same turn from knocking together.
      const jitter = Math.random() * Math.min(interval_ms / 10, 250);
      await nap.sleep(Math.min(wait_ms, interval_ms) + jitter);
      if (signal.aborted) return;
      early ||= nap.isWoken;
      nap.begin();
      wait_ms = await next().catch((error: unknown) => {
        log.error({ err: error, schedule: name }, 'A schedule cannot get at its turn.');
        return interval_ms;
      });
    }
  };
  return untilStopped((stopping) => Promise.all(schedules.map((schedule) => turns(schedule, stopping))));
}

/** The context of scheduled work: nobody's, in one workspace or, to find out what is due, in none. */
export const scheduled = (schedule: string, workspace_id: string | null): Context => ({
  workspace_id,
  caller: null,
  operation: `schedule:${schedule}`,
  request_id: '',
  ...running.getStore(),
});

/** Finds due work over all workspaces. It is then done inside its own workspace. */
export const findEverywhere = <Row>(
  database: Pick<Database<Rows>, 'readEverywhere'>,
  schedule: string,
  statement: Sql,
): Promise<Row[]> => database.readEverywhere(scheduled(schedule, null), (db) => db.rows<Row>(statement));

/**
 * Due work in turns between workspaces: the first row of each workspace, then the second of each, up to a limit. Otherwise one workspace with
 * 100,000 due rows would delay the work of all others.
 * @param statement selects `workspace_id` and the columns of `order`, without an order and a limit of its own
 * @param order the columns by which the rows of a workspace are done
 */
export const shareOut = (statement: Sql, order: Sql, limit: number): Sql => sql`
  SELECT * FROM (${statement}) AS due
  ORDER BY row_number() OVER (PARTITION BY workspace_id ORDER BY ${order}), ${order} LIMIT ${limit}`;
