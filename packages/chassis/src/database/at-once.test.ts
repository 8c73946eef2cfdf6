import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { openFixture } from '../../test/fixture.ts';
import type { Emit } from '../operation/events.ts';
import type { RowReader } from './database.ts';
import { type TransactionContext, executeLast } from './running.ts';
import { sql } from './sql.ts';
import { withSavepoint } from './transaction.ts';

const fixture = await openFixture();
const { database, pool, workspace_id } = fixture;
afterAll(() => fixture.close());
await pool.query('ALTER TABLE notes ADD CONSTRAINT notes_text_key UNIQUE (workspace_id, text)');
beforeEach(async () => {
  await pool.query('TRUNCATE notes, journal');
});

const context: TransactionContext = { workspace_id, caller: null, operation: 'test', request_id: 'test' };
const write = <T>(work: (db: RowReader, emit: Emit) => Promise<T>) => database.write(context, work);
const note = (db: RowReader, text: string) => db.rows(sql`INSERT INTO notes (text) VALUES (${text})`);
const notes = async () =>
  (await pool.query<{ text: string }>('SELECT text FROM notes ORDER BY text')).rows.map(({ text }) => text);
const taken = { status: 409, code: 'already_exists', errors: { text: [expect.any(String)] } };

test('runs pipelined statements in order, in one transaction', async () => {
  const [, , read] = await write((db) =>
    Promise.all([note(db, 'a'), note(db, 'b'), db.rows(sql`SELECT text FROM notes ORDER BY text`)]),
  );
  expect(read).toEqual([{ text: 'a' }, { text: 'b' }]);
  expect(await notes()).toEqual(['a', 'b']);
});

test('reports the first failed statement of a pipeline and rolls back all', async () => {
  const refused = write((db) => Promise.all([note(db, 'a'), note(db, 'a'), note(db, 'b')]));
  await expect(refused).rejects.toMatchObject(taken);
  expect(await notes()).toEqual([]);
});

test('does not commit a transaction whose events are rejected', async () => {
  const refused = write(async (db, emit) => {
    await note(db, 'a');
    emit(LeadLost, LeadLost.fromPartial({ lead_id: 'no id' }));
  });
  await expect(refused).rejects.toMatchObject({ status: 422 });
  expect(await notes()).toEqual([]);
});

test('does not report a commit if an error in the transaction was ignored', async () => {
  const lost = write(async (db) => {
    await note(db, 'a');
    await note(db, 'a').catch(() => undefined);
  });
  await expect(lost).rejects.toMatchObject(taken);
  expect(await notes()).toEqual([]);
});

test('rolls the transaction back if a statement sent with the commit is rejected', async () => {
  const last = (text: string) => executeLast('INSERT INTO notes (text) VALUES ($1)', [text]);
  await write(async (db) => {
    await withSavepoint(async () => last('kept'));
    await withSavepoint(async () => {
      last('never');
      throw new Error('not this');
    }).catch(() => undefined);
    await note(db, 'a');
  });
  expect(await notes()).toEqual(['a', 'kept']);
  const refused = write(async (db) => {
    await note(db, 'b');
    last('a');
  });
  await expect(refused).rejects.toMatchObject(taken);
  expect(await notes()).toEqual(['a', 'kept']);
});

test('undoes all pipelined statements of an attempt and continues the transaction', async () => {
  await write(async (db) => {
    const failing = withSavepoint(() => Promise.all([note(db, 'a'), note(db, 'a'), note(db, 'b')]));
    await expect(failing).rejects.toMatchObject(taken);
    await note(db, 'c');
  });
  expect(await notes()).toEqual(['c']);
});

test('rejects a statement after the end of its transaction', async () => {
  let late: Promise<unknown> | undefined;
  await write(async (db) => {
    await note(db, 'a');
    late = pause(50).then(() => note(db, 'late'));
    late.catch(() => undefined);
  });
  await expect(late).rejects.toThrow('after the end of its transaction');
  expect(await notes()).toEqual(['a']);
});

test('plans an array of one value like the value itself', async () => {
  const [one, two] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  expect(sql`id = ANY(${[one]}::uuid[])`).toMatchObject({ text: 'id = ANY(ARRAY[$1]::uuid[])', values: [one] });
  expect(sql`id = ANY(${[one, two]}::uuid[])`).toMatchObject({ text: 'id = ANY($1::uuid[])', values: [[one, two]] });
  expect(sql`kind = ANY(${['a']})`).toMatchObject({ text: 'kind = ANY($1)' });
});
