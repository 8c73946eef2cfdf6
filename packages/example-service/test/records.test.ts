import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import {
  withSavepoint,
  change,
  type TransactionContext,
  type Database,
  find,
  remove,
  violatedConstraint,
} from '@suite/chassis/database';
import { one } from '@suite/chassis/lists';
import { lifecycle } from '@suite/chassis/operations';
import { start, runConcurrently } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import { noteStates } from '../src/notes/note.rules.ts';
import type { Db } from '../src/operations.ts';

const service = await start(notebook);
const database = service.database as unknown as Database<Db>;
const at: TransactionContext = { workspace_id: randomUUID(), caller: null, operation: 'test', request_id: 'test' };
const within = <T>(work: (db: Db) => Promise<T>, context = at) => database.write(context, work);
const elsewhere = { ...at, workspace_id: randomUUID() };
const create = (changes: { status?: string; title?: string } = {}) =>
  within((db) => db.note.create({ data: { title: randomUUID(), ...changes } }));
const NotFound = expect.objectContaining({ status: 404, code: 'not_found' });

describe('a record', () => {
  test('is found by ID, only in its workspace', async () => {
    const note = await create();
    expect(await within((db) => find(db.note, note.id))).toEqual(note);
    await expect(within((db) => find(db.note, note.id), elsewhere)).rejects.toEqual(NotFound);
    await expect(within((db) => find(db.note, randomUUID()))).rejects.toEqual(NotFound);
  });

  test('is changed and returned with its new values', async () => {
    const note = await create();
    const changed = await within((db) => change(db.note, note.id, { title: `new ${note.id}` }, 1));
    expect(changed).toMatchObject({ id: note.id, title: `new ${note.id}`, version: 2 });
    expect(await within((db) => change(db.note, note.id, { position: 3 }))).toMatchObject({ position: 3, version: 3 });
  });

  test('is not changed with an outdated version or from another workspace', async () => {
    const note = await create();
    await within((db) => change(db.note, note.id, { position: 1 }));
    const stale = within((db) => change(db.note, note.id, { position: 2 }, 1));
    await expect(stale).rejects.toMatchObject({ status: 412, details: { version: 2 } });
    await expect(within((db) => change(db.note, note.id, { position: 2 }), elsewhere)).rejects.toEqual(NotFound);
    expect(await within((db) => find(db.note, note.id))).toMatchObject({ position: 1, version: 2 });
  });

  test('is updated by one of many callers with the same version', async () => {
    const note = await create();
    const outcomes = await runConcurrently(20, (turn) =>
      within((db) => change(db.note, note.id, { position: turn }, 1)).then(
        () => 'changed',
        (error: { code: string }) => error.code,
      ),
    );
    expect(outcomes.toSorted((one, other) => one.localeCompare(other))).toEqual([
      'changed',
      ...Array(19).fill('stale'),
    ]);
  });

  test('is deleted once, only from its own workspace', async () => {
    const note = await create();
    await expect(within((db) => remove(db.note, note.id), elsewhere)).rejects.toEqual(NotFound);
    expect(await within((db) => remove(db.note, note.id))).toEqual({ id: note.id });
    await expect(within((db) => remove(db.note, note.id))).rejects.toEqual(NotFound);
  });
});

/** Two actions lead to `gone`, and `done` can be reopened. */
const states = lifecycle(
  'note',
  {
    open: { finish: 'done', drop: 'gone' },
    done: { reopen: 'open', drop: 'gone' },
    gone: {},
  },
  { actions: { finish: 'note.finish', drop: 'note.drop', reopen: 'note.reopen' } },
);
const move = (id: string, action: 'finish' | 'drop' | 'reopen', patch?: object, context = at) =>
  within((db) => states.move(db.note, id, action, patch), context);
const statusOf = async (id: string) => (await within((db) => find(db.note, id))).status;

describe('a lifecycle', () => {
  test('has the expected actions in each state', () => {
    expect(states.states).toEqual(['open', 'done', 'gone']);
    expect(states.allowed('open')).toEqual(['finish', 'drop']);
    expect(states.allowed('gone')).toEqual([]);
    expect(states.allowed('nowhere')).toEqual([]);
    expect(noteStates).toMatchObject({ noun: 'note', table: { open: { finish: 'done' } } });
  });

  test('moves a row from every state with the verb, together with other columns', async () => {
    const [open, done] = [await create(), await create({ status: 'done' })];
    expect([await move(open.id, 'drop', { position: 5 }), await move(done.id, 'drop')]).toEqual([true, true]);
    expect(await within((db) => find(db.note, open.id))).toMatchObject({ status: 'gone', position: 5, version: 2 });
    expect(await statusOf(done.id)).toBe('gone');
  });

  test('does nothing if the row is already in the target state', async () => {
    const note = await create({ status: 'done' });
    expect(await move(note.id, 'finish', { position: 5 })).toBe(false);
    expect(await within((db) => find(db.note, note.id))).toMatchObject({ position: 0, version: 1 });
  });

  test('rejects a verb that the state does not allow, and lists the allowed ones', async () => {
    const [open, gone] = [await create(), await create({ status: 'gone' })];
    await expect(move(gone.id, 'finish')).rejects.toMatchObject({
      status: 409,
      code: 'invalid_transition',
      details: { from: 'gone', action: 'finish', allowed: [] },
    });
    await within((db) => change(db.note, open.id, { status: 'unheard of' }));
    await expect(move(open.id, 'drop')).rejects.toMatchObject({ details: { from: 'unheard of', allowed: [] } });
  });

  test('does not find rows of other workspaces', async () => {
    const note = await create();
    await expect(move(note.id, 'finish', {}, elsewhere)).rejects.toEqual(NotFound);
    expect(await statusOf(note.id)).toBe('open');
  });

  test('lets one of many concurrent moves win', async () => {
    const note = await create();
    const moves = await runConcurrently(30, (turn) =>
      move(note.id, turn % 2 ? 'finish' : 'drop').catch(() => 'refused'),
    );
    const won = moves.filter((moved) => moved === true).length;
    // A finished note can still be dropped. A dropped note cannot be finished.
    expect({ won, status: await statusOf(note.id) }).toEqual({ won: expect.any(Number), status: 'gone' });
    expect([1, 2]).toContain(won);
  });
});

test('a field of a page is filled with one look-up, or none without references', async () => {
  const asked: string[][] = [];
  const owner = one('owner_id', async (ids) => {
    asked.push(ids);
    return [{ id: 'a', name: 'Ada' }];
  });
  const rows: Record<string, unknown>[] = [
    { owner_id: 'a' },
    { owner_id: null },
    { owner_id: 'gone' },
    { owner_id: 'a' },
  ];
  await owner(rows, 'owner');
  await owner([{ owner_id: null }], 'owner');
  expect(asked).toEqual([['a', 'gone']]);
  expect(rows.map(({ owner: found }) => found)).toEqual([
    { id: 'a', name: 'Ada' },
    null,
    null,
    { id: 'a', name: 'Ada' },
  ]);
});

test("finds the violated constraint in Prisma's own errors", async () => {
  const { title } = await create();
  await within(async (db) => {
    const refused = await withSavepoint(() => db.note.create({ data: { title } })).catch((error: unknown) => error);
    expect(violatedConstraint(refused)).toBe('notes_title_key');
    expect(refused).toMatchObject({ status: 409, errors: { title: [expect.any(String)] } });
    const raw = await db.note.findMany({ where: { title } });
    expect(raw).toHaveLength(1);
  });
});
