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

/** After the first, second, … failure it waits for 1, 2, 4, … minutes, and at last for an hour each time. */
const PUT_OFF = `
  INSERT INTO postponed_work AS known (schedule, workspace_id, subject, reason, failed_at, due_at)
  VALUES ($1, $2, $3, $4, $5, $5::timestamptz + interval '1 minute')
  ON CONFLICT (schedule, workspace_id, subject) DO UPDATE SET attempts = known.attempts + 1, reason = EXCLUDED.reason,
    failed_at = EXCLUDED.failed_at, due_at = EXCLUDED.failed_at + least(60, 2 ^ known.attempts) * interval '1 minute'
  RETURNING attempts, due_at`;
const KNOWN = 'SELECT workspace_id, subject FROM postponed_work WHERE schedule = $1';
const DONE = 'DELETE FROM postponed_work WHERE schedule = $1 AND workspace_id = $2 AND subject = $3';

const subjectOf = ({ id = '' }: DueWork): string => id;
const keyOf = (work: DueWork): string => `${work.workspace_id} ${subjectOf(work)}`;

/**
 * The condition that a schedule's work was not put off: each statement that finds due work has it, so that what fails does not
 * fill its batch. @param id the column of the record, where pieces of work are records
 */
export const notPostponed = (schedule: string, workspace_id: Sql, id: Sql = sql`''`): Sql => sql`
  NOT EXISTS (SELECT FROM postponed_work AS postponed WHERE postponed.schedule = ${schedule}
    AND postponed.workspace_id = ${workspace_id} AND postponed.subject = (${id})::text AND postponed.due_at > ${clock.now()})`;

/**
 * Does each piece of work that was found, in transactions of its own. One that fails is logged, shown by the figure
 * `postponed_work`, and put off.
 * @returns how many failed
 * @throws when the database is not to be reached: then nothing was put off, and everything is due as before
 */
export async function eachDue<Work extends DueWork>(
  { database: { pool }, log }: { database: Pick<Database, 'pool'>; log: Log },
  schedule: string,
  due: readonly Work[],
  perform: (work: Work) => Promise<unknown>,
): Promise<number> {
  if (due.length === 0) return 0;
  const { rows } = await pool.query<{ workspace_id: string; subject: string }>(KNOWN, [schedule]);
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
      const { rows: put } = await pool.query(PUT_OFF, [...key, reason, clock.now()]);
      log.error({ err: error, schedule, workspace_id, id: work.id, ...put[0] }, 'Due work failed, and is put off.');
    }
  }
  return failed;
}
