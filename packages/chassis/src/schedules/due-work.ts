/**
 * Due work of a schedule, one piece after the other: one that fails stops no other. It is put off, longer each time, and found
 * again when that is over, however many replicas there are and however often they start.
 */
import { type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Database } from '../database/database.ts';
import { clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** A piece of due work: a record, or without `id` all that is due in a workspace. */
export interface DueWork {
  workspace_id: string;
  id?: string;
}

/** How long it waits after the first, second, … failure, and at last each time: 1, 2, 4, … minutes up to an hour. */
const WAITS_S = [1, 2, 4, 8, 16, 32, 60].map((minutes) => minutes * 60);
const PUT_OFF = `
  INSERT INTO postponed_work AS known (schedule, workspace_id, subject, reason, failed_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $5::timestamptz + make_interval(secs => ($6::int[])[1]))
  ON CONFLICT (schedule, workspace_id, subject) DO UPDATE SET attempts = known.attempts + 1, reason = EXCLUDED.reason,
    failed_at = EXCLUDED.failed_at,
    due_at = EXCLUDED.failed_at + make_interval(secs => ($6::int[])[least(known.attempts + 1, cardinality($6::int[]))])
  RETURNING attempts, due_at`;
/** Work that has been due for a day was done by somebody else: its schedule finds it no more. */
const KNOWN = `
  WITH gone AS (DELETE FROM postponed_work WHERE schedule = $1 AND due_at < $2::timestamptz - interval '1 day')
  SELECT workspace_id, subject FROM postponed_work WHERE schedule = $1`;
const DONE = 'DELETE FROM postponed_work WHERE schedule = $1 AND workspace_id = $2 AND subject = $3';

const subjectOf = ({ id = '' }: DueWork): string => id;
const keyOf = (work: DueWork): string => `${work.workspace_id} ${subjectOf(work)}`;

/**
 * The condition that a schedule's work was not put off: each statement that finds due work has it, so that what fails does not
 * fill its batch. Its own columns have names of their own: a bare `workspace_id` means the outer statement's.
 * @param id the column of the record, where pieces of work are records
 */
export const notPostponed = (schedule: string, workspace_id: Sql, id: Sql = sql`''`): Sql => sql`
  NOT EXISTS (SELECT FROM (
      SELECT schedule AS put_off_by, workspace_id AS put_off_in, subject AS put_off, due_at AS put_off_until
      FROM postponed_work) AS postponed
    WHERE put_off_by = ${schedule} AND put_off_in = ${workspace_id} AND put_off = (${id})::text AND put_off_until > ${clock.now()})`;

/**
 * Does each piece of work that was found, in transactions of its own. One that fails is logged, shown by the figure
 * `postponed_work`, and put off.
 * @param tools.waits_s seconds to wait after the first, second, … failure; after the last of them the last one again
 * @returns how many failed
 * @throws when the database is not to be reached: then nothing was put off, and everything is due as before
 */
export async function eachDue<Work extends DueWork>(
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
      const { rows: put } = await pool.query(PUT_OFF, [...key, reason, clock.now(), waits_s]);
      log.error({ err: error, schedule, workspace_id, id: work.id, ...put[0] }, 'Due work failed, and is put off.');
    }
  }
  return failed;
}
