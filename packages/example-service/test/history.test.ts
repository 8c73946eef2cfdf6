import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { RecordServiceDefinition } from '@suite/proto/records/v1/records';
import { forwardedCaller, keysOf, start } from '@suite/testing';
import { notebook } from '../src/notebook.ts';

const serving = await start(notebook);
const address = `127.0.0.1:${serving.grpc_port}`;
const rpc = connectRpc({ 'notebook.records': { definition: RecordServiceDefinition, address } }, keysOf('platform'));
afterAll(() => rpc.close());

type Member = ReturnType<typeof serving.member>;

const RIGHTS = ['note.create', 'note.view', 'note.update', 'note.delete'];
const workspace = randomUUID();
const kim = serving.member({ can: RIGHTS, workspace });

/** Requests the changes of a note. */
function historyOf(member: Member, record_id: string, changed: object = {}) {
  const { 'notebook.records': records } = rpc.as(forwardedCaller('platform', member.caller), randomUUID());
  return records.listChanges({ record_type: 'notebook.note', record_id, offset: 0, limit: 20, ...changed });
}

const fieldsOf = ({ fields }: Awaited<ReturnType<typeof historyOf>>['changes'][number]) =>
  Object.fromEntries(
    fields.map(({ field, old_json, new_json }) => [
      field,
      [old_json, new_json].map((text) => text && JSON.parse(text)),
    ]),
  );

async function createNote(fields: object = {}): Promise<string> {
  return (await kim.post('/api/note/create', { title: randomUUID(), ...fields })).body.data.id;
}

describe('the history of a record', () => {
  test('has each change with its author, operation and fields, the newest first', async () => {
    const id = await createNote({ title: 'Milk', amount: '999999999999999.1234' });
    await kim.post(`/api/note/update/${id}`, { title: 'Bread', due: '2026-12-24' });
    const { changes, total } = await historyOf(kim, id);
    expect(total).toBe(2);
    expect(changes).toMatchObject([
      { action: 'updated', user_id: kim.caller.user_id, operation: 'notes.update' },
      { action: 'created', user_id: kim.caller.user_id, operation: 'notes.create' },
    ]);
    expect(changes[0]?.request_id).toEqual(expect.any(String));
    expect(fieldsOf(changes[0]!)).toEqual({ title: ['Milk', 'Bread'], due: [null, '2026-12-24'] });
    expect(fieldsOf(changes[1]!)).toMatchObject({
      title: [undefined, 'Milk'],
      amount: [undefined, '999999999999999.1234'],
      status: [undefined, 'open'],
    });
  });

  test('contains neither columns that responses lack, nor columns that always change', async () => {
    const id = await createNote();
    const { changes } = await historyOf(kim, id);
    const names = Object.keys(fieldsOf(changes[0]!));
    for (const name of ['workspace_id', 'search', 'version', 'updated_at', 'id']) expect(names).not.toContain(name);
  });

  test('is divided into pages', async () => {
    const id = await createNote();
    for (const title of ['a', 'b', 'c']) await kim.post(`/api/note/update/${id}`, { title: `${title} ${id}` });
    const first = await historyOf(kim, id, { limit: 3 });
    const rest = await historyOf(kim, id, { limit: 3, offset: 3 });
    expect([first.changes.length, first.total, rest.changes.length, rest.total]).toEqual([3, 4, 1, 4]);
    expect(rest.changes[0]?.action).toBe('created');
    expect(new Set([...first.changes, ...rest.changes].map((change) => change.id)).size).toBe(4);
  });

  test('shows a deleted record to callers who saw it', async () => {
    const id = await createNote();
    expect((await kim.delete(`/api/note/delete/${id}`)).status).toBe(200);
    const { changes } = await historyOf(kim, id);
    expect(changes.map(({ action }) => action)).toEqual(['deleted', 'created']);
    expect(fieldsOf(changes[0]!)).toMatchObject({ status: ['open', undefined] });
    const own = serving.member({ can: RIGHTS, workspace, record_scopes: { note: 'own' } });
    const theirs = (await own.post('/api/note/create', { title: randomUUID() })).body.data.id;
    await own.delete(`/api/note/delete/${theirs}`);
    expect((await historyOf(own, theirs)).total).toBe(2);
    await expect(historyOf(own, id)).rejects.toMatchObject({ status: 404 });
  });
});

describe('the history of a record for a caller', () => {
  test('is 404 for a hidden record, as for an unknown one', async () => {
    const id = await createNote();
    const limited = serving.member({ can: RIGHTS, workspace, record_scopes: { note: 'own' } });
    const neighbour = serving.member({ can: RIGHTS });
    for (const stranger of [limited, neighbour])
      await expect(historyOf(stranger, id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(historyOf(kim, randomUUID())).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('is 403 without the permission or the module', async () => {
    const id = await createNote();
    const unable = serving.member({ can: ['note.create'], workspace });
    await expect(historyOf(unable, id)).rejects.toMatchObject({ status: 403, code: 'forbidden' });
    const unplanned = serving.member({ can: RIGHTS, workspace, modules: [] });
    await expect(historyOf(unplanned, id)).rejects.toMatchObject({ status: 403, code: 'module_disabled' });
  });

  test('lists the types of the service for a wrong one', async () => {
    await expect(historyOf(kim, randomUUID(), { record_type: 'notebook.page' })).rejects.toMatchObject({
      status: 422,
      errors: { record_type: ['Use one of these types: notebook.note.'] },
    });
  });
});
