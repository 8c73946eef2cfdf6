import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, setUpFixture, freezeClock, runConcurrently } from '@suite/testing';
import { openProjects } from '../../../test/fixture.ts';
import { idOf, notifiedTeam } from '../../../test/notified-team.ts';
import { makeProject } from '../../../test/project.ts';

const fixture = await openProjects();
const { serving, platform } = fixture;
const set = setUpFixture(async () => {
  const office = await fixture.office();
  const own = { record_scopes: { project: 'own' } } as const;
  const grace = office.member({ name: 'Grace', ...own });
  const viewer = office.member({ name: 'Vera', ...own });
  const outsider = office.member({ name: 'Otto', ...own });
  const client = office.member({ kind: 'client', name: 'Carl', can: ['project.view', 'task.view'] });
  const members = [[grace, 'member'] as [Member, 'member'], [viewer, 'viewer'] as [Member, 'viewer']];
  const project = await makeProject(serving, office, { members, clients: [client] });
  return { office, grace, viewer, outsider, client, project };
});
const { deliver, addressOf, create, update, comment, choose, recipients } = notifiedTeam(fixture, set);
const mention = (who: Member) => `@{${idOf(who)}}`;
const limit = (rights: object) =>
  platform.rights.set(idOf(set.grace), { ...(platform.rights.get(idOf(set.grace)) as object), ...rights });

describe('an assigned user', () => {
  test('is notified immediately by one e-mail, but not of own actions', async () => {
    const { key } = await create({ assignee_ids: [idOf(set.grace), idOf(set.office.owner)] });
    const [mail, ...more] = await deliver();
    expect(more).toEqual([]);
    expect(mail!.to).toBe(addressOf(set.grace));
    expect(mail!.text).toContain(`Subject: [${key}] Kim Example assigned this to you: Draw the page`);
    expect(mail!.text).toContain('Auto-Submitted: auto-generated');
    expect(await deliver()).toEqual([]);
  });

  test('is notified when assigned by an update, and not again by the next one', async () => {
    const { id } = await create();
    await update(id, { assignee_ids: [idOf(set.grace)] });
    await update(id, { assignee_ids: [idOf(set.grace)], title: 'Draw both pages' });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('Draw both pages')]);
  });

  test.each([
    ['is taken off it again', (id: string) => update(id, { assignee_ids: [] })],
    ['has left the project', async () => removeFromProject(set.grace)],
    ['may no longer see tasks', async () => limit({ permissions: ['project.view'] })],
    [
      'may no longer sign in',
      async () => Object.assign(platform.residents.get(idOf(set.grace))!, { status: 'disabled' }),
    ],
    ['has lost the module', async () => limit({ modules: ['crm'] })],
  ])('gets no e-mail when the user %s before it is sent', async (_, happens) => {
    const { id } = await create({ assignee_ids: [idOf(set.grace)] });
    await happens(id);
    expect(await deliver()).toEqual([]);
    const mails = await serving.sql`SELECT delivery FROM mails WHERE workspace_id = ${set.office.workspace}`;
    expect(mails).toEqual([{ delivery: 'dropped' }]);
  });

  test('gets the e-mail later if platform is down or the e-mail is not accepted', async () => {
    const still = freezeClock('2040-01-02T12:00:00Z');
    await create({ assignee_ids: [idOf(set.grace)] });
    const rights = platform.rights.get(idOf(set.grace))!;
    platform.rights.set(idOf(set.grace), 'down');
    expect(await deliver()).toEqual([]);
    platform.rights.set(idOf(set.grace), rights);
    expect(await deliver()).toEqual([]);
    still.goTo('2040-01-02T12:01:00Z');
    expect(await recipients()).toEqual([addressOf(set.grace)]);
  });
});

const removeFromProject = async (who: Member) => {
  const { members } = (await set.office.owner.get(`/api/project/show/${set.project.id}`)).body.data;
  const row = members.find(({ user_id }: { user_id: string }) => user_id === idOf(who));
  expect((await set.office.owner.delete(`/api/project/member/delete/${row.id}`)).status).toBe(200);
};

