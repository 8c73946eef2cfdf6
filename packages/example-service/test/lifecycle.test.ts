import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type TransactionContext, type Database, type Sql, sql } from '@suite/chassis/database';
import { lifecycle } from '@suite/chassis/operations';
import { makeCaller, start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';
import type { Db } from '../src/operations.ts';

const service = await start(notebook);
const database = service.database as unknown as Database<Db>;
const workspace_id = randomUUID();
const at: TransactionContext = { workspace_id, caller: null, operation: 'test', request_id: 'test' };
const within = <T>(work: (db: Db) => Promise<T>) => database.write(at, work);
const create = (columns: { status?: string; due?: Date | null } = {}) =>
  within((db) => db.note.create({ data: { title: randomUUID(), ...columns } }));

/** A derived state, in addition to the states that a verb leads to. */
const followed = lifecycle(
  'note',
  { open: { finish: 'done' }, done: {}, shelved: {} },
  {
    actions: {
      finish: { permission: 'note.finish', unless: 'due' },
      update: { permission: 'note.update', in: ['open'] },
      drop: { permission: 'note.drop', if: ({ kind }, state) => kind === 'owner' || state === 'done' },
    },
    derived: { among: ['done', 'shelved'], from: 'where it lies' },
  },
);

describe('the actions of a lifecycle', () => {
  const kim = makeCaller({ workspace: workspace_id, can: ['note.finish', 'note.update', 'note.drop'] });
  const due = new Date('2026-01-01');
  const cases = [
    [{ status: 'open', due: null }, ['finish', 'update']],
    [{ status: 'open', due }, ['update']],
    [{ status: 'done', due: null }, ['drop']],
    [{ status: 'unheard of', due: null }, []],
  ] as const;

  test.each(cases)('are the actions that the row %j allows', async (row, actions) => {
    expect(followed.allowedTo(kim, row)).toEqual(actions);
    expect(followed.allowedTo(null, row)).toEqual([]);
    if (actions.length === 0) return;
    const { id } = await create(row);
    const [found] = await within((db) =>
      db.rows(sql`SELECT ${followed.shownTo(kim, 'notes')} AS actions FROM notes WHERE id = ${id}::uuid`),
    );
    expect(found).toEqual({ actions });
  });

  test('are rejected with the allowed actions if they are not allowed', () => {
    const row = { status: 'open', due };
    expect(() => followed.assertFits('update', row, kim)).not.toThrow();
    expect(() => followed.assertFits('finish', row, kim)).toThrow(
      expect.objectContaining({ details: { from: 'open', action: 'finish', allowed: ['update'] } }),
    );
  });
});

test('plain SQL moves rows by the lifecycle, and only among derived states', async () => {
  const [open, done] = [await create(), await create({ status: 'done' })];
  const { set, guard } = followed.moving('finish', 'note');
  const follow = followed.deriving(sql`'shelved'`, 'note');
  const ids = [open.id, done.id];
  const moved = (one: { set: Sql; guard: Sql }) =>
    within((db) =>
      db.rows(sql`
        UPDATE notes AS note SET ${one.set} WHERE id = ANY(${ids}::uuid[]) AND ${one.guard} RETURNING id, status`),
    );
  expect(await moved(follow)).toEqual([{ id: done.id, status: 'shelved' }]);
  expect(await moved({ set, guard })).toEqual([{ id: open.id, status: 'done' }]);
  expect(await moved({ set, guard })).toEqual([]);
});
