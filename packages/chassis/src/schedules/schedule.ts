import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Pool, PoolClient } from 'pg';
import { type Stoppable, untilStopped } from '../bus/bus.ts';
import type { Database, RowReader } from '../database/database.ts';
import { type Log, OutageLog } from '../runtime/log.ts';
import { WakeSignal } from '../runtime/wake-signal.ts';
import type { TransactionContext } from '../database/running.ts';
import { releaseLease, RENEW_MS, renewLease, acquireLease, type Lease, readLeaseDelay } from './leases.ts';

/** Recurring automatic work of a service. `T` is the type of its tools: the database, the mailer, … */
export interface Schedule<T = unknown> {
  name: string;
  interval_ms: number;
  work(tools: T): Promise<unknown>;
}

/** Declares a schedule: `every('crm.deliver-mail', 5_000, async ({ database, mailer }: Tools) => …)`. */
export function declareSchedule<T>(
  name: string,
  interval_ms: number,
  work: (tools: T) => Promise<unknown>,
): Schedule<T> {
  return { name, interval_ms, work };
}

/**
 * Runs `work` with a connection. If the work fails, the connection is closed, which ends its transaction and releases
 * its locks.
 */
export async function withConnection<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
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
/** Pause of a woken schedule, so that commits in the meantime are processed together. */
const PACE_MS = 100;
/**
 * Interval at which a woken schedule looks again while another replica has the lease: that replica may have looked
 * before the commit.
 */
const AGAIN_MS = 500;

/** Schedules that wait for their interval. A commit with due work wakes the schedules concerned. */
export class WakeSignals {
  readonly #signals = new Map<string, WakeSignal>();

  signalOf(schedule: string): WakeSignal {
    const wakeSignal = this.#signals.get(schedule) ?? new WakeSignal();
    this.#signals.set(schedule, wakeSignal);
    return wakeSignal;
  }

  wake(schedules: Iterable<string>): void {
    for (const schedule of schedules) this.#signals.get(schedule)?.wake();
  }
}

/** Run of a schedule, as named in its log lines and in its changes. */
interface Run {
  request_id: string;
  trace_id: string;
}

const currentRun = new AsyncLocalStorage<Run>();

/**
 * Runs the work under a lease that is renewed until it is done. If this process dies in the meantime, another takes
 * over the lease.
 */
async function runUnderLease<T extends { database: Database; log: Log }>(
  { name, interval_ms, work }: Schedule<T>,
  tools: T,
  { lease, stopping }: { lease: Lease; stopping: AbortSignal },
): Promise<void> {
  const { pool } = tools.database;
  const run = { request_id: randomUUID(), trace_id: randomBytes(16).toString('hex') };
  const log = tools.log.child({ schedule: name, ...run });
  const renewing = setInterval(() => void renewLease(pool, lease).catch(() => undefined), RENEW_MS);
  const began = performance.now();
  try {
    await currentRun.run(run, () => work({ ...tools, log, stopping }));
  } catch (error) {
    log.error({ err: error }, 'Scheduled job failed; runs again at its next interval');
  } finally {
    clearInterval(renewing);
  }
  await releaseLease(pool, lease, Math.max(interval_ms - (performance.now() - began), 0));
}

/**
 * Runs schedules until stopped. Each runs once per interval over all replicas, and immediately if a commit left work
 * (`runAfterCommit`). A failed run is repeated at the next interval.
 */
export function startSchedules<T extends { database: Database; log: Log }>(
  schedules: readonly Schedule<T>[],
  tools: T,
  wakeSignals = new WakeSignals(),
): Stoppable {
  const { database, log } = tools;
  const runUntilStopped = async (schedule: Schedule<T>, signal: AbortSignal) => {
    const { name, interval_ms } = schedule;
    const lease = { name, holder: randomUUID(), lease_ms: LEASE_MS };
    const wakeSignal = wakeSignals.signalOf(name);
    signal.addEventListener('abort', wakeSignal.wake);
    const outage = new OutageLog();
    let early = false;
    const next = async () => {
      const isAcquired = await acquireLease(database.pool, lease, interval_ms, early);
      outage.end();
      if (!isAcquired) {
        const wait_ms = await readLeaseDelay(database.pool, lease);
        return early ? Math.min(wait_ms, AGAIN_MS) : wait_ms;
      }
      await runUnderLease(schedule, tools, { lease, stopping: signal });
      if (early) await pause(PACE_MS, undefined, { signal }).catch(() => undefined);
      early = false;
      return interval_ms;
    };
    for (let wait_ms = 0; ; ) {
      // The jitter prevents replicas from requesting the same lease at the same time.
      const jitter = Math.random() * Math.min(interval_ms / 10, 250);
      await wakeSignal.sleep(Math.min(wait_ms, interval_ms) + jitter);
      if (signal.aborted) return;
      early ||= wakeSignal.isWoken;
      wakeSignal.begin();
      wait_ms = await next().catch((error: unknown) => {
        outage.failed(log.child({ schedule: name }), error, 'Schedule lease could not be acquired; retrying', 'error');
        return interval_ms;
      });
    }
  };
  return untilStopped((stopping) => Promise.all(schedules.map((schedule) => runUntilStopped(schedule, stopping))));
}

/** Returns the context of scheduled work: without a caller, in one workspace. To find due work, it has no workspace. */
export const jobTransaction = (schedule: string, workspace_id: string | null): TransactionContext => ({
  workspace_id,
  caller: null,
  operation: `schedule:${schedule}`,
  request_id: '',
  ...currentRun.getStore(),
});

/** Finds due work in all workspaces. The work itself runs inside its own workspace. */
export const findEverywhere = <Row>(
  database: Pick<Database<RowReader>, 'readEverywhere'>,
  schedule: string,
  statement: Sql,
): Promise<Row[]> => database.readEverywhere(jobTransaction(schedule, null), (db) => db.rows<Row>(statement));

/**
 * Returns due work in rotation between workspaces: the first row of each workspace, then the second of each, up to a
 * limit. Without rotation, one workspace with 100,000 due rows would delay the work of all others.
 * @param statement selects `workspace_id` and the columns of `order`, without its own order and limit
 * @param order columns that order the rows of a workspace
 */
export const rotateByWorkspace = (statement: Sql, order: Sql, limit: number): Sql => sql`
  SELECT * FROM (${statement}) AS due
  ORDER BY row_number() OVER (PARTITION BY workspace_id ORDER BY ${order}), ${order} LIMIT ${limit}`;
