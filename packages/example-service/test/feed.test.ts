import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { type FeedPlace, type NewChange, RecordServiceDefinition } from '@suite/proto/records/v1/records';
import { forwardedCaller, keysOf, start } from '@suite/testing';
import { waitUntil } from '@suite/testing/waiting';
import { notebook } from '../src/notebook.ts';

const serving = await start(notebook);
const address = `127.0.0.1:${serving.grpc_port}`;
const rpc = connectRpc({ 'notebook.records': { definition: RecordServiceDefinition, address } }, keysOf('platform'));
afterAll(() => rpc.close());

type Member = ReturnType<typeof serving.member>;

const RIGHTS = ['note.create', 'note.view', 'note.update', 'note.delete'];
const memberOf = (workspace: string, rights: object = {}) => serving.member({ can: RIGHTS, workspace, ...rights });
const recordsFor = (member: Member) =>
  rpc.as(forwardedCaller('platform', member.caller), randomUUID())['notebook.records'];

async function createNote(member: Member, fields: object = {}): Promise<string> {
  return (await member.post('/api/note/create', { title: randomUUID(), ...fields })).body.data.id;
}

/** Reads all changes after a place, in batches. */
async function readAll(member: Member, start?: FeedPlace, limit = 100) {
  const changes: NewChange[] = [];
  let after = start;
  for (;;) {
    const batch = await recordsFor(member).listNewChanges({ after, limit });
    changes.push(...batch.changes);
    after = batch.next;
    if (!batch.has_more) return { changes, place: after };
  }
}

/** Reads changes until there are this many: transactions of other tests on the same server delay them. */
async function readUntil(member: Member, count: number, start?: FeedPlace, limit?: number) {
  let found = await readAll(member, start, limit);
  await waitUntil('the transactions before the changes have ended', async () => {
    found = await readAll(member, start, limit);
    return found.changes.length >= count;
  });
  return found;
}

/** Describes changes, with their records. */
async function described(member: Member, changes: readonly NewChange[]) {
  const reply = await recordsFor(member).describeChanges({
    changes: changes.map(({ at: _, action: __, ...change }) => change),
  });
  const order = new Map(changes.map(({ position, number, record_id }) => [`${position}.${number}`, record_id]));
  const byId = new Map(reply.changes.map(({ change }) => [change!.id, change!]));
  return [...order].flatMap(([id, record_id]) => {
    const change = byId.get(id);
    return change ? [{ ...change, record_id }] : [];
  });
}

describe('the new changes of a workspace', () => {
  test('are all its changes in their order, without changes of other workspaces', async () => {
    const kim = memberOf(randomUUID());
    const [first, second] = [await createNote(kim), await createNote(kim)];
    await createNote(memberOf(randomUUID()));
    await kim.post(`/api/note/update/${first}`, { title: 'Bread' });
    await kim.delete(`/api/note/delete/${second}`);
    const { changes } = await readUntil(kim, 4);
    expect(changes.map(({ record_id, action }) => [record_id, action])).toEqual([
      [first, 'created'],
      [second, 'created'],
      [first, 'updated'],
      [second, 'deleted'],
    ]);
    expect(new Set(changes.map(({ record_type }) => record_type))).toEqual(new Set(['notebook.note']));
  });

  test('continue after a place, also between batches of one command', async () => {
    const kim = memberOf(randomUUID());
    const ids = [await createNote(kim), await createNote(kim), await createNote(kim)];
    const { changes, place } = await readUntil(kim, 3, undefined, 1);
    expect(changes.map(({ record_id }) => record_id)).toEqual(ids);
    expect((await readAll(kim, place)).changes).toEqual([]);
    await kim.post(`/api/note/update/${ids[0]}`, { title: 'Bread' });
    expect((await readUntil(kim, 1, place)).changes).toMatchObject([{ record_id: ids[0], action: 'updated' }]);
  });

  test('continue after any change of a batch', async () => {
    const kim = memberOf(randomUUID());
    const ids = [await createNote(kim), await createNote(kim), await createNote(kim)];
    await readUntil(kim, 3);
    const { changes, here } = await recordsFor(kim).listNewChanges({ limit: 2 });
    const { changes: rest } = await readAll(kim, { ...here!, resume: changes[0]!.position });
    expect(rest.map(({ record_id }) => record_id)).toEqual(ids.slice(1));
  });

  test('include a transaction that ends after a later one', async () => {
    const workspace = randomUUID();
    const kim = memberOf(workspace);
    const slow = await serving.admin.connect();
    try {
      const before = await createNote(kim);
      await slow.query('BEGIN');
      await slow.query(`INSERT INTO notes (id, workspace_id, title) VALUES (gen_random_uuid(), $1, 'Slow')`, [
        workspace,
      ]);
      const after = await createNote(kim);
      const { changes, place } = await readUntil(kim, 1);
      expect(changes.map(({ record_id }) => record_id)).toEqual([before]);
      await slow.query('COMMIT');
      const late = await readUntil(kim, 2, place);
      expect(late.changes).toMatchObject([{ action: 'created' }, { record_id: after }]);
      expect((await readAll(kim, late.place)).changes).toEqual([]);
    } finally {
      slow.release();
    }
  });

  test('begin again after a restore', async () => {
    const kim = memberOf(randomUUID());
    const id = await createNote(kim);
    const { place } = await readUntil(kim, 1);
    const { changes } = await readAll(kim, { ...place!, epoch: String(Number(place!.epoch) + 1) });
    expect(changes.map(({ record_id }) => record_id)).toEqual([id]);
  });
});

describe('a described change', () => {
  test('has its author, operation and fields', async () => {
    const kim = memberOf(randomUUID());
    const id = await createNote(kim, { title: 'Milk' });
    await kim.post(`/api/note/update/${id}`, { title: 'Bread' });
    const [, updated] = await described(kim, (await readUntil(kim, 2)).changes);
    expect(updated).toMatchObject({
      action: 'updated',
      user_id: kim.caller.user_id,
      operation: 'notes.update',
      fields: [{ field: 'title', old_json: '"Milk"', new_json: '"Bread"' }],
    });
  });

  test('is missing for records that the caller never saw, and without the permission', async () => {
    const workspace = randomUUID();
    const kim = memberOf(workspace);
    await createNote(kim);
    const { changes } = await readUntil(kim, 1);
    const limited = memberOf(workspace, { record_scopes: { note: 'own' } });
    const unable = memberOf(workspace, { can: ['note.create'] });
    const unplanned = memberOf(workspace, { modules: [] });
    const neighbour = memberOf(randomUUID());
    for (const stranger of [limited, unable, unplanned, neighbour])
      expect(await described(stranger, changes)).toEqual([]);
  });

  test('shows the deletion of a record to callers who saw it', async () => {
    const workspace = randomUUID();
    const own = memberOf(workspace, { record_scopes: { note: 'own' } });
    const id = await createNote(own);
    await own.delete(`/api/note/delete/${id}`);
    const { changes } = await readUntil(own, 2);
    expect((await described(own, changes)).map(({ action }) => action)).toEqual(['created', 'deleted']);
    const other = memberOf(workspace, { record_scopes: { note: 'own' } });
    expect(await described(other, changes)).toEqual([]);
  });
});
