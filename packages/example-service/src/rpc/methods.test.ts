import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { connectRpc } from '@suite/chassis/testing';
import { keysOf, methodConformance, forwardedCaller, start } from '@suite/testing';
import { NotebookServiceDefinition } from '@suite/proto/notebook/v1/notebook';
import { notebook } from '../notebook.ts';
import { notebookRpc } from './notebook.rpc.ts';

const serving = await start(notebook);
const address = `127.0.0.1:${serving.grpc_port}`;
const rpc = connectRpc({ notebook: { definition: NotebookServiceDefinition, address } }, keysOf('crm'));
afterAll(() => rpc.close());

methodConformance({ name: 'notebook', serving, served: notebookRpc, idempotent: {} });

test('returns only the notes that the caller may see', async () => {
  const kim = serving.member({ can: ['note.view', 'note.create'] });
  const { id } = (await kim.post('/api/note/create', { title: 'Milk' })).body.data;
  const stranger = serving.member({ can: ['note.view'] });
  const ask = (caller: typeof kim.caller) =>
    rpc.as(forwardedCaller('crm', caller), randomUUID()).notebook.batchGetNotes({ note_ids: [id] });
  expect(await ask(kim.caller)).toEqual({ notes: [{ note_id: id, title: 'Milk', status: 'open' }] });
  expect(await ask(stranger.caller)).toEqual({ notes: [] });
});
