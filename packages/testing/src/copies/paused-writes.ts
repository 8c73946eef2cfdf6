/** Pauses transactions of a service at the write of a row, so that a test can act in the meantime. */
import type { ServiceUnderTest } from '../start.ts';

/** Time of the pause: before or after the row is written. */
type PauseTime = 'BEFORE' | 'AFTER';

/** Key of the lock for which paused transactions wait. */
const PAUSE = 7_370_042;

/** BEFORE triggers run in the order of their names, and this one runs before the trigger of the copy. */
const pauseSql = (table: string, time: PauseTime): string => `
  CREATE OR REPLACE FUNCTION a_pause() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM pg_advisory_xact_lock_shared(${PAUSE});
    RETURN NEW;
  END $$;
  CREATE TRIGGER a_pause ${time} INSERT OR UPDATE OF customer_id ON ${table} FOR EACH ROW EXECUTE FUNCTION a_pause()`;

const BLOCKED = `SELECT count(*)::int AS count FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`;

type CountBlocked = () => Promise<number>;

/** Pauses transactions that write to a table until `work` has ended. Returns its result. */
export async function whilePaused<T>(
  { admin }: ServiceUnderTest,
  { table, time }: { table: string; time: PauseTime },
  work: (countBlocked: CountBlocked) => Promise<T>,
): Promise<T> {
  await admin.query(pauseSql(table, time));
  const pauser = await admin.connect();
  try {
    await pauser.query('SELECT pg_advisory_lock($1)', [PAUSE]);
    return await work(async () => (await admin.query<{ count: number }>(BLOCKED)).rows[0]!.count);
  } finally {
    await pauser.query('SELECT pg_advisory_unlock_all()');
    pauser.release();
    await admin.query('DROP FUNCTION a_pause() CASCADE');
  }
}
