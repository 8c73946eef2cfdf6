import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type TransactionContext, everyWorkspace, sql } from '@suite/chassis/database';
import { start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import type { Db } from '../src/operations.ts';

const service = await start(notebook);
const database = service.database as unknown as import('@suite/chassis/database').Database<Db>;
const [ours, theirs] = [randomUUID(), randomUUID()];
const at = (workspace_id: string | null): TransactionContext => ({
  workspace_id,
  caller: null,
  operation: 'test',
  request_id: 'test',
});
const within = <T>(workspace_id: string | null, work: (db: Db) => Promise<T>) => database.write(at(workspace_id), work);

const note = await within(theirs, (db) =>
  db.note.create({
    data: { title: 'secret plans', pages: { create: [{ text: 'page one' }] } },
    include: { pages: true },
  }),
);
const page_id = note.pages[0]!.id;
const untouched = () =>
  service.sql`SELECT n.*, p.text FROM notes n JOIN pages p ON p.note_id = n.id WHERE n.id = ${note.id}`;
const before = await untouched();

describe('a transaction of one workspace', () => {
  test('cannot read rows of another workspace', async () => {
    expect(await within(ours, (db) => db.note.findFirst({ where: { id: note.id } }))).toBeNull();
    expect(
      await within(ours, (db) => db.note.findMany({ where: { OR: [{ id: note.id }, { workspace_id: theirs }] } })),
    ).toEqual([]);
    expect(await within(ours, (db) => db.note.findMany({ where: { pages: { some: {} } } }))).toEqual([]);
  });

  test('cannot count or aggregate rows of another workspace', async () => {
    expect(await within(ours, (db) => db.note.count())).toBe(0);
    expect(await within(ours, (db) => db.note.aggregate({ _max: { title: true } }))).toEqual({ _max: { title: null } });
  });

  test('cannot access other workspaces by plain SQL', async () => {
    expect(
      await within(ours, (db) => db.rows(sql`SELECT * FROM notes WHERE workspace_id = ${theirs}::uuid OR TRUE`)),
    ).toEqual([]);
    expect(await within(ours, (db) => db.$queryRaw`SELECT id FROM notes`)).toEqual([]);
    expect(await within(ours, (db) => db.rows(sql`SELECT suite_search('notes', 'secret')`))).toEqual([]);
  });

  test('cannot update or delete rows of another workspace', async () => {
    expect(await within(ours, (db) => db.note.updateMany({ data: { title: 'ours now' } }))).toEqual({ count: 0 });
    expect(await within(ours, (db) => db.note.deleteMany({}))).toEqual({ count: 0 });
    expect(await within(ours, (db) => db.$executeRaw`UPDATE notes SET title = 'ours now'`)).toBe(0);
    await expect(
      within(ours, (db) => db.note.update({ where: { id: note.id }, data: { title: 'ours now' } })),
    ).rejects.toThrow();
    expect(await untouched()).toEqual(before);
  });

  test('cannot insert rows into another workspace', async () => {
    await expect(
      within(ours, (db) => db.note.create({ data: { title: 'smuggled', workspace_id: theirs } })),
    ).rejects.toThrow(/row-level security/);
    await expect(
      within(
        ours,
        (db) =>
          db.$executeRaw`INSERT INTO notes (id, workspace_id, title) VALUES (gen_random_uuid(), ${theirs}::uuid, 'smuggled')`,
      ),
    ).rejects.toThrow(/row-level security/);
  });

  test('does not connect, move or nest its rows into the rows of another', async () => {
    const mine = await within(ours, (db) => db.note.create({ data: { title: `mine ${randomUUID()}` } }));
    await expect(
      within(ours, (db) => db.page.create({ data: { text: 'foreign', note_id: note.id } })),
    ).rejects.toMatchObject({ status: 422, errors: { note_id: expect.anything() } });
    await expect(
      within(ours, (db) => db.page.create({ data: { text: 'foreign', note: { connect: { id: note.id } } } })),
    ).rejects.toThrow();
    await expect(
      within(ours, (db) => db.note.update({ where: { id: mine.id }, data: { pages: { connect: { id: page_id } } } })),
    ).rejects.toThrow();
    await expect(
      within(ours, (db) =>
        db.note.update({
          where: { id: mine.id },
          data: { pages: { update: { where: { id: page_id }, data: { text: 'ours' } } } },
        }),
      ),
    ).rejects.toThrow();
    expect(await untouched()).toEqual(before);
  });

  test('cannot leave its workspace by setting another workspace or role', async () => {
    await expect(within(ours, (db) => db.$executeRaw`DELETE FROM journal`)).rejects.toThrow(/permission denied/);
    await expect(within(ours, (db) => db.$executeRaw`UPDATE journal SET events = NULL`)).rejects.toThrow(
      /permission denied/,
    );
    await expect(within(ours, (db) => db.$executeRaw`ALTER TABLE notes DISABLE ROW LEVEL SECURITY`)).rejects.toThrow(
      /only read and change rows/,
    );
  });
});

test('reads and writes nothing in a transaction without a workspace', async () => {
  await expect(within(null, (db) => db.note.count())).rejects.toThrow();
  await expect(within(null, (db) => db.note.create({ data: { title: 'nowhere' } }))).rejects.toThrow();
});

test('keeps many concurrent transactions of two workspaces apart', async () => {
  const found = await Promise.all(
    Array.from({ length: 60 }, (_, turn) =>
      within(turn % 2 ? ours : theirs, (db) => db.note.findFirst({ where: { id: note.id } })),
    ),
  );
  expect(found.map((row) => row?.id)).toEqual(found.map((_, turn) => (turn % 2 ? undefined : note.id)));
});

test('everyWorkspace sees all workspaces, only until it ends', async () => {
  const [inside, after] = await within(ours, async (db) => {
    const everywhere = await everyWorkspace(db, (all) => all.note.findFirst({ where: { id: note.id } }));
    return [everywhere, await db.note.findFirst({ where: { id: note.id } })];
  });
  expect(inside?.id).toBe(note.id);
  expect(after).toBeNull();
});

test('rejects writes of a reader', async () => {
  await expect(database.read(at(ours), (db) => db.note.create({ data: { title: 'read me' } }))).rejects.toThrow(
    /read-only/,
  );
});

test('rejects a statement outside a transaction', async () => {
  let kept: Db | undefined;
  await database.read(at(ours), async (db) => {
    kept = db;
  });
  await expect(kept!.note.count()).rejects.toThrow(/outside of a transaction/);
});

test('writes an audit row for every change, with user, change and request', async () => {
  const actor = service.member({ can: ['note.create', 'note.update'] });
  const { body } = await actor.post('/api/note/create', { title: 'audited' });
  await actor.post(`/api/note/update/${body.data.id}`, { title: 'audited twice' });
  const log = await service.sql`SELECT * FROM journal_changes WHERE record_id = ${body.data.id} ORDER BY position`;
  expect(log).toMatchObject([
    {
      action: 'insert',
      before: null,
      after: { title: 'audited' },
      operation: 'notes.create',
      workspace_id: actor.caller.workspace_id,
    },
    {
      action: 'update',
      before: { title: 'audited' },
      after: { title: 'audited twice', version: 2 },
      operation: 'notes.update',
      actor: { user_id: actor.caller.user_id },
    },
  ]);
});

test('the audit log stores the changed columns of each updated row', async () => {
  const made = await within(ours, (db) => db.note.createManyAndReturn({ data: [{ title: 'one' }, { title: 'two' }] }));
  await within(ours, (db) => db.rows(sql`UPDATE notes SET title = title || '!' WHERE title IN ('one', 'two')`));
  await within(ours, (db) => db.note.deleteMany({ where: { title: 'one!' } }));
  const ids = made.map(({ id }) => id);
  const log = await service.sql`
    SELECT action, before, after FROM journal_changes WHERE record_id = ANY(${ids}) ORDER BY position`;
  const changed = ({ before }: (typeof log)[number]) => Object.keys(before).filter((name) => name !== 'updated_by');
  const updates = log.filter(({ action }) => action === 'update');
  expect(log.map(({ action }) => action)).toEqual(['insert', 'insert', 'update', 'update', 'delete']);
  expect(updates.map(changed).map((names) => names.toSorted())).toEqual(
    Array.from({ length: 2 }, () => ['title', 'updated_at', 'version']),
  );
  expect(updates).toMatchObject(
    ['one', 'two'].map((title) => ({ before: { title, version: 1 }, after: { title: `${title}!`, version: 2 } })),
  );
  expect(log.at(-1)).toMatchObject({ before: { id: ids[0], title: 'one!', version: 2 }, after: null });
});
