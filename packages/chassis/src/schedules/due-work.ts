/**
 * Due work of a schedule, one piece after the other. A failing piece stops no other. It is postponed, longer each time,
 * and found again after the delay, regardless of the number of replicas and restarts.
 */
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Database } from '../database/database.ts';
import { clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** A piece of due work: a record, or, without `id`, all due work of a workspace. */
export interface DueWork {
  workspace_id: string;
  id?: string;
}

/** Delays after the first, second, … failure: 1, 2, 4, … minutes up to an hour. The last delay repeats. */
const WAITS_S = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * 60);
const POSTPONE = `
  INSERT INTO postponed_work AS known (schedule, workspace_id, subject, reason, failed_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $5::timestamptz + make_interval(secs => ($6::int[])[1]))
  ON CONFLICT (schedule, workspace_id, subject) DO UPDATE SET attempts = known.attempts + 1, reason = EXCLUDED.reason,
    failed_at = EXCLUDED.failed_at,
    due_at = EXCLUDED.failed_at + make_interval(secs => ($6::int[])[least(known.attempts + 1, cardinality($6::int[]))])
  RETURNING attempts, due_at`;
/** Work that has been due for a day was done in another way: its schedule no longer finds it. */
const KNOWN = `
  WITH gone AS (DELETE FROM postponed_work WHERE schedule = $1 AND due_at < $2::timestamptz - interval '1 day')
  SELECT workspace_id, subject FROM postponed_work WHERE schedule = $1`;
const DONE = 'DELETE FROM postponed_work WHERE schedule = $1 AND workspace_id = $2 AND subject = $3';

const subjectOf = ({ id = '' }: DueWork): string => id;
const keyOf = (work: DueWork): string => `${work.workspace_id} ${subjectOf(work)}`;

/**
 * Returns the condition that a schedule's work is not postponed. Each statement that finds due work has it, so that
 * failing work does not fill its batch. Its columns are qualified: a bare `workspace_id` means the column of the outer
 * statement.
 * @param id column of the record, if pieces of work are records
 */
export const isNotPostponed = (schedule: string, workspace_id: Sql, id: Sql = sql`''`): Sql => sql`
  NOT EXISTS (SELECT FROM (
      SELECT schedule AS put_off_by, workspace_id AS put_off_in, subject AS put_off, due_at AS put_off_until
      FROM postponed_work) AS postponed
    WHERE put_off_by = ${schedule} AND put_off_in = ${workspace_id} AND put_off = (${id})::text AND put_off_until > ${clock.now()})`;

/**
 * Does each piece of due work in a separate transaction. A failing piece is logged, counted in the metric
 * `postponed_work`, and postponed.
 * @param tools.waits_s seconds to wait after the first, second, … failure. The last value repeats
 * @returns number of failed pieces
 * @throws if the database is unreachable: then nothing was postponed, and everything is still due
 */
export async function runDueWork<Work extends DueWork>(
  {
    database: { pool },
    log,
    waits_s = WAITS_S,
  }: { database: Pick<Database, 'pool'>; log: Log; waits_s?: readonly number[] },
  schedule: string,
  due: readonly Work[],
  perform: (work: Work) => Promise<unknown>,
): Promise<number> {
  if (due.length === 0) return 0;
  const { rows } = await pool.query<{ workspace_id: string; subject: string }>(KNOWN, [schedule, clock.now()]);
  const known = new Set(rows.map(({ workspace_id, subject: id }) => keyOf({ workspace_id, id })));
  let failed = 0;
  for (const work of due) {
    const { workspace_id } = work;
    const key = [schedule, workspace_id, subjectOf(work)];
    try {
      await perform(work);
      if (known.has(keyOf(work))) await pool.query(DONE, key);
    } catch (error) {
      failed += 1;
      const reason = (error instanceof Error ? error.message : String(error)).slice(0, 500);
      const { rows: put } = await pool.query(POSTPONE, [...key, reason, clock.now(), waits_s]);
      log.error({ err: error, schedule, workspace_id, id: work.id, ...put[0] }, 'Due work failed; postponed');
    }
  }
  return failed;
}
