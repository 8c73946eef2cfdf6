import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
let member: Member;
let client: Member;
let outsider: Member;
beforeEach(async () => {
  office = await openOffice();
  const light = { modules: ['lightproj'], record_scopes: { project: 'own' as const } };
  [member, outsider] = [office.member(light), office.member(light)];
  client = office.member({ kind: 'client', can: ['project.view', 'task.view'], modules: ['lightproj'] });
  project = await makeProject(serving, office, { members: [[member, 'member']], clients: [client] });
});

const save = (body: object, by: Member = member) => by.post('/api/lightproj/task-create-update', body);
const task = async (body: object = {}) =>
  (await save({ project_id: project.id, title: 'Write it', ...body })).body.data;
const list = async (body: object = {}, by: Member = member) => {
  const reply = await by.post('/api/lightproj/task-list', body);
  return reply.status === 200 ? reply.body.data.map(({ title }: { title: string }) => title) : reply.status;
};
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });

describe('saving a task', () => {
  test('creates it once per external ID, even with concurrent requests', async () => {
    const body = { external_id: 'JIRA-7', project_id: project.id, title: 'Write it' };
    const replies = await runConcurrently(20, () => save(body));
    expect(sortedStatuses(replies)).toEqual([...Array(19).fill(200), 201]);
    expect(new Set(replies.map((reply) => reply.body.data.id)).size).toBe(1);
    expect((await save({ external_id: 'JIRA-7', title: 'Rewrite it' })).body.data).toMatchObject({
      title: 'Rewrite it',
      number: 1,
    });
    expect(await save(body, outsider)).toMatchObject(invalidField('project_id'));
    const blind = { external_id: 'JIRA-7', title: 'Mine' };
    expect(await save(blind, outsider)).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect(await violations(office)).toEqual([]);
  });

  test('updates it by ID, and moves it to no other stage or project', async () => {
    const { id } = await task();
    expect(await save({ id, priority: 'high' })).toMatchObject({ status: 200, body: { data: { priority: 'high' } } });
    expect(await save({ id, stage_id: project.taskStages['Done'] })).toMatchObject(invalidField('stage_id'));
    const other = await makeProject(serving, office, { members: [[member, 'member']] });
    expect(await save({ id, project_id: other.id })).toMatchObject(invalidField('project_id'));
    expect(await save({ id: crypto.randomUUID(), title: 'x' })).toMatchObject({ status: 404 });
    expect(await save({ title: 'x' })).toMatchObject(invalidField('project_id'));
    expect(await save({ id, colour: 'red' })).toMatchObject(invalidField('colour'));
  });
});

