import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Ground, openGround, silent, until } from '../../test/ground.ts';
import { every, startSchedules } from './schedule.ts';

/** Locks are listed for the whole cluster, and other tests hold some. */
const OURS = `WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

let ground: Ground;

beforeAll(async () => {
  ground = await openGround();
});

afterAll(() => ground.close());

const tools = () => ({ database: ground.database, log: silent });

test('scheduled work runs again and again, in one replica at a time, and stops when it is done', async () => {
  let [running, most, runs] = [0, 0, 0];
  const work = every('test.alone', 20, async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(30);
    running -= 1;
    runs += 1;
  });
  const replicas = [1, 2, 3].map(() => startSchedules([work], tools()));
  await until('it has run', () => runs >= 10);
  await Promise.all(replicas.map((replica) => replica.stop()));
  const stopped_at = runs;
  expect({ most, running }).toEqual({ most: 1, running: 0 });
  await pause(100);
  expect(runs).toBe(stopped_at);
});

test('a run that fails, or loses its connection, is followed by another', async () => {
  let runs = 0;
  const work = every('test.fails', 10, async () => {
    runs += 1;
    if (runs === 2) await ground.pool.query(`SELECT pg_terminate_backend(pid) FROM pg_locks ${OURS}`);
    if (runs < 4) throw new Error('not now');
  });
  const replica = startSchedules([work], tools());
  await until('it has run', () => runs >= 6);
  await replica.stop();
  const { rows } = await ground.pool.query(`SELECT count(*)::int AS held FROM pg_locks ${OURS}`);
  expect(rows).toEqual([{ held: 0 }]);
});
