import { setTimeout as pause } from 'node:timers/promises';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { openFixture } from '../../test/fixture.ts';
import type { TransactionContext } from './running.ts';
import { sql } from './sql.ts';

const fixture = await openFixture();
const { database, pool, workspace_id } = fixture;
afterAll(() => fixture.close());
beforeEach(async () => {
  await pool.query('TRUNCATE notes');
});

const inside = (workspace: string): TransactionContext => ({
  workspace_id: workspace,
  caller: null,
  operation: 'test',
  request_id: 'test',
});
const count = async (workspace = workspace_id) =>
  await database.read(inside(workspace), async (db) => {
    const [counted] = await db.rows<{ notes: number }>(sql`SELECT count(*) AS notes FROM notes`);
    return counted?.notes;
  });
const write = (text: string) =>
  database.write(inside(workspace_id), (db) => db.rows(sql`INSERT INTO notes (text) VALUES (${text})`));
const open = async () =>
  (await pool.query(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in%'`))
    .rowCount;

test('ends a read-only transaction although no caller waits', async () => {
  await Promise.all(Array.from({ length: 8 }, () => count()));
  while ((await open()) !== 0) await pause(5);
  expect(await open()).toBe(0);
});

test('reads new data in its own workspace after a read-only transaction', async () => {
  await Promise.all(Array.from({ length: 20 }, () => count()));
  await write('a');
  const stranger = randomUUID();
  const counted = await Promise.all(Array.from({ length: 40 }, (_, turn) => count(turn % 2 ? stranger : workspace_id)));
  expect(counted).toEqual(counted.map((_, turn) => (turn % 2 ? 0 : 1)));
});

test('keeps a write that follows reads on the same connections', async () => {
  const work = Array.from({ length: 40 }, (_, turn) => (turn % 2 ? count() : write(`${turn}`)));
  await Promise.all(work);
  expect(await count()).toBe(20);
});

test('rejects a reader that ignores a database error', async () => {
  const reading = database.read(inside(workspace_id), async (db) => {
    await db.rows(sql`SELECT 1 / 0 AS nothing`).catch(() => undefined);
    return 'read';
  });
  await expect(reading).rejects.toThrow();
  expect(await count()).toBe(0);
});
