import { beforeAll, expect, test } from '@jest/globals';
import { openSupport, type Office } from '../../../test/fixture.ts';

const { office: openOffice, violations } = await openSupport();
const base = '/api/support-ticket';
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});

test('a new workspace has four categories and three canned replies', async () => {
  const { owner } = office;
  const readByName = async (path: string, field: string) =>
    (await owner.get(path)).body.data.map((row: Record<string, string>) => row[field]);
  expect(new Set(await readByName(`${base}/categories`, 'name'))).toEqual(
    new Set(['Billing', 'Feature request', 'General', 'Technical']),
  );
  expect(new Set(await readByName(`${base}/canned-replies`, 'title'))).toEqual(
    new Set(['Need more information', 'Received', 'Resolved']),
  );
});

test('a category has a unique name and can be deleted only if it is unused', async () => {
  const { owner } = office;
  const create = (name: string) => owner.post(`${base}/category/store`, { name, color: '#112233' });
  const [wheels, frames] = [(await create('Wheels')).body.data, (await create('Frames')).body.data];
  expect(await create('wheels')).toMatchObject({ status: 409, body: { code: 'already_exists' } });
  const requester = { name: 'Rita', email: 'rita@example.com' };
  const ticket = { subject: 'Help', description: 'Please.', requester, category_id: wheels.id };
  const { id } = (await owner.post(`${base}/ticket/store`, ticket)).body.data;
  const remove = (move_to?: string) =>
    owner.post(`${base}/category/delete/${wheels.id}`, { ...(move_to && { move_to }) });
  expect(await remove()).toMatchObject({ status: 409, body: { code: 'in_use', details: { tickets: 1 } } });
  expect((await remove(wheels.id)).status).toBe(422);
  expect((await remove(crypto.randomUUID())).status).toBe(422);
  expect((await remove(frames.id)).status).toBe(200);
  expect((await owner.get(`${base}/ticket/show/${id}`)).body.data).toMatchObject({ category_id: frames.id });
  expect(await violations(office)).toEqual([]);
});

test('only agents who see all tickets can change categories, which assign tickets', async () => {
  const own = office.member({
    can: ['ticket.view', 'ticket.update', 'ticket.reply'],
    record_scopes: { ticket: 'own' },
  });
  const [{ id }] = (await own.get(`${base}/categories`)).body.data;
  const replies = [
    await own.post(`${base}/category/store`, { name: 'Mine', color: '#112233' }),
    await own.post(`${base}/category/update/${id}`, { default_assignee: own.caller.user_id }),
    await own.post(`${base}/category/delete/${id}`, {}),
  ];
  for (const reply of replies) expect(reply).toMatchObject({ status: 403, body: { code: 'agents_only' } });
});

test('requesters see category names, but not the assigned agents', async () => {
  const client = office.member({ kind: 'client' });
  const { data } = (await client.get(`${base}/categories`)).body;
  expect(data[0]).toHaveProperty('name');
  expect(data[0]).not.toHaveProperty('default_assignee');
  expect((await client.get(`${base}/canned-replies`)).body.data).toEqual([]);
});

test('a canned reply checks its variables and is shown filled in', async () => {
  const { owner } = office;
  const create = (body: string) => owner.post(`${base}/canned-reply/store`, { title: 'Hello', body });
  const wrong = await create('{{requester.age}}');
  expect([wrong.status, Object.keys(wrong.body.errors)]).toEqual([422, ['body']]);
  const canned = (await create('Dear {{requester.first_name}}, {{ticket.number}}{{workspace.name}}')).body.data;
  const requester = { name: 'Rita Requester', email: 'rita@example.com' };
  const ticket = { subject: 'Help', description: 'Please.', requester };
  const { id, number } = (await owner.post(`${base}/ticket/store`, ticket)).body.data;
  const { body } = await owner.post(`${base}/canned-reply/preview/${canned.id}`, { ticket_id: id });
  expect(body.data).toEqual({ id: canned.id, body: `Dear Rita, ${number}` });
});

test('settings require workspace.update and the current version', async () => {
  const { owner } = office;
  const { version } = (await owner.get(`${base}/settings`)).body.data;
  const update = (body: object) => owner.post(`${base}/settings/update`, body);
  expect((await update({ reopen_days: 3, version })).body.data).toMatchObject({ reopen_days: 3 });
  expect(await update({ reopen_days: 4, version })).toMatchObject({ status: 412 });
  for (const [field, value] of [
    ['reopen_days', -1],
    ['token_days', 0],
    ['survey_delay_hours', 721],
  ] as const)
    expect(Object.keys((await update({ [field]: value })).body.errors)).toEqual([field]);
  expect((await office.member({ can: ['ticket.update'] }).get(`${base}/settings`)).status).toBe(403);
});
