import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { sqltag as sql } from '@prisma/client/runtime/client';
import { busyFault, insertNote, openNotes } from '../../test/notes.ts';
import type { RowReader } from './database.ts';

const { database, at, notes, write } = await openNotes();
const { max, connectionTimeoutMillis: wait_ms } = database.requests.options;

test('leaves connections to other workspaces when one uses its full share', async () => {
  const gate = Promise.withResolvers<void>();
  const begun: Promise<void>[] = [];
  const held = Array.from({ length: max * 2 }, (_, number) => {
    const start = Promise.withResolvers<void>();
    begun.push(start.promise);
    return write(async (db: RowReader) => {
      await insertNote(db, String(number).padStart(2, '0'));
      start.resolve();
      await gate.promise;
    });
  });
  const settled = Promise.allSettled(held);
  const share = Math.ceil(max * 0.75);
  await Promise.all(begun.slice(0, share));
  const other = at({ workspace_id: randomUUID() });
  const answers = await Promise.all(
    [1, 2, 3].map((number) => database.read(other, (db: RowReader) => db.rows(sql`SELECT ${number}::int AS number`))),
  );
  expect(answers).toEqual([[{ number: 1 }], [{ number: 2 }], [{ number: 3 }]]);
  expect(database.requests.totalCount).toBeLessThanOrEqual(max);
  gate.resolve();
  // The waiting transactions follow in order, or are rejected after the longest wait of the pool.
  const outcomes = await settled;
  expect(outcomes.slice(0, share).map(({ status }) => status)).toEqual(
    Array.from({ length: share }, () => 'fulfilled'),
  );
  for (const outcome of outcomes.slice(share))
    expect([undefined, busyFault]).toContainEqual(outcome.status === 'rejected' ? outcome.reason : undefined);
  expect((await notes()).length).toBeGreaterThanOrEqual(share);
  expect(wait_ms).toBeGreaterThan(0);
});
