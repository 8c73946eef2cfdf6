/** Visibility modes within a request: concurrent parts have separate modes, and faults count no hidden records. */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { asCaller, regardlessOfVisibility, sql } from '@suite/chassis/database';
import { InUse } from '@suite/chassis/faults';
import { input } from '@suite/chassis/fields';
import { assertUnused } from '@suite/chassis/lists';
import { can, ok } from '@suite/chassis/operations';
import { start } from '@suite/testing';
import { z } from 'zod';
import { command, type Db, query } from '../src/operations.ts';
import { testServiceOf } from './fixtures/trial.ts';

const count = async (db: Db): Promise<number> => {
  const [found] = await db.rows<{ notes: number }>(sql`SELECT count(*)::int AS notes FROM notes`);
  return found!.notes;
};
/** Runs a statement on another table, during which the other parts continue. */
const pause = (db: Db) => db.rows(sql`SELECT count(*) FROM pages`);

/** Counts before and after other parts of the request, which can have another visibility mode. */
const counts = async (db: Db): Promise<number[]> => {
  const before = await count(db);
  await pause(db);
  return [before, await count(db)];
};

const Counts = z.object({ whole: z.array(z.int()), seen: z.array(z.int()), after: z.int() });
const overlapping = query('GET /api/trial/overlapping', {
  summary: 'Count with two views',
  access: can('trial'),
  reply: ok(Counts),
  handle: async ({ db }) => {
    const [first, seen, second] = await Promise.all([
      regardlessOfVisibility(() => counts(db)),
      counts(db),
      regardlessOfVisibility(() => counts(db)),
    ]);
    return { whole: [...first, ...second], seen, after: await count(db) };
  },
});
const changing = command('POST /api/trial/changing', {
  summary: 'Count with two views',
  access: can('trial'),
  body: input({}),
  reply: ok(Counts),
  handle: async ({ db }) => {
    const [first, whole, second] = await Promise.all([
      asCaller(() => counts(db)),
      counts(db),
      asCaller(async () => {
        await pause(db);
        return await counts(db);
      }),
    ]);
    return { whole: [...whole, await count(db)], seen: [...first, ...second], after: await asCaller(() => count(db)) };
  },
});
const removing = command('POST /api/trial/removing', {
  summary: 'Remove what notes refer to',
  access: can('trial'),
  body: input({}),
  reply: ok(z.object({})),
  faults: [InUse],
  handle: async ({ db }) => {
    await assertUnused(
      async () => ({ notes: await count(db) }),
      (seen) => ({ ...seen, instead: 'archive it' }),
    );
    return {};
  },
});

const trial = await start(testServiceOf({ overlapping, changing, removing }));
const workspace = randomUUID();
const kim = trial.member({ can: ['trial', 'note.view'], workspace, record_scopes: { note: 'own' } });

async function insertNote(created_by: string): Promise<void> {
  const id = randomUUID();
  await trial.sql`
    INSERT INTO notes (id, workspace_id, title, created_by) VALUES (${id}, ${workspace}, ${id}, ${created_by})`;
}
beforeEach(async () => {
  await trial.sql`DELETE FROM notes WHERE workspace_id = ${workspace}`;
});

describe('concurrent parts of a request', () => {
  beforeEach(async () => {
    for (const person of [kim.caller.user_id, randomUUID(), randomUUID()]) await insertNote(person);
  });

  test('keep their visibility mode in a query', async () => {
    const { body } = await kim.get('/api/trial/overlapping');
    expect(body).toMatchObject({ data: { whole: [3, 3, 3, 3], seen: [1, 1], after: 1 } });
  });

  test('keep their visibility mode in a command', async () => {
    const { body } = await kim.post('/api/trial/changing', {});
    expect(body).toMatchObject({ data: { whole: [3, 3, 3], seen: [1, 1, 1, 1], after: 1 } });
  });
});

describe('a record that others refer to', () => {
  const refused = (notes: number) => ({
    status: 409,
    body: { code: 'in_use', details: { notes, instead: 'archive it' } },
  });

  test('returns in_use without counting records that the caller cannot see', async () => {
    await insertNote(randomUUID());
    expect(await kim.post('/api/trial/removing', {})).toMatchObject(refused(0));
    await insertNote(kim.caller.user_id);
    expect(await kim.post('/api/trial/removing', {})).toMatchObject(refused(1));
  });

  test('is in use, without a count for a caller without the view permission', async () => {
    await insertNote(randomUUID());
    const max = trial.member({ can: ['trial'], workspace });
    expect(await max.post('/api/trial/removing', {})).toMatchObject(refused(0));
    const sam = trial.member({ can: ['trial', 'note.view'], workspace });
    expect(await sam.post('/api/trial/removing', {})).toMatchObject(refused(1));
  });

  test('is accepted once nothing refers to it', async () => {
    expect((await kim.post('/api/trial/removing', {})).status).toBe(200);
  });
});