describe('a list of tasks', () => {
  test('is filtered by the fields in the body', async () => {
    const assignee_ids = [member.caller.user_id];
    await task({ title: 'A', assignee_ids, due_date: '2020-01-01' });
    await task({ title: 'B', priority: 'high', due_date: '2099-01-01' });
    const sort = 'number';
    expect(await list({ sort })).toEqual(['A', 'B']);
    expect(await list({ mine: true })).toEqual(['A']);
    expect(await list({ is_overdue: true })).toEqual(['A']);
    expect(await list({ priority: ['high', 'urgent'] })).toEqual(['B']);
    expect(await list({ due_date_from: '2021-01-01', due_date_to: '2099-12-31' })).toEqual(['B']);
    expect(await list({ project_id: project.id, group: 'unstarted', sort })).toEqual(['A', 'B']);
    expect(await list({ q: 'b' })).toEqual(['B']);
    expect(await list({ per_page: 1, page: 2, sort })).toEqual(['B']);
    expect(await list({ due: '2020-01-01' })).toBe(422);
    const path = `/api/lightproj/projects/${project.id}/tasks?sort=number&expand=assignees`;
    expect((await member.get(path)).body).toMatchObject({
      data: [{ title: 'A', assignees: [{}] }, {}],
      meta: { total: 2 },
    });
  });

  test('shows each user only visible tasks, even in counts, searches and the board', async () => {
    const hidden = await task({ title: 'Secret plan', estimate_minutes: 60 });
    const shared = await task({
      title: 'Public plan',
      client_visible: true,
      estimate_minutes: 60,
      blocked_by: [hidden.id],
    });
    const total = async (by: Member) => (await by.post('/api/lightproj/task-list', { q: 'plan' })).body.meta.total;
    expect([await total(member), await total(client), await total(outsider)]).toEqual([2, 1, 0]);
    const board = await client.post('/api/lightproj/taskboard', { project_id: project.id });
    expect(board.body.data.columns).toMatchObject([
      { name: 'To do', count: 1, tasks: [{ title: 'Public plan', position: 0 }] },
    ]);
    expect((await outsider.post('/api/lightproj/taskboard', { project_id: project.id })).status).toBe(404);
    const details = (id: string, by: Member) => by.post('/api/lightproj/task-details', { id });
    const seen = (await details(shared.key, client)).body.data;
    for (const name of ['estimate_minutes', 'tracked_minutes', 'blocked_by', 'watchers', 'hidden_blockers'])
      expect(seen).not.toHaveProperty(name);
    expect(sortedStatuses([await details(hidden.id, client), await details(shared.key, outsider)])).toEqual([404, 404]);
    expect(JSON.stringify(seen)).not.toContain('Secret');
  });
});

describe('moving a task to another project', () => {
  const move = (id: string, body: object, by: Member = office.owner) => by.post(`/api/project/task/move/${id}`, body);

  test('assigns a new number there, and the old one still resolves to the task', async () => {
    const other = await makeProject(serving, office);
    const [created, blocker] = [await task({ assignee_ids: [member.caller.user_id] }), await task()];
    const child = await task({ parent_id: created.id });
    await office.owner.post(`/api/project/${project.id}/task/update/${created.id}`, { blocked_by: [blocker.id] });
    const { status, body } = await move(created.id, { project_id: other.id });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      key: `${other.code}-1`,
      project_id: other.id,
      assignees: [],
      dropped: { assignee_ids: [member.caller.user_id], parent_id: null, milestone_id: null },
    });
    const show = async (name: string) => (await office.owner.get(`/api/project/task/show/${name}`)).body.data;
    expect((await show(created.key)).id).toBe(created.id);
    expect((await show(child.id)).parent_id).toBeNull();
    expect((await show(created.id)).stage_history).toHaveLength(3);
    expect(await violations(office)).toEqual([]);
  });

  test('requires permission to delete it here and to create it there', async () => {
    const created = await task();
    const other = await makeProject(serving, office);
    const full = office.member({ record_scopes: { project: 'own' } });
    const mine = await makeProject(serving, office, { members: [[full, 'manager']] });
    expect(await move(created.id, { project_id: mine.id }, full)).toMatchObject({ status: 404 });
    expect(await move(created.id, { project_id: project.id })).toMatchObject(invalidField('project_id'));
    expect(await move(created.id, { project_id: crypto.randomUUID() })).toMatchObject(invalidField('project_id'));
    expect(await move(created.id, { project_id: other.id, stage_id: project.taskStages['Done'] })).toMatchObject(
      invalidField('stage_id'),
    );
  });

  test('loses none of fifty tasks that move there and back concurrently', async () => {
    const other = await makeProject(serving, office);
    const ids: string[] = [];
    for (let at = 0; at < 10; at += 1) ids.push((await task()).id);
    const replies = await runConcurrently(50, (at) =>
      move(ids[at % 10]!, { project_id: at % 2 ? other.id : project.id }),
    );
    expect(sortedStatuses(replies).every((status) => [200, 404, 422].includes(status))).toBe(true);
    const [row] =
      await serving.sql`SELECT count(*)::int AS count FROM work_items WHERE workspace_id = ${office.workspace}`;
    expect(row).toEqual({ count: 10 });
    expect(await violations(office)).toEqual([]);
  });
});
