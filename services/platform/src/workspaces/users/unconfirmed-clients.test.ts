import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { rejectStatements, findPostponed, start, freezeClock } from '@suite/testing';
import { openWorkspace, rpcOf, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';
import { removeUnconfirmedClients } from './client-user.ts';

// Runs without schedules, so that the test decides when users are removed.
const platform = await start({ ...contents, schedules: [] });
const SCHEDULE = 'platform.remove-unconfirmed-clients';
const sweep = () => removeUnconfirmedClients(platform.tools as never);
const isThere = async (id: string) => (await platform.sql`SELECT FROM users WHERE id = ${id}`).length > 0;

/** Requests a client two hours ago that no command confirms. */
async function forgotten(workspace: TestWorkspace): Promise<string> {
  const email = `clara.${randomUUID()}@example.test`;
  const input = { idempotency_key: randomUUID(), name: 'Clara Client', email, phone: '', password: '' };
  const { user } = await rpcOf(platform, (await workspace.as('sales')).caller).ensureClientUser(input);
  const { user_id } = user!;
  await platform.sql`
    WITH old AS (UPDATE client_requests SET created_at = now() - interval '2 hours' WHERE user_id = ${user_id})
    UPDATE users SET created_at = now() - interval '2 hours' WHERE id = ${user_id}`;
  return user_id;
}

test('a workspace with a failing removal delays no other, and recovers', async () => {
  const [broken, sound] = [await openWorkspace(platform), await openWorkspace(platform)];
  const [stuck, first] = [await forgotten(broken), await forgotten(sound)];
  const cure = await rejectStatements(platform, 'client_requests', broken.id, 'DELETE');
  const began = Date.now();
  const still = freezeClock(new Date(began).toISOString());
  await sweep();
  expect([await isThere(stuck), await isThere(first)]).toEqual([true, false]);
  const second = await forgotten(sound);
  await sweep();
  expect([await isThere(stuck), await isThere(second)]).toEqual([true, false]);
  expect(await findPostponed(platform, SCHEDULE, broken.id)).toEqual([{ attempts: 1 }]);
  await cure();
  still.goTo(new Date(began + 60_000).toISOString());
  await sweep();
  expect(await isThere(stuck)).toBe(false);
  expect(await findPostponed(platform, SCHEDULE, broken.id)).toEqual([]);
});
