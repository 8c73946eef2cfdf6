/** Work of schedules that fails each time: one piece of it must hold up no other. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { stillClock } from './jest/still-clock.ts';
import type { Serving } from './start.ts';

/**
 * Has the database refuse what happens to a workspace's rows of a table, as it does where a row cannot be worked on.
 * @param event the statements that are refused: `UPDATE`, `INSERT OR DELETE`
 * @returns what ends that
 */
export async function poison({ admin }: Serving, table: string, workspace_id: string, event = 'UPDATE OR DELETE') {
  const name = `poison_${randomUUID().replaceAll('-', '')}`;
  await admin.query(`
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF coalesce(to_jsonb(NEW), to_jsonb(OLD)) ->> 'workspace_id' = '${workspace_id}' THEN RAISE EXCEPTION 'Poison.'; END IF;
      RETURN coalesce(NEW, OLD);
    END $$;
    CREATE TRIGGER ${name} BEFORE ${event} ON "${table}" FOR EACH ROW EXECUTE FUNCTION ${name}()`);
  return async () => {
    await admin.query(`DROP FUNCTION ${name} CASCADE`);
  };
}

/** The work of a schedule that was put off in a workspace. */
export const postponedIn = (
  { sql }: Serving,
  schedule: string,
  workspace_id: string,
): Promise<{ attempts: number }[]> =>
  sql<{ attempts: number }>`
    SELECT attempts FROM postponed_work WHERE schedule = ${schedule} AND workspace_id = ${workspace_id}`;

/** Long after any file of a test was discarded. */
const LATER = '2090-01-01T08:00:00Z';

/**
 * Expects that a file which cannot be removed keeps no other from being removed, of its own workspace or of another, and that it
 * is removed when it can be. The service must run without its schedules.
 */
export async function expectRemovalToGoOn(
  serving: Serving,
  { name, work }: { name: string; work(tools: never): Promise<unknown> },
): Promise<void> {
  const still = stillClock(LATER);
  const [stuck, other] = [randomUUID(), randomUUID()];
  const broken = `${stuck}/broken`;
  const removed: string[] = [];
  let isBroken = true;
  const storage = {
    async remove(key: string) {
      if (isBroken && key === broken) throw new Error('The disk does not answer.');
      removed.push(key);
    },
  };
  const discard = (workspace_id: string, key: string) =>
    serving.sql`INSERT INTO discarded_files (workspace_id, key) VALUES (${workspace_id}, ${key})`;
  const remove = async () => {
    await work({ ...serving.tools, storage } as never);
    return removed.splice(0).toSorted();
  };
  await discard(stuck, broken);
  await discard(stuck, `${stuck}/sound`);
  await discard(other, `${other}/sound`);
  expect(await remove()).toEqual([`${stuck}/sound`, `${other}/sound`].toSorted());
  await discard(stuck, `${stuck}/later`);
  await discard(other, `${other}/later`);
  expect(await remove()).toEqual([`${stuck}/later`, `${other}/later`].toSorted());
  expect(await postponedIn(serving, name, stuck)).toEqual([{ attempts: 1 }]);
  isBroken = false;
  still.goTo('2090-01-01T08:01:00Z');
  expect(await remove()).toEqual([broken]);
  expect(await postponedIn(serving, name, stuck)).toEqual([]);
  expect(await serving.sql`SELECT FROM discarded_files WHERE workspace_id IN (${stuck}, ${other})`).toEqual([]);
}
