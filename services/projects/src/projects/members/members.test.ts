import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { createProject } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, finance, platform, office: openOffice } = await openProjects();
const { say } = await eventPublisher(serving);
let office: ProjectsFixture;
let owner: Member;
let project_id: string;
beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
  project_id = await createProject(office, { members: [], client_ids: [] });
});

const show = async () => (await owner.get(`/api/project/show/${project_id}`)).body.data;
const addMember = (user_id: string, role: string, by = owner) =>
  by.post('/api/project/member/create', { project_id, user_id, role });
const removeMember = (id: string, by = owner) => by.delete(`/api/project/member/delete/${id}`);
const invite = (body: object, by = owner) => by.post('/api/project/client/invite', { project_id, ...body });

/** Assigns a user to a task of the project. */
async function assign(user_id: string): Promise<string> {
  const { stages } = await show();
  const stage_id = stages.find(({ is_default }: { is_default: boolean }) => is_default).id;
  const [item] = await serving.sql`
    INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, rank)
    VALUES (gen_random_uuid(), ${office.workspace}, 'task', ${project_id}, 1, 'Draw', ${stage_id}, 1) RETURNING id`;
  await serving.sql`INSERT INTO assignees (workspace_id, item_id, user_id) VALUES (${office.workspace}, ${item!['id']}, ${user_id})`;
  return item!['id'];
}
const assignees = (item_id: string) => serving.sql`SELECT user_id FROM assignees WHERE item_id = ${item_id}`;

describe('a member', () => {
  test('joins once, and gets another role by joining again', async () => {
    const user_id = office.hire();
    const replies = await runConcurrently(20, () => addMember(user_id, 'member'));
    expect(sortedStatuses(replies)).toEqual([...Array(19).fill(200), 201]);
    expect((await addMember(user_id, 'viewer')).body.data).toMatchObject({ role: 'viewer', user_id });
    expect((await show()).members).toHaveLength(2);
  });

  test('has a photo in every view until they are deleted', async () => {
    const grace = office.member({ name: 'Grace Example' });
    const { user_id } = grace.caller;
    await addMember(user_id, 'member');
    const avatar_url = 'http://suite.test/api/avatar/a.b';
    const user = { user_id, name: 'Grace', email: 'grace@example.com', kind: 'staff', status: 'active', phone: '' };
    await say(office.workspace, 'platform.user.updated', { ...user, avatar_url }, { position: 2 });
    const path = `/api/project/${project_id}/task/create`;
    const { id } = (await owner.post(path, { title: 'Draw', assignee_ids: [user_id] })).body.data;
    await grace.post(`/api/project/task/${id}/comment/create`, { body: 'Nice.' });
    const assigneesOnBoard = async () => {
      const { columns } = (await owner.get(`/api/project/${project_id}/task-board`)).body.data;
      const cards = columns.flatMap(({ tasks }: { tasks: { assignees: object[] }[] }) => tasks);
      const task = (await owner.get(`/api/project/task/show/${id}`)).body.data;
      const member = (await show()).members.find((one: { user_id: string }) => one.user_id === user_id);
      const people = (await owner.get('/api/lightproj/users')).body.data;
      return [
        cards[0]?.assignees[0]?.avatar_url,
        task.assignees[0]?.avatar_url,
        task.comments[0].author.avatar_url,
        member?.user.avatar_url,
        people.find((one: { id: string }) => one.id === user_id)?.avatar_url,
      ];
    };
    expect(await assigneesOnBoard()).toEqual(Array(5).fill(avatar_url));
    await say(office.workspace, 'platform.user.updated', { ...user, name: 'Grace H.' }, { position: 3 });
    expect(await assigneesOnBoard()).toEqual(Array(5).fill(null));
    await say(office.workspace, 'platform.user.updated', { ...user, avatar_url }, { position: 4 });
    await say(office.workspace, 'platform.user.deleted', { user_id }, { position: 5 });
    expect((await owner.get(`/api/project/task/show/${id}`)).body.data.comments[0].author).toMatchObject({
      name: 'Former user',
      avatar_url: null,
    });
  });

  test('is unassigned from open tasks when removed', async () => {
    const user_id = office.hire();
    const { id } = (await addMember(user_id, 'member')).body.data;
    const item_id = await assign(user_id);
    expect((await removeMember(id)).status).toBe(200);
    expect(await assignees(item_id)).toEqual([]);
    expect((await show()).activity.map(({ verb }: { verb: string }) => verb)).toEqual(
      expect.arrayContaining(['removed', 'unassigned', 'added']),
    );
  });

  test('may leave, but not as the last manager', async () => {
    const grace = office.member({ record_scopes: { project: 'own' } });
    const { id } = (await addMember(grace.caller.user_id, 'member')).body.data;
    const [manager] = (await show()).members;
    expect(await removeMember(manager.id, grace)).toMatchObject({ status: 403, body: { code: 'project_role' } });
    expect(await removeMember(manager.id)).toMatchObject({ status: 409, body: { code: 'last_manager' } });
    expect(await addMember(owner.caller.user_id, 'member')).toMatchObject({
      status: 409,
      body: { code: 'last_manager' },
    });
    expect((await removeMember(id, grace)).status).toBe(200);
  });

  test('is replaced by an update of the project if one manager remains', async () => {
    const user_id = office.hire();
    const path = `/api/project/update/${project_id}`;
    expect((await owner.post(path, { members: [{ user_id, role: 'member' }] })).body.code).toBe('last_manager');
    const { body } = await owner.post(path, { members: [{ user_id, role: 'manager' }] });
    expect(body.data.members).toMatchObject([{ user_id, role: 'manager' }]);
  });

  test('is unassigned when deleted, and an owner takes over as manager', async () => {
    const user_id = office.hire();
    await owner.post(`/api/project/update/${project_id}`, { members: [{ user_id, role: 'manager' }] });
    const item_id = await assign(user_id);
    await serving.sql`UPDATE users SET kind = 'owner' WHERE id = ${owner.caller.user_id}`;
    await say(office.workspace, 'platform.user.deleted', { user_id }, { position: 9 });
    expect((await show()).members).toMatchObject([{ user_id: owner.caller.user_id, role: 'manager' }]);
    expect(await assignees(item_id)).toEqual([]);
    expect(await serving.sql`SELECT status FROM users WHERE id = ${user_id}`).toEqual([{ status: 'former' }]);
  });
});

