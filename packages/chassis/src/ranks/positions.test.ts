import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { openFixture } from '../../test/fixture.ts';
import type { RowReader } from '../database/database.ts';
import { storePositions, moveToPosition } from './positions.ts';
import type { TransactionContext } from '../database/running.ts';
import { serializer } from '../database/records.ts';
import { sql } from '../database/sql.ts';

const fixture = await openFixture();
const { database, pool, workspace_id } = fixture;
afterAll(() => fixture.close());
await pool.query(
  'ALTER TABLE notes ADD COLUMN id uuid, ADD COLUMN position int NOT NULL DEFAULT 0, ADD COLUMN "order" int NOT NULL DEFAULT 0',
);
beforeEach(async () => {
  await pool.query('TRUNCATE notes, journal');
});

const serializeOn = serializer<'notes' | 'pages'>();
const context: TransactionContext = { workspace_id, caller: null, operation: 'test', request_id: 'test' };
const write = <T>(work: (db: RowReader) => Promise<T>) => database.write(context, work);
const IDS = [1, 2, 3].map((at) => `00000000-0000-7000-8000-00000000000${at}`);
const [A = '', B = '', C = ''] = IDS;
const places = async (column: string) => {
  const { rows } = await pool.query<{ id: string; place: number }>(
    `SELECT id, "${column}" AS place FROM notes ORDER BY 2`,
  );
  return rows.map(({ id, place }) => [id, place]);
};

test('moves an ID to a position, or to the end if the position does not exist', () => {
  expect(moveToPosition(IDS, C, 0)).toEqual([C, A, B]);
  expect(moveToPosition(IDS, A, 1)).toEqual([B, A, C]);
  expect(moveToPosition(IDS, A, undefined)).toEqual([B, C, A]);
  expect(moveToPosition(IDS, A, 99)).toEqual([B, C, A]);
  expect(moveToPosition([], A, 0)).toEqual([A]);
});

test('numbers rows in an order and writes only the rows that move', async () => {
  await write((db) => db.rows(sql`INSERT INTO notes (id, text) SELECT id, id::text FROM unnest(${IDS}::uuid[]) AS id`));
  await write((db) => storePositions(db, sql`notes`, IDS));
  expect(await places('position')).toEqual([
    [A, 0],
    [B, 1],
    [C, 2],
  ]);
  const written = async () => {
    const { rows } = await pool.query<{ xmin: string }>('SELECT xmin::text FROM notes ORDER BY id');
    return rows.map(({ xmin }) => xmin);
  };
  const before = await written();
  await write((db) => storePositions(db, sql`notes`, [B, A, C]));
  expect(await places('position')).toEqual([
    [B, 0],
    [A, 1],
    [C, 2],
  ]);
  const after = await written();
  expect(before.map((xmin, at) => xmin === after[at])).toEqual([false, false, true]);
  await write((db) => storePositions(db, sql`notes`, [C, B, A], sql`"order"`));
  expect([await places('order'), await places('position')]).toEqual([
    [
      [C, 0],
      [B, 1],
      [A, 2],
    ],
    [
      [B, 0],
      [A, 1],
      [C, 2],
    ],
  ]);
});

test('serialises concurrent changes so that each sees the previous one', async () => {
  const add = (db: RowReader) => db.rows(sql`INSERT INTO notes (text) SELECT count(*)::text FROM notes`);
  await Promise.all(
    Array.from({ length: 50 }, () =>
      write(async (db) => {
        await serializeOn(db, 'notes');
        await add(db);
      }),
    ),
  );
  const { rows } = await pool.query<{ text: string }>('SELECT text FROM notes');
  expect(rows.map(({ text }) => Number(text)).toSorted((one, other) => one - other)).toEqual([...Array(50).keys()]);
});