describe('a mentioned user', () => {
  test('is notified immediately of visible mentions in comments and descriptions', async () => {
    const description = `For ${mention(set.grace)}, ${mention(set.outsider)}, @{${randomUUID()}} and ${mention(set.client)}`;
    const { id } = await create({ description });
    expect(await recipients()).toEqual([addressOf(set.grace)]);
    await comment(id, { body: `Well, ${mention(set.viewer)}?` });
    const [mail] = await deliver();
    expect(mail!.to).toBe(addressOf(set.viewer));
    expect(mail!.text).toContain('> Well,');
  });

  test('sees names in the e-mail, and responses list the mentioned users', async () => {
    const { id } = await create();
    const unknown = randomUUID();
    const created = await comment(id, { body: `look ${mention(set.viewer)} and @{${unknown}}` });
    const { mentions } = created as unknown as { mentions: [{ name: string }] };
    expect(mentions).toEqual([{ id: idOf(set.viewer), name: expect.any(String), kind: expect.any(String) }]);
    const [mail] = await deliver();
    expect(mail!.text).toContain(`> look @${mentions[0].name} and @{${unknown}}`);
  });

  test('is notified once of a mention that is added later', async () => {
    const { id } = await create({ description: 'For all' });
    await update(id, { description: `For ${mention(set.grace)}` });
    await update(id, { description: `For ${mention(set.grace)} alone` });
    const commentId = await comment(id, { body: 'Hello' });
    for (const body of ['Hello', `Hello ${mention(set.viewer)}`, `Hello, ${mention(set.viewer)}`])
      await set.office.owner.post(`/api/project/comment/update/${commentId.id}`, { body });
    expect(await recipients()).toEqual([addressOf(set.grace), addressOf(set.viewer)].toSorted());
  });

  test('is not notified of a comment that was deleted before the e-mail was sent', async () => {
    const { id } = await create();
    const { id: commentId } = await comment(id, { body: mention(set.grace) });
    await set.office.owner.delete(`/api/project/task/comment/delete/${commentId}`);
    expect(await deliver()).toEqual([]);
  });

  test('is notified of a comment once, even if also watching', async () => {
    await choose(set.grace, { comment: 'at_once' });
    const { id } = await create({}, set.grace);
    await comment(id, { body: mention(set.grace) });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('mentioned you')]);
    await choose(set.grace, { mention: 'none' });
    await comment(id, { body: mention(set.grace) });
    expect((await deliver()).map(({ text }) => text)).toEqual([expect.stringContaining('commented')]);
  });
});

describe('watchers', () => {
  beforeEach(async () => {
    for (const who of [set.grace, set.client]) await choose(who, { comment: 'at_once' });
  });

  test('are notified of comments, except their own and hidden ones', async () => {
    const { id } = await create({ client_visible: true }, set.grace);
    await comment(id, { body: 'May I?' }, set.client);
    expect(await recipients()).toEqual([addressOf(set.grace)]);
    await comment(id, { body: 'Too dear for us', visibility: 'team' });
    const [internal, ...more] = await deliver();
    expect([internal!.to, more]).toEqual([addressOf(set.grace), []]);
    await comment(id, { body: 'Of course', visibility: 'client' });
    expect(await recipients()).toEqual([addressOf(set.client), addressOf(set.grace)].toSorted());
    await update(id, { client_visible: false });
    await comment(id, { body: 'And more', visibility: 'client' });
    expect(await recipients()).toEqual([addressOf(set.grace)]);
  });

  test('are not notified after they stop watching, even of earlier comments', async () => {
    const { id } = await create({}, set.grace);
    await comment(id, { body: 'Hello' });
    await set.grace.post(`/api/project/task/watch/${id}`, { watching: false });
    await comment(id, { body: 'Hello?' });
    expect(await deliver()).toEqual([]);
  });
});

describe('the settings', () => {
  const usual = { assignment: 'at_once', mention: 'at_once', comment: 'daily', due: 'daily' };

  test('are separate for each user, with defaults at first', async () => {
    expect((await set.grace.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
    expect((await choose(set.grace, { due: 'none', version: 1 })).body.data).toEqual({
      ...usual,
      due: 'none',
      version: 2,
    });
    expect((await choose(set.grace, { due: 'none' })).body.data).toMatchObject({ version: 2 });
    expect(await choose(set.grace, { due: 'daily', version: 1 })).toMatchObject({ status: 412 });
    expect((await set.viewer.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
    expect((await set.client.get('/api/project/notification-settings')).body.data).toEqual({ ...usual, version: 1 });
  });

  test.each([
    ['comment', 'weekly'],
    ['due', null],
    ['user_id', randomUUID()],
  ])('reject %s = %j', async (field, value) => {
    const reply = await choose(set.grace, { [field]: value });
    expect(reply).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
  });

  test('are one row after concurrent changes', async () => {
    await runConcurrently(20, (nth) => choose(set.grace, { comment: nth % 2 ? 'none' : 'at_once' }));
    const rows =
      await serving.sql`SELECT user_id FROM notification_settings WHERE workspace_id = ${set.office.workspace}`;
    expect(rows).toEqual([{ user_id: idOf(set.grace) }]);
  });
});

describe('a client with an account', () => {
  const invite = (body: object) =>
    set.office.owner.post('/api/project/client/invite', { project_id: set.project.id, ...body });

  test('is notified of an invitation once', async () => {
    const other = set.office.member({ kind: 'client', name: 'Cleo', can: ['project.view'] });
    expect((await invite({ client_id: idOf(other) })).status).toBe(201);
    expect((await invite({ client_id: idOf(other) })).status).toBe(200);
    const [mail, ...more] = await deliver();
    expect([mail!.to, more]).toEqual([addressOf(other), []]);
    expect(mail!.text).toContain(`You have been invited to the project "Project ${set.project.code}".`);
  });

  test('is not notified of a withdrawn invitation', async () => {
    const other = set.office.member({ kind: 'client', name: 'Cleo', can: ['project.view'] });
    const clients = (await invite({ client_id: idOf(other) })).body.data;
    const row = clients.find(({ user_id }: { user_id: string }) => user_id === idOf(other));
    await set.office.owner.delete(`/api/project/client/delete/${row.id}`);
    expect(await deliver()).toEqual([]);
  });
});