describe('a client', () => {
  test('is invited once by user ID', async () => {
    const client_id = office.hire({ kind: 'client', name: 'Ada Example', email: 'ada@example.com' });
    const replies = await runConcurrently(10, () => invite({ client_id }));
    expect(sortedStatuses(replies)).toEqual([...Array(9).fill(200), 201]);
    const listed = (await owner.get(`/api/project/clients?project_id=${project_id}&q=ada`)).body.data;
    expect(listed).toMatchObject([
      { user_id: client_id, name: 'Ada Example', email: 'ada@example.com', status: 'active' },
    ]);
  });

  test('is a user of the customer, or a new user that platform creates', async () => {
    const user_id = office.hire({ kind: 'client' });
    const customer_id = finance.customer(office.workspace, { user_id });
    expect((await invite({ customer_id })).body.data).toMatchObject([{ user_id }]);
    const nobody = finance.customer(office.workspace);
    expect(await invite({ customer_id: nobody })).toMatchObject({
      status: 422,
      body: { errors: { customer_id: [expect.any(String)] } },
    });
    const client = { name: 'Bob Example', email: 'bob@example.com' };
    const created = await invite({ client });
    expect(created).toMatchObject({ status: 201, body: { data: [{ name: 'Bob Example', status: 'invited' }] } });
    const [{ envelope } = {}] = await serving.sql`
      SELECT data AS envelope FROM journal_events WHERE type = 'projects.project.clients_invited' AND aggregate_id = ${project_id}
      ORDER BY position DESC LIMIT 1`;
    expect(envelope).toMatchObject({ new_client: { email: 'bob@example.com' } });
    expect((await invite({ client })).status).toBe(200);
  });

  test('is never staff, and inviting needs the permission before platform is called', async () => {
    office.hire({ kind: 'staff', email: 'kim@example.com' });
    const client = { name: 'Kim', email: 'kim@example.com' };
    expect(await invite({ client })).toMatchObject({ status: 409, body: { code: 'email_taken' } });
    const grace = office.member({ record_scopes: { project: 'own' } });
    await addMember(grace.caller.user_id, 'member');
    const before = platform.calls.length;
    expect(await invite({ client: { name: 'Eve', email: 'eve@example.com' } }, grace)).toMatchObject({ status: 403 });
    expect(platform.calls.slice(before)).toEqual([]);
    expect((await invite({})).status).toBe(422);
    expect((await invite({ client, client_id: office.hire({ kind: 'client' }) })).status).toBe(422);
  });

  test('is found only by fields that are visible to the caller', async () => {
    const phone = '+49 30 901820';
    const user_id = office.hire({ kind: 'client', name: 'Ada Example', email: 'ada@secret.example', phone });
    await invite({ client_id: user_id });
    await serving.sql`UPDATE users SET phone = ${phone} WHERE id = ${user_id}`;
    const viewer = office.member({ can: ['project.view'], record_scopes: { project: 'own' } });
    await addMember(viewer.caller.user_id, 'viewer');
    const countClients = async (by: Member, q: string) =>
      (await by.get(`/api/project/clients?q=${encodeURIComponent(q)}`)).body.meta.total;
    for (const [q, manager, member] of [
      ['ada example', 1, 1],
      ['ada@secret.example', 1, 0],
      ['901820', 0, 0],
    ] as const)
      expect([q, await countClients(owner, q), await countClients(viewer, q)]).toEqual([q, manager, member]);
  });

  test('sees clients of the same customer, and no others', async () => {
    const ada = office.member({ kind: 'client', name: 'Ada Example' });
    await invite({ client_id: ada.caller.user_id });
    await invite({ client_id: office.hire({ kind: 'client', name: 'Eve Example' }) });
    expect((await ada.get('/api/project/clients')).body.data).toMatchObject([{ user_id: ada.caller.user_id }]);
    const [row] = (await owner.get('/api/project/clients?q=eve')).body.data;
    expect((await owner.delete(`/api/project/client/delete/${row.id}`)).status).toBe(200);
    expect((await owner.get('/api/project/clients')).body.meta.total).toBe(1);
  });
});
