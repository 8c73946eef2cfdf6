import { expect, test } from '@jest/globals';
import { rejectStatements, start, freezeClock } from '@suite/testing';
import { openWorkspace, executeRequests, type TestWorkspace } from '../../../test/workspace.ts';
import { platform as contents } from '../../platform.ts';

// Runs without schedules, so that the test decides when requests are executed.
const platform = await start({ ...contents, schedules: [] });
const postponed = () =>
  platform.sql`SELECT attempts FROM postponed_work WHERE schedule = 'platform.settle-account-requests'`;

const mistype = (workspace: TestWorkspace) =>
  platform.anonymous.post('/api/login', { email: workspace.email('hr'), password: 'wrong' });
const failures = async ({ id }: TestWorkspace) =>
  (await platform.sql`SELECT FROM user_log WHERE workspace_id = ${id} AND event = 'login_failed'`).length;

test('a request that fails delays no other, and is executed once it can be', async () => {
  const [broken, sound] = [await openWorkspace(platform), await openWorkspace(platform)];
  const cure = await rejectStatements(platform, 'user_log', broken.id, 'INSERT');
  const began = Date.now();
  const still = freezeClock(new Date(began).toISOString());
  await mistype(broken);
  await mistype(sound);
  await executeRequests(platform);
  expect([await failures(broken), await failures(sound)]).toEqual([0, 1]);
  await mistype(sound);
  await executeRequests(platform);
  expect([await failures(broken), await failures(sound)]).toEqual([0, 2]);
  expect(await postponed()).toEqual([{ attempts: 1 }]);
  await cure();
  still.goTo(new Date(began + 60_000).toISOString());
  await executeRequests(platform);
  expect([await failures(broken), await postponed()]).toEqual([1, []]);
});
