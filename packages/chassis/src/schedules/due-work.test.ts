import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { raw, sqltag as sql } from '@prisma/client/runtime/client';
import pino from 'pino';
import { type Fixture, openFixture } from '../../test/fixture.ts';
import { clock } from '../runtime/clock.ts';
import { runDueWork, isNotPostponed } from './due-work.ts';
import { findEverywhere, jobTransaction } from './schedule.ts';

let fixture: Fixture;
let lines: string[];

beforeAll(async () => {
  fixture = await openFixture();
});
const ticking = clock.now;
beforeEach(() => {
  clock.now = () => new Date(now);
  lines = [];
});
afterEach(() => {
  clock.now = ticking;
});
afterAll(() => fixture.close());

const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
const tools = () => ({ database: fixture.database, log });
let now = Date.parse('2030-01-01T00:00:00Z');
const wait = (minutes: number) => (now += minutes * 60_000);

/** Creates three due notes in a workspace, and the work that records each note. */
function office(schedule: string) {
  const workspace_id = randomUUID();
  const poisoned = new Set(['two']);
  const find = () =>
    findEverywhere<{ workspace_id: string; id: string }>(
      fixture.database,
      schedule,
      sql`
        SELECT ${workspace_id}::uuid AS workspace_id, id FROM unnest(ARRAY['one', 'two', 'three']) AS due (id)
        WHERE id NOT IN (SELECT text FROM notes WHERE workspace_id = ${workspace_id}::uuid)
          AND ${isNotPostponed(schedule, sql`${workspace_id}::uuid`, raw('id'))} LIMIT 2`,
    );
  const run = async () => {
    const due = await find();
    const failed = await runDueWork(tools(), schedule, due, ({ id }) =>
      fixture.database.write(jobTransaction(schedule, workspace_id), async (db) => {
        await db.rows(sql`INSERT INTO notes (text) VALUES (${id})`);
        if (poisoned.has(id)) throw new Error('Poison.');
      }),
    );
    return [due.map(({ id }) => id), failed];
  };
  const done = async () =>
    (await fixture.pool.query('SELECT text FROM notes WHERE workspace_id = $1', [workspace_id])).rows.map(
      ({ text }) => text,
    );
  const postponed = async () =>
    (await fixture.pool.query('SELECT * FROM postponed_work WHERE workspace_id = $1', [workspace_id])).rows;
  return { workspace_id, poisoned, run, done, postponed };
}

test('failing work blocks no other, leaves no partial result and fills no batch', async () => {
  const { workspace_id, run, done, postponed } = office('test.poison');
  expect(await run()).toEqual([['one', 'two'], 1]);
  expect(await run()).toEqual([['three'], 0]);
  expect(await done()).toEqual(['one', 'three']);
  expect(await postponed()).toMatchObject([
    { schedule: 'test.poison', subject: 'two', attempts: 1, reason: 'Poison.' },
  ]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { schedule: 'test.poison', workspace_id, id: 'two', attempts: 1, msg: 'Due work failed; postponed' },
  ]);
});

test('retries with longer waits, at last hourly, and leaves nothing on success', async () => {
  const { poisoned, run, done, postponed } = office('test.again');
  await run();
  await run();
  for (const [attempt, minutes] of [1, 2, 4, 8, 16, 32, 60, 60].entries()) {
    expect(await postponed()).toMatchObject([{ attempts: attempt + 1 }]);
    wait(minutes - 0.5);
    expect(await run()).toEqual([[], 0]);
    wait(0.5);
    expect(await run()).toEqual([['two'], 1]);
  }
  wait(60);
  poisoned.clear();
  expect(await run()).toEqual([['two'], 0]);
  expect(await done()).toEqual(['one', 'three', 'two']);
  expect(await postponed()).toEqual([]);
});

test('continues with the next workspace if the work of a whole workspace fails', async () => {
  const [first, second] = [randomUUID(), randomUUID()];
  const done: string[] = [];
  const due = [{ workspace_id: first }, { workspace_id: second }];
  const failed = await runDueWork(tools(), 'test.workspaces', due, async ({ workspace_id }) => {
    if (workspace_id === first) throw new Error('Poison.');
    done.push(workspace_id);
  });
  expect([failed, done]).toEqual([1, [second]]);
  // As in schedules: a bare column, which belongs to the statement.
  const waiting = (id: string) =>
    findEverywhere(
      fixture.database,
      'test.workspaces',
      sql`SELECT 1 FROM (SELECT ${id}::uuid AS workspace_id) AS due WHERE ${isNotPostponed('test.workspaces', sql`workspace_id`)}`,
    );
  expect([await waiting(first), await waiting(second)]).toMatchObject([[], [{}]]);
});

test('waits for the delays of its schedule, and forgets work that is no longer due', async () => {
  const workspace_id = randomUUID();
  const fail = () => Promise.reject(new Error('Poison.'));
  const rows = async () =>
    (
      await fixture.pool.query('SELECT subject, attempts, due_at FROM postponed_work WHERE workspace_id = $1', [
        workspace_id,
      ])
    ).rows;
  const began = now;
  for (const seconds of [0, 5, 30, 30]) {
    await runDueWork({ ...tools(), waits_s: [0, 5, 30] }, 'test.waits', [{ workspace_id, id: 'one' }], fail);
    const [{ due_at }] = await rows();
    expect((due_at.getTime() - now) / 1_000).toBe(seconds);
  }
  now = began + 86_430_000;
  await runDueWork(tools(), 'test.waits', [{ workspace_id, id: 'two' }], async () => undefined);
  expect(await rows()).toMatchObject([{ subject: 'one', attempts: 4 }]);
  now += 1_000;
  await runDueWork(tools(), 'test.waits', [{ workspace_id, id: 'two' }], async () => undefined);
  expect(await rows()).toEqual([]);
});
