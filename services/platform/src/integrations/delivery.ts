/** Deliveries through integrations: each workspace's in their order, and no workspace waits for another one's server. */
import { setTimeout as pause } from 'node:timers/promises';
import { clock, eachDue, findEverywhere, notPostponed, raw, type Sql, sql, type Tools } from '@suite/chassis';
import { nextAttemptIn, retryAfterOf } from '@suite/outgoing';
import type { Db } from '../operations.ts';
import type { CallFailure } from './integration.ts';

const BATCH = 20;

/** A row that is due. */
export interface Due {
  id: string;
  workspace_id: string;
}

/** The rows that are waited for, and how they are delivered. */
interface Deliveries {
  schedule: string;
  table: string;
  /** The rows that wait, of those that are due: the `queued` ones unless it says otherwise. */
  waiting?: Sql;
}

/** The rows that are due in workspaces that work: so many of each that none shuts others out, and none of those that are busy. */
const findDue = (
  { database }: Pick<Tools<Db>, 'database'>,
  { schedule, table, waiting = sql`status = 'queued'` }: Deliveries,
  busy: readonly string[],
): Promise<Due[]> =>
  findEverywhere<Due>(
    database,
    schedule,
    sql`
      SELECT id, workspace_id FROM (
        SELECT id, workspace_id, next_attempt_at,
          row_number() OVER (PARTITION BY workspace_id ORDER BY next_attempt_at, id) AS place
        FROM ${raw(table)}
        WHERE ${waiting} AND next_attempt_at <= ${clock.now()} AND workspace_id <> ALL (${busy}::uuid[])
          AND EXISTS (SELECT FROM workspaces WHERE workspaces.id = ${raw(`${table}.workspace_id`)} AND workspaces.status = 'active')
          AND ${notPostponed(schedule, sql`workspace_id`, sql`id`)}) AS waiting
      WHERE place <= ${BATCH} ORDER BY next_attempt_at, id LIMIT ${BATCH * BATCH}`,
  );

/** No row of a workspace is begun later than this in one go: those that became due meanwhile have their turn. */
const GO_MS = 5_000;
/** While servers let us wait, the work of other workspaces is looked for so often. */
const LOOK_MS = 1_000;

/**
 * Delivers the rows of a table that are due, those of a workspace one after the other. As long as the server of one workspace
 * lets us wait, those that become due in others are found and delivered beside it. @returns how many there were
 */
export async function deliverDue(
  tools: Tools<Db>,
  deliveries: Deliveries,
  deliver: (row: Due) => Promise<unknown>,
): Promise<number> {
  const lanes = new Map<string, Promise<unknown>>();
  const look = async () => {
    const found = await findDue(tools, deliveries, [...lanes.keys()]);
    for (const [workspace_id, rows] of Map.groupBy(found, (row) => row.workspace_id)) {
      const until = performance.now() + GO_MS;
      const inTime = async (row: Due) => performance.now() < until && (await deliver(row));
      const lane = eachDue(tools, deliveries.schedule, rows, inTime).finally(() => lanes.delete(workspace_id));
      lanes.set(workspace_id, lane);
    }
    return found.length;
  };
  let count = await look();
  for (const { stopping } = tools; lanes.size > 0; ) {
    const awake = new AbortController();
    const done = Promise.all(lanes.values());
    await Promise.race([done, pause(LOOK_MS, undefined, { signal: awake.signal })]).finally(() => awake.abort());
    if (lanes.size > 0 && !stopping?.aborted) count += await look();
  }
  return count;
}

/** The moment so many seconds from now. */
export const inSeconds = (seconds: number): Date => new Date(clock.now().getTime() + seconds * 1_000);

/** Longer than the calls of one attempt may take: a row whose process died is due again then. */
export const CLAIM_S = 120;
/** A row whose integration is off is looked at again after so long. */
export const LATER_S = 60;

/** A failure of an attempt, and whether it may pass. */
export interface FailedAttempt {
  failure: CallFailure;
  passing: boolean;
  /** The `Retry-After` of the answer. */
  retry_after?: string | undefined;
}

/** When a row is tried again; undefined when that was its last attempt. @param attempts how many there were */
export function nextAttemptAt(attempts: number, { passing, retry_after }: FailedAttempt): Date | undefined {
  const retry_after_s = retryAfterOf({ 'retry-after': retry_after }, clock.now());
  const wait_s = passing ? nextAttemptIn(attempts, { retry_after_s }) : undefined;
  return wait_s === undefined ? undefined : inSeconds(wait_s);
}
