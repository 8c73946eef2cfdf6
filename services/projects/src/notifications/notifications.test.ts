import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, stillClock, together } from '@suite/testing';
import { type Office, openProjects } from '../../test/fixture.ts';
import { mailbox } from '../../test/mailbox.ts';
import { type MadeProject, makeProject } from '../../test/project.ts';

const { serving, platform, office: openOffice } = await openProjects();
const { deliver } = mailbox(serving.tools);

let office: Office;
let project: MadeProject;
let grace: Member;
let viewer: Member;
let client: Member;
let outsider: Member;
beforeEach(async () => {
  office = await openOffice();
  const own = { record_scopes: { project: 'own' } } as const;
  grace = office.member({ name: 'Grace', ...own });
  viewer = office.member({ name: 'Vera', ...own });
  outsider = office.member({ name: 'Otto', ...own });
  client = office.member({ kind: 'client', name: 'Carl', can: ['project.view', 'task.view'] });
  const members = [[grace, 'member'] as [Member, 'member'], [viewer, 'viewer'] as [Member, 'viewer']];
  project = await makeProject(serving, office, { members, clients: [client] });
});

const idOf = ({ caller }: Member) => caller.user_id;
const addressOf = (who: Member) => platform.residents.get(idOf(who))!.email;
const create = async (body: object = {}, by: Member = office.owner) => {
  const reply = await by.post(`/api/project/${project.id}/task/create`, { title: 'Draw the page', ...body });
  expect(reply.status).toBe(201);
  return reply.body.data as { id: string; key: string };
};
const update = (id: string, body: object, by: Member = office.owner) =>
  by.post(`/api/project/${project.id}/task/update/${id}`, body);
const comment = async (id: string, body: object, by: Member = office.owner) =>
  (await by.post(`/api/project/task/${id}/comment/create`, body)).body.data as { id: string };
const choose = (by: Member, body: object) => by.post('/api/project/notification-settings', body);
const mention = (who: Member) => `@{${idOf(who)}}`;
const limit = (rights: object) =>
  platform.rights.set(idOf(grace), { ...(platform.rights.get(idOf(grace)) as object), ...rights });
const recipients = async () => (await deliver()).map(({ to }) => to).toSorted();

describe('somebody who is assigned', () => {
  test('is told at once, by one mail, and nobody is told of what he did himself', async () => {
    const { key } = await create({ assignee_ids: [idOf(grace), idOf(office.owner)] });
    const [mail, ...more] = await deliver();
    expect(more).toEqual([]);
    expect(mail!.to).toBe(addressOf(grace));
    expect(mail!.text).toContain(`Subject: [${key}] Kim Example assigned you: Draw the page`);
    expect(mail!.text).toContain('Auto-Submitted: auto-generated');
    expect(await deliver()).toEqual([]);
  });

  test('is told when it happens by a change, and not again by the next one', async () => {
    const { id } = await create();
    await update(id, { assignee_ids: [idOf(grace)] });
    await update(id, { assignee_ids: [idOf(grace)], title: 'Draw both pages' });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('Draw both pages')]);
  });

  test.each([
    ['is taken off it again', (id: string) => update(id, { assignee_ids: [] })],
    ['has left the project', async () => leave(grace)],
    ['may see no tasks any more', async () => limit({ permissions: ['project.view'] })],
    [
      'may not sign in any more',
      async () => Object.assign(platform.residents.get(idOf(grace))!, { status: 'disabled' }),
    ],
    ['has lost the module', async () => limit({ modules: ['crm'] })],
  ])('is told nothing when he %s before the mail is sent', async (_, happens) => {
    const { id } = await create({ assignee_ids: [idOf(grace)] });
    await happens(id);
    expect(await deliver()).toEqual([]);
    const mails = await serving.sql`SELECT delivery FROM mails WHERE workspace_id = ${office.workspace}`;
    expect(mails).toEqual([{ delivery: 'dropped' }]);
  });

  test('gets the mail later when platform cannot be asked, or the mail is not accepted', async () => {
    const still = stillClock('2040-01-02T12:00:00Z');
    await create({ assignee_ids: [idOf(grace)] });
    const rights = platform.rights.get(idOf(grace))!;
    platform.rights.set(idOf(grace), 'down');
    expect(await deliver()).toEqual([]);
    platform.rights.set(idOf(grace), rights);
    expect(await deliver()).toEqual([]);
    still.goTo('2040-01-02T12:01:00Z');
    expect(await recipients()).toEqual([addressOf(grace)]);
  });
});

const leave = async (who: Member) => {
  const { members } = (await office.owner.get(`/api/project/show/${project.id}`)).body.data;
  const row = members.find(({ user_id }: { user_id: string }) => user_id === idOf(who));
  expect((await office.owner.delete(`/api/project/member/delete/${row.id}`)).status).toBe(200);
};

