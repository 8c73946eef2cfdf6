import { sqltag as sql } from '@prisma/client/runtime/client';
import { expect, test } from '@jest/globals';
import { busyFault, openNotes } from '../../test/notes.ts';
import type { RowReader } from './database.ts';
import { attemptWithTimeout, remainingTime } from '../reading/time-limit.ts';

const { database, at } = await openNotes();
const timeout = (ends_at: number | undefined) =>
  database.read({ ...at(), ends_at }, async (db: RowReader) => {
    const [row] = await db.rows<{ limit: string }>(sql`SELECT current_setting('statement_timeout') AS limit`);
    return row!.limit;
  });

test('ends a statement that takes longer than its caller waits with 503', async () => {
  const late = database.read({ ...at(), ends_at: performance.now() + 200 }, (db: RowReader) =>
    db.rows(sql`SELECT pg_sleep(60)`),
  );
  await expect(late).rejects.toEqual(busyFault);
});

test('limits a statement to the remaining time, until its transaction ends', async () => {
  expect(await timeout(performance.now() + 3_600_000)).toMatch(/^(1h|35\d\d[\d.]*s|59min|35\d{5}ms)$/);
  expect(await timeout(performance.now() - 1_000)).toBe('50ms');
  expect(await timeout(undefined)).not.toMatch(/^(50ms|1h)$/);
});

test('undoes only the work that exceeds a limit of its own', async () => {
  const found = await database.read({ ...at(), ends_at: performance.now() + 3_600_000 }, async (db: RowReader) => [
    await attemptWithTimeout(100, () => db.rows(sql`SELECT pg_sleep(60)`)),
    await attemptWithTimeout(60_000, () => db.rows(sql`SELECT 1 AS one`)),
    await db.rows(sql`SELECT current_setting('statement_timeout') <> '1min' AS whole`),
  ]);
  expect(found).toEqual([undefined, [{ one: 1 }], [{ whole: true }]]);
});

test('returns the remaining time of the caller, without a limit if no caller waits', async () => {
  const left = (ends_at?: number) => database.read({ ...at(), ends_at }, () => Promise.resolve(remainingTime()));
  expect(await left()).toBe(Infinity);
  expect(Math.ceil((await left(performance.now() + 3_600_000)) / 3_600_000)).toBe(1);
});
