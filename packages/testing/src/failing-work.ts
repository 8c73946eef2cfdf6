/** Scheduled work that fails each time: one failing piece must delay no other. */
import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { freezeClock } from './jest/frozen-clock.ts';
import type { ServiceUnderTest } from './start.ts';

/**
 * Makes the database reject statements on a workspace's rows of a table, as for a row that cannot be processed.
 * @param event the rejected statements: `UPDATE`, `INSERT OR DELETE`
 * @returns a function that removes the fault
 */
export async function rejectStatements(
  { admin }: ServiceUnderTest,
  table: string,
  workspace_id: string,
  event = 'UPDATE OR DELETE',
) {
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

/** Returns the postponed work of a schedule in a workspace. */
export const findPostponed = (
  { sql }: ServiceUnderTest,
  schedule: string,
  workspace_id: string,
): Promise<{ attempts: number }[]> =>
  sql<{ attempts: number }>`
    SELECT attempts FROM postponed_work WHERE schedule = ${schedule} AND workspace_id = ${workspace_id}`;

/** A time long after any test file was discarded. */
const LATER = '2090-01-01T08:00:00Z';

/**
 * Expects that a file which cannot be removed does not block the removal of others, in any workspace. Expects its
 * removal as soon as that is possible. The service must run without its schedules.
 */
export async function expectRemovalToContinue(
  serving: ServiceUnderTest,
  { name, work }: { name: string; work(tools: never): Promise<unknown> },
): Promise<void> {
  const still = freezeClock(LATER);
  const [stuck, other] = [randomUUID(), randomUUID()];
  const broken = `${stuck}/broken`;
  const removed: string[] = [];
  let isBroken = true;
  const storage = {
    async remove(key: string) {
      if (isBroken && key === broken) throw new Error('Disk unavailable.');
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
  expect(await findPostponed(serving, name, stuck)).toEqual([{ attempts: 1 }]);
  isBroken = false;
  still.goTo('2090-01-01T08:01:00Z');
  expect(await remove()).toEqual([broken]);
  expect(await findPostponed(serving, name, stuck)).toEqual([]);
  expect(await serving.sql`SELECT FROM discarded_files WHERE workspace_id IN (${stuck}, ${other})`).toEqual([]);
}