describe('somebody who is mentioned', () => {
  test('is told at once, in comments and descriptions, when he may see it', async () => {
    const description = `For ${mention(grace)}, ${mention(outsider)}, @{${randomUUID()}} and ${mention(client)}`;
    const { id } = await create({ description });
    expect(await recipients()).toEqual([addressOf(grace)]);
    await comment(id, { body: `Well, ${mention(viewer)}?` });
    const [mail] = await deliver();
    expect(mail!.to).toBe(addressOf(viewer));
    expect(mail!.text).toContain('> Well,');
  });

  test('is told of a mention that is added later, once', async () => {
    const { id } = await create({ description: 'For all' });
    await update(id, { description: `For ${mention(grace)}` });
    await update(id, { description: `For ${mention(grace)} alone` });
    const said = await comment(id, { body: 'Hello' });
    for (const body of ['Hello', `Hello ${mention(viewer)}`, `Hello, ${mention(viewer)}`])
      await office.owner.post(`/api/project/comment/update/${said.id}`, { body });
    expect(await recipients()).toEqual([addressOf(grace), addressOf(viewer)].toSorted());
  });

  test('is told nothing of a comment that was deleted before the mail was sent', async () => {
    const { id } = await create();
    const { id: said } = await comment(id, { body: mention(grace) });
    await office.owner.delete(`/api/project/task/comment/delete/${said}`);
    expect(await deliver()).toEqual([]);
  });

  test('hears of a comment once, though he watches too', async () => {
    await choose(grace, { comment: 'at_once' });
    const { id } = await create({}, grace);
    await comment(id, { body: mention(grace) });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('mentioned you')]);
    await choose(grace, { mention: 'none' });
    await comment(id, { body: mention(grace) });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('commented')]);
  });
});

describe('watchers', () => {
  beforeEach(async () => {
    for (const who of [grace, client]) await choose(who, { comment: 'at_once' });
  });

  test('are told of comments, but for their own and those that they may not see', async () => {
    const { id } = await create({ client_visible: true }, grace);
    await comment(id, { body: 'May I?' }, client);
    expect(await recipients()).toEqual([addressOf(grace)]);
    await comment(id, { body: 'Too dear for us', visibility: 'team' });
    const [internal, ...more] = await deliver();
    expect([internal!.to, more]).toEqual([addressOf(grace), []]);
    await comment(id, { body: 'Of course', visibility: 'client' });
    expect(await recipients()).toEqual([addressOf(client), addressOf(grace)].toSorted());
    await update(id, { client_visible: false });
    await comment(id, { body: 'And more', visibility: 'client' });
    expect(await recipients()).toEqual([addressOf(grace)]);
  });

  test('are told nothing more when they watch no longer, also of what was said before', async () => {
    const { id } = await create({}, grace);
    await comment(id, { body: 'Hello' });
    await grace.post(`/api/project/task/watch/${id}`, { watching: false });
    await comment(id, { body: 'Hello?' });
    expect(await deliver()).toEqual([]);
  });
});

describe('the settings', () => {
  const usual = { assignment: 'at_once', mention: 'at_once', comment: 'daily', due: 'daily' };

  test("are each user's own, the usual ones at first", async () => {
    expect((await grace.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
    expect((await choose(grace, { due: 'none', version: 1 })).body.data).toEqual({ ...usual, due: 'none', version: 2 });
    expect((await choose(grace, { due: 'none' })).body.data).toMatchObject({ version: 2 });
    expect(await choose(grace, { due: 'daily', version: 1 })).toMatchObject({ status: 412 });
    expect((await viewer.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
    expect((await client.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
  });

  test.each([
    ['comment', 'weekly'],
    ['due', null],
    ['user_id', randomUUID()],
  ])('refuse %s = %j', async (field, value) => {
    const reply = await choose(grace, { [field]: value });
    expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('changed by many at once are one row', async () => {
    await together(20, (nth) => choose(grace, { comment: nth % 2 ? 'none' : 'at_once' }));
    const rows = await serving.sql`SELECT user_id FROM notification_settings WHERE workspace_id = ${office.workspace}`;
    expect(rows).toEqual([{ user_id: idOf(grace) }]);
  });
});

describe('a client who has an account', () => {
  const invite = (body: object) => office.owner.post('/api/project/client/invite', { project_id: project.id, ...body });

  test('is told of the invitation once', async () => {
    const other = office.member({ kind: 'client', name: 'Cleo', can: ['project.view'] });
    expect((await invite({ client_id: idOf(other) })).status).toBe(201);
    expect((await invite({ client_id: idOf(other) })).status).toBe(200);
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(other), []]);
    expect(mail!.text).toContain(`you can follow the project "Project ${project.code}" now`);
  });

  test('is told nothing of an invitation that was taken back', async () => {
    const other = office.member({ kind: 'client', name: 'Cleo', can: ['project.view'] });
    const clients = (await invite({ client_id: idOf(other) })).body.data;
    const row = clients.find(({ user_id }: { user_id: string }) => user_id === idOf(other));
    await office.owner.delete(`/api/project/client/delete/${row.id}`);
    expect(await deliver()).toEqual([]);
  });
});
