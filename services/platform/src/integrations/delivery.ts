/** Deliveries through integrations: each workspace's in their order, and no workspace waits for another one's server. */
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

/**
 * Delivers the rows of a table that are due, of those that are `queued` unless it says otherwise: those of a workspace one after
 * the other, so many of each workspace that none shuts others out. @returns how many there were
 */
export async function deliverDue(
  tools: Tools<Db>,
  { schedule, table, waiting = sql`status = 'queued'` }: { schedule: string; table: string; waiting?: Sql },
  deliver: (row: Due) => Promise<unknown>,
): Promise<number> {
  const found = await findEverywhere<Due>(
    tools.database,
    schedule,
    sql`
      SELECT id, workspace_id FROM (
        SELECT id, workspace_id, next_attempt_at,
          row_number() OVER (PARTITION BY workspace_id ORDER BY next_attempt_at, id) AS place
        FROM ${raw(table)}
        WHERE ${waiting} AND next_attempt_at <= ${clock.now()}
          AND ${notPostponed(schedule, sql`workspace_id`, sql`id`)}) AS waiting
      WHERE place <= ${BATCH} ORDER BY next_attempt_at, id LIMIT ${BATCH * BATCH}`,
  );
  const lanes = [...Map.groupBy(found, ({ workspace_id }) => workspace_id).values()];
  await Promise.all(lanes.map((rows) => eachDue(tools, schedule, rows, deliver)));
  return found.length;
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
