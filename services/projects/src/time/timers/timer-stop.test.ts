import { expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';
import { stopForgottenTimers } from './timer-stop.ts';

const { serving, office } = await openProjects();
const sweep = () => stopForgottenTimers(serving.tools as never);

/** Creates a workspace with a running timer. */
async function tracking() {
  const opened = await office();
  const { id: project_id } = await workedProject(opened, {});
  await opened.owner.post('/api/add-tracker', { project_id });
  return opened;
}

const timerStatusOf = async ({ workspace }: ProjectsFixture) =>
  (await serving.sql<{ status: string }>`SELECT status FROM time_entries WHERE workspace_id = ${workspace}`).map(
    ({ status }) => status,
  );
const postponedWorkOf = ({ workspace }: ProjectsFixture) =>
  serving.sql`SELECT schedule, attempts FROM postponed_work WHERE workspace_id = ${workspace}`;

test('stops other timers without delay if one cannot be stopped, and that one later', async () => {
  const still = freezeClock('2026-06-01T08:00:00Z');
  const [broken, sound] = [await tracking(), await tracking()];
  await serving.sql`UPDATE settings SET rounding = '{"mode": "broken"}' WHERE workspace_id = ${broken.workspace}`;
  still.goTo('2026-06-01T20:00:00Z');
  await sweep();
  await sweep();
  expect([await timerStatusOf(broken), await timerStatusOf(sound)]).toEqual([['running'], ['stopped']]);
  expect(await postponedWorkOf(broken)).toEqual([{ schedule: 'projects.stop-timers', attempts: 1 }]);
  await serving.sql`UPDATE settings SET rounding = NULL WHERE workspace_id = ${broken.workspace}`;
  still.goTo('2026-06-01T20:01:00Z');
  await sweep();
  expect([await timerStatusOf(broken), await postponedWorkOf(broken)]).toEqual([['stopped'], []]);
});
