import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { openHr } from '../../../test/fixture.ts';
import { upsertProjectTime, withdrawProjectTime } from './project-time.ts';

const { company, serving } = await openHr();

test('counts approved time until it is reopened, in any order of the events', async () => {
  const acme = await company();
  const user_id = randomUUID();
  const [time_id, other] = [randomUUID(), randomUUID()];
  const approve = (id: string, as_of: number, duration_seconds: number) =>
    acme.write((db) =>
      upsertProjectTime(db, { time_id: id, user_id, as_of }, { local_date: '2026-06-10', duration_seconds }),
    );
  const reopen = (id: string, as_of: number) =>
    acme.write((db) => withdrawProjectTime(db, { time_id: id, user_id, as_of }));
  const approvedSeconds = async () =>
    (await serving.sql`SELECT id, seconds FROM project_times WHERE user_id = ${user_id} AND approved ORDER BY id`).map(
      ({ id, seconds }) => [id, seconds],
    );
  await approve(time_id, 3, 600);
  expect(await approvedSeconds()).toEqual([[time_id, 600]]);
  await reopen(time_id, 4);
  await approve(time_id, 3, 600);
  expect(await approvedSeconds()).toEqual([]);
  await approve(time_id, 6, 900);
  await reopen(time_id, 4);
  expect(await approvedSeconds()).toEqual([[time_id, 900]]);
  await reopen(other, 2);
  await approve(other, 1, 60);
  expect(await approvedSeconds()).toEqual([[time_id, 900]]);
});
