/**
 * Deliveries through integrations. Each workspace's deliveries run in order, and no workspace waits for the server of
 * another.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { raw, type Sql, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { runDueWork, findEverywhere, isNotPostponed, type JobContext } from '@suite/chassis/service';
import { retryDelay, retryAfterOf } from '@suite/outbound-http';
import type { Db } from '../../operations.ts';
import type { CallFailure } from './integration.ts';

const BATCH = 20;

/** Row that is due for delivery. */
export interface DueDelivery {
  id: string;
  workspace_id: string;
}

/** Queue of rows with their delivery function. */
interface DeliveryQueue {
  schedule: string;
  table: string;
  /** Condition for waiting rows among the due ones. Defaults to status `queued`. */
  waiting?: Sql;
}

/**
 * Finds due rows in active workspaces. A limit per workspace prevents one from blocking the others, and busy workspaces
 * are skipped.
 */
const findDue = (
  { database }: Pick<JobContext<Db>, 'database'>,
  { schedule, table, waiting = sql`status = 'queued'` }: DeliveryQueue,
  busy: readonly string[],
): Promise<DueDelivery[]> =>
  findEverywhere<DueDelivery>(
    database,
    schedule,
    sql`
      SELECT id, workspace_id FROM (
        SELECT id, workspace_id, next_attempt_at,
          row_number() OVER (PARTITION BY workspace_id ORDER BY next_attempt_at, id) AS place
        FROM ${raw(table)}
        WHERE ${waiting} AND next_attempt_at <= ${clock.now()} AND workspace_id <> ALL (${busy}::uuid[])
          AND EXISTS (SELECT FROM workspaces WHERE workspaces.id = ${raw(`${table}.workspace_id`)} AND workspaces.status = 'active')
          AND ${isNotPostponed(schedule, sql`workspace_id`, sql`id`)}) AS waiting
      WHERE place <= ${BATCH} ORDER BY next_attempt_at, id LIMIT ${BATCH * BATCH}`,
  );

/**
 * Time limit for starting rows of one workspace per pass. Rows of other workspaces that became due since then run next.
 */
const START_LIMIT_MS = 5_000;
/** Interval of looking for work of other workspaces while waiting for servers. */
const CHECK_INTERVAL_MS = 1_000;

/**
 * Delivers the due rows of a table, in order within each workspace. While the server of one workspace is slow, due rows
 * of others are found and delivered concurrently. @returns the number of rows
 */
export async function deliverDue(
  tools: JobContext<Db>,
  queue: DeliveryQueue,
  deliver: (row: DueDelivery) => Promise<unknown>,
): Promise<number> {
  const running = new Map<string, Promise<unknown>>();
  const startDue = async () => {
    const found = await findDue(tools, queue, [...running.keys()]);
    for (const [workspace_id, rows] of Map.groupBy(found, (row) => row.workspace_id)) {
      const until = performance.now() + START_LIMIT_MS;
      const deliverInTime = async (row: DueDelivery) => performance.now() < until && (await deliver(row));
      const delivery = runDueWork(tools, queue.schedule, rows, deliverInTime).finally(() =>
        running.delete(workspace_id),
      );
      running.set(workspace_id, delivery);
    }
    return found.length;
  };
  let count = await startDue();
  for (const { stopping } = tools; running.size > 0; ) {
    const timer = new AbortController();
    const done = Promise.all(running.values());
    await Promise.race([done, pause(CHECK_INTERVAL_MS, undefined, { signal: timer.signal })]).finally(() =>
      timer.abort(),
    );
    if (running.size > 0 && !stopping?.aborted) count += await startDue();
  }
  return count;
}

/** Returns the time that is the given number of seconds from now. */
export const inSeconds = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1_000);

/** Longer than the calls of one attempt can take. If the process dies, the row is due again after this time. */
export const CLAIM_S = 120;
/** Delay before a row with a disabled integration is checked again. */
export const RECHECK_S = 60;

/** Failure of an attempt, and whether it is temporary. */
export interface FailedAttempt {
  failure: CallFailure;
  isTemporary: boolean;
  /** `Retry-After` of the response. */
  retry_after?: string | undefined;
}

/** Returns the time of the next attempt. Undefined after the last one. @param attempts number of attempts made */
export function nextAttemptAt(attempts: number, { isTemporary, retry_after }: FailedAttempt): Date | undefined {
  const retry_after_s = retryAfterOf({ 'retry-after': retry_after }, clock.now());
  const wait_s = isTemporary ? retryDelay(attempts, { retry_after_s }) : undefined;
  return wait_s === undefined ? undefined : inSeconds(wait_s);
}
