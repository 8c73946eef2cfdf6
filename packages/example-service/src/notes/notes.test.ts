import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, start, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { notebook } from '../notebook.ts';

const serving = await start(notebook);
let kim: Member;
beforeEach(() => {
  kim = serving.member({ can: ['note.view', 'note.create', 'note.update', 'note.delete'] });
});

const create = async (body: object = {}) => (await kim.post('/api/note/create', { title: 'Milk', ...body })).body.data;
const show = async (id: string, by = kim) => (await by.get(`/api/note/show/${id}`)).body.data;
const eventsOf = (id: string) => eventTypesOf(serving, id);

describe('a note', () => {
  test('is created with its pages, and emits an event', async () => {
    const note = await create({ amount: '2.5', due: '2026-12-01', pages: [{ text: 'Two bottles.' }] });
    expect(note).toMatchObject({ title: 'Milk', amount: '2.50', due: '2026-12-01', status: 'open' });
    expect(await show(note.id)).toMatchObject({ pages: [{ text: 'Two bottles.' }] });
    expect(await eventsOf(note.id)).toEqual(['notebook.note.created']);
  });

  test('is updated field by field', async () => {
    const note = await create({ amount: '2.5', due: '2026-12-01' });
    const changed = await kim.post(`/api/note/update/${note.id}`, { position: 3, due: null, version: 1 });
    expect(changed.body.data).toMatchObject({ title: 'Milk', amount: '2.50', due: null, position: 3, version: 2 });
  });

  test('is finished once, regardless of repeated attempts', async () => {
    const { id } = await create();
    const replies = await runConcurrently(50, () => kim.post(`/api/note/finish/${id}`));
    expect(sortedStatuses(replies)).toEqual(Array(50).fill(200));
    expect(await show(id)).toMatchObject({ status: 'done', version: 2 });
    expect(await eventsOf(id)).toEqual(['notebook.note.created', 'notebook.note.finished']);
  });

  test('stays unchanged after it is finished, until it is reopened', async () => {
    const { id } = await create();
    await kim.post(`/api/note/finish/${id}`);
    const change = () => kim.post(`/api/note/update/${id}`, { title: 'Oat milk' });
    const addPage = () => kim.post('/api/page/create', { note_id: id, text: 'Two bottles.' });
    for (const refused of [await change(), await addPage()])
      expect(refused).toMatchObject({ status: 409, body: { code: 'note_is_done' } });
    await kim.post(`/api/note/reopen/${id}`);
    expect(sortedStatuses([await change(), await addPage()])).toEqual([200, 201]);
  });

  test('is deleted unless it has pages', async () => {
    const [bare, written] = [await create(), await create({ title: 'Bread', pages: [{ text: 'Rye.' }] })];
    const remove = ({ id }: { id: string }) => kim.delete(`/api/note/delete/${id}`);
    expect(sortedStatuses([await remove(bare), await remove(written)])).toEqual([200, 409]);
  });

  test('is visible to clients when it is done', async () => {
    const { id } = await create();
    const { workspace_id: workspace } = kim.caller;
    const client = serving.member({ kind: 'client', can: ['note.view'], workspace });
    expect((await client.get('/api/notes')).body.data).toEqual([]);
    await kim.post(`/api/note/finish/${id}`);
    expect((await client.get('/api/notes')).body.data).toMatchObject([{ id }]);
  });
});
