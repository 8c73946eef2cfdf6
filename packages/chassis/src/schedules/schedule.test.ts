import { randomUUID } from 'node:crypto';
import { Writable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import pino from 'pino';
import { type Fixture, openFixture, silentLog, waitUntil } from '../../test/fixture.ts';
import { declareSchedule, findEverywhere, jobTransaction, WakeSignals, startSchedules } from './schedule.ts';
import { runAfterCommit } from '../database/running.ts';

let fixture: Fixture;
const wakeSignals = new WakeSignals();

beforeAll(async () => {
  fixture = await openFixture((due) => wakeSignals.wake(due));
});

afterAll(() => fixture.close());

const tools = () => ({ database: fixture.database, log: silentLog });

test('runs repeatedly, in one replica at a time, and stops when done', async () => {
  let [running, most, runs] = [0, 0, 0];
  const work = declareSchedule('test.alone', 20, async () => {
    running += 1;
    most = Math.max(most, running);
    await pause(30);
    running -= 1;
    runs += 1;
  });
  const replicas = [1, 2, 3].map(() => startSchedules([work], tools()));
  await waitUntil('it has run', () => runs >= 10);
  await Promise.all(replicas.map((replica) => replica.stop()));
  const stopped_at = runs;
  expect({ most, running }).toEqual({ most: 1, running: 0 });
  await pause(100);
  expect(runs).toBe(stopped_at);
});

test('runs as often with three replicas as with one', async () => {
  const INTERVAL_MS = 300;
  const runs: number[] = [];
  const work = declareSchedule('test.once', INTERVAL_MS, async () => void runs.push(performance.now()));
  const replicas = [1, 2, 3].map(() => startSchedules([work], tools()));
  await waitUntil('it has run', () => runs.length >= 6, 30_000);
  await Promise.all(replicas.map((replica) => replica.stop()));
  const between = runs.slice(1).map((at, index) => at - runs[index]!);
  // However late a run begins, the next one is due an interval later.
  expect(Math.min(...between)).toBeGreaterThan(INTERVAL_MS * 0.8);
});

test('runs again after a failed run', async () => {
  let runs = 0;
  const work = declareSchedule('test.fails', 10, async () => {
    runs += 1;
    if (runs < 4) throw new Error('not now');
  });
  const replica = startSchedules([work], tools());
  await waitUntil('it has run', () => runs >= 6);
  await replica.stop();
});

test('takes over the lease of a replica that died, after it expires', async () => {
  let runs = 0;
  const work = declareSchedule('test.died', 60_000, async () => {
    runs += 1;
  });
  const take = `INSERT INTO turns (name, due_at, taken_by) VALUES ('test.died', clock_timestamp() + interval '1 second', $1)`;
  await fixture.pool.query(take, [randomUUID()]);
  const replica = startSchedules([work], tools());
  await waitUntil('another has run it', () => runs === 1);
  // The replica releases the lease before it ends.
  await replica.stop();
  const { rows } = await fixture.pool.query(
    `SELECT taken_by, due_at > now() + interval '50 seconds' AS is_later FROM turns WHERE name = 'test.died'`,
  );
  expect(rows).toEqual([{ taken_by: null, is_later: true }]);
});

test('has a run ID in its log lines and changes', async () => {
  const lines: string[] = [];
  const log = pino(new Writable({ write: (line, _, done) => (lines.push(String(line)), done()) }));
  let context: ReturnType<typeof jobTransaction> | undefined;
  const work = declareSchedule('test.named', 10, async ({ log: own }: { log: pino.Logger }) => {
    context = jobTransaction('test.named', null);
    await findEverywhere(fixture.database, 'test.named', sql`SELECT 1`);
    own.info('at work');
  });
  const replica = startSchedules([work], { database: fixture.database, log });
  await waitUntil('it has run', () => lines.length > 0);
  await replica.stop();
  const { request_id, trace_id } = context!;
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({ schedule: 'test.named', request_id, trace_id, msg: 'at work' }),
  );
  expect(trace_id).toMatch(/^[\da-f]{32}$/);
});

/** Creates due work for a schedule, in a separate transaction. */
const leaveWork = (schedule: string, end: () => unknown = () => undefined) =>
  fixture.database.write(jobTransaction('test.command', fixture.workspace_id), async (db) => {
    await db.rows(sql`SELECT 1`);
    runAfterCommit(schedule);
    end();
  });

test('starts a schedule right after a commit that left work, not after a rollback', async () => {
  const runs: string[] = [];
  const schedules = ['test.woken', 'test.asleep'].map((name) =>
    declareSchedule(name, 60_000, async () => void runs.push(name)),
  );
  const replica = startSchedules(schedules, tools(), wakeSignals);
  const isKnown = async () =>
    (await fixture.pool.query(`SELECT FROM turns WHERE name IN ('test.woken', 'test.asleep')`)).rowCount === 2;
  await waitUntil('their leases are known', isKnown);
  const refused = leaveWork('test.woken', () => {
    throw new Error('no');
  });
  await expect(refused).rejects.toThrow('no');
  await pause(50);
  expect(runs).toEqual([]);
  await leaveWork('test.woken');
  await waitUntil('it has run', () => runs.length === 1);
  await leaveWork('test.woken');
  await waitUntil('it has run again', () => runs.length === 2);
  await replica.stop();
  expect(runs).toEqual(['test.woken', 'test.woken']);
});

test('runs work that became due while another replica had the lease', async () => {
  let [runs, most, running] = [0, 0, 0];
  const { promise, resolve } = Promise.withResolvers<void>();
  const work = declareSchedule('test.other', 60_000, async () => {
    running += 1;
    most = Math.max(most, running);
    if (runs === 0) await promise;
    runs += 1;
    running -= 1;
  });
  const other = new WakeSignals();
  const replicas = [wakeSignals, other].map((each) => startSchedules([work], tools(), each));
  await leaveWork('test.other');
  await waitUntil('the first one is at work', () => running === 1);
  other.wake(['test.other']);
  await pause(50);
  expect(running).toBe(1);
  resolve();
  await waitUntil('the other one has looked, too', () => runs === 2);
  await Promise.all(replicas.map((replica) => replica.stop()));
  expect(most).toBe(1);
});
