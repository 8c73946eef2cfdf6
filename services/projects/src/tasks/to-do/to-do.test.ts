import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { callerOnBehalfOf } from '@suite/chassis/identity';
import { connectRpc } from '@suite/chassis/testing';
import { type ChangeToDoTaskRequest, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { keysOf, type Member, runConcurrently } from '@suite/testing';
import { everything, type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
const address = `127.0.0.1:${serving.grpc_port}`;
const connection = connectRpc({ projects: { definition: ProjectsServiceDefinition, address } }, keysOf('platform'));
afterAll(() => connection.close());

let office: ProjectsFixture;
let project: ProjectFixture;
let kim: Member;
beforeEach(async () => {
  office = await openOffice();
  kim = office.member({ record_scopes: { project: 'own' } });
  project = await makeProject(serving, office, { members: [[kim, 'member']] });
});

const clientOf = (member = kim) =>
  connection.as(callerOnBehalfOf(member.caller.user_id, office.workspace), randomUUID()).projects;
const rightsOf = (member = kim, more: object = {}) => {
  const { user_id, user_name: name, kind, ...rest } = member.caller;
  const { role, permissions, record_scopes, modules, timezone, currency } = rest;
  const user = { user_id, name, kind, email: '', status: 'active', phone: '' };
  return { user, role, permissions, record_scopes, modules, timezone, currency, team: [], ...more } as never;
};
const task = async (body: object = {}, inside = project): Promise<string> => {
  const assignee_ids = [kim.caller.user_id];
  const path = `/api/project/${inside.id}/task/create`;
  return (await office.owner.post(path, { title: 'Write it', assignee_ids, ...body })).body.data.id;
};
const show = async (id: string) => (await office.owner.get(`/api/project/task/show/${id}`)).body.data;
const update = (id: string, body: object) => office.owner.post(`/api/project/${project.id}/task/update/${id}`, body);
const list = async (known_task_ids: string[] = [], rights = rightsOf()) =>
  (await clientOf().listToDoTasks({ rights, known_task_ids })).tasks.map(({ task_id }) => task_id);
const change = (task_id: string, asked: Partial<ChangeToDoTaskRequest>, rights = rightsOf()) =>
  clientOf().changeToDoTask({
    idempotency_key: randomUUID(),
    rights,
    task_id,
    changed_at: '',
    unassign: false,
    ...asked,
  });
const markOf = async () => (await clientOf().batchGetToDoMarks({ user_ids: [kim.caller.user_id] })).marks[0]!.mark;
const history = async (id: string) =>
  await serving.sql`SELECT verb, diff, actor_id FROM activities WHERE object_id = ${id} ORDER BY at, id`;
const laterThanNow = () => new Date(Date.now() + 60_000).toISOString();

describe('the to-do list of a user', () => {
  test('contains open assigned tasks, and known completed ones', async () => {
    const id = await task({ description: 'Twice', due_date: '2099-01-31', priority: 'high' });
    await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'Not his' });
    expect(await list()).toEqual([id]);
    expect((await clientOf().batchGetToDoTasks({ rights: rightsOf(), task_ids: [id] })).tasks).toEqual([
      {
        task_id: id,
        version: expect.any(Number),
        title: 'Write it',
        description: 'Twice',
        due_date: '2099-01-31',
        priority: 'high',
        group: 'unstarted',
        updated_at: expect.any(String),
      },
    ]);
    await change(id, { after: { group: 'completed' }, before: { group: 'unstarted' } });
    expect([await list(), await list([id])]).toEqual([[], [id]]);
  });

  test('contains no hidden tasks, and none of archived projects', async () => {
    const id = await task();
    expect(await list([], rightsOf(kim, { permissions: [] }))).toEqual([]);
    expect(await list([], rightsOf(kim, { modules: ['crm'] }))).toEqual([]);
    await serving.sql`DELETE FROM project_members WHERE user_id = ${kim.caller.user_id}`;
    expect(await list()).toEqual([]);
    await expect(change(id, { after: { title: 'x' } })).rejects.toMatchObject({ status: 404 });
    expect(await list([], rightsOf(kim, { record_scopes: {} }))).toEqual([id]);
    await serving.sql`UPDATE projects SET active = false WHERE id = ${project.id}`;
    expect(await list([], rightsOf(kim, { record_scopes: {} }))).toEqual([]);
  });

  test('changes its version mark with every change', async () => {
    const marks = [await markOf()];
    const id = await task();
    marks.push(await markOf());
    await update(id, { title: 'Read it' });
    marks.push(await markOf());
    await update(id, { assignee_ids: [] });
    expect(new Set(marks).size).toBe(3);
    expect(await markOf()).toBe(marks[0]);
  });

  test('is returned to platform only', async () => {
    const other = connectRpc({ projects: { definition: ProjectsServiceDefinition, address } }, keysOf('support'));
    const asked = other.as(callerOnBehalfOf(kim.caller.user_id, office.workspace), randomUUID()).projects;
    const rights = rightsOf();
    await expect(asked.listToDoTasks({ rights, known_task_ids: [] })).rejects.toMatchObject({ status: 403 });
    other.close();
  });
});

describe('a change to a to-do list', () => {
  test('is applied with the permissions of its user, once per key', async () => {
    const id = await task({ description: 'Twice' });
    const idempotency_key = randomUUID();
    const after = { title: 'Read it', description: '', due_date: '2099-02-01', priority: 'low', group: 'started' };
    const before = { title: 'Write it', description: 'Twice', due_date: '', priority: 'medium', group: 'unstarted' };
    const asked = { idempotency_key, after, before } as never;
    const replies = await runConcurrently(8, () => change(id, asked) as never);
    expect(new Set((replies as unknown as { task: { version: number } }[]).map((one) => one.task.version)).size).toBe(
      1,
    );
    expect(await show(id)).toMatchObject({
      title: 'Read it',
      description: null,
      due_date: '2099-02-01',
      priority: 'low',
      group: 'started',
    });
    const lines = await history(id);
    expect(lines.at(-1)).toMatchObject({ verb: 'moved', actor_id: kim.caller.user_id });
    expect(lines.filter(({ verb }) => verb === 'moved')).toHaveLength(1);
    expect(await violations(office)).toEqual([]);
  });

  test('resolves a conflict to the later value, and keeps the other in the history', async () => {
    const id = await task({ description: 'Old' });
    await update(id, { title: 'Ours', description: 'Ours, too' });
    const before = { title: 'Write it', description: 'Old', priority: 'medium' };
    const early = { after: { title: 'Theirs', priority: 'high' }, before, changed_at: '2020-01-01T00:00:00Z' };
    expect((await change(id, early as never)).task).toMatchObject({ title: 'Ours', priority: 'high' });
    expect((await history(id)).at(-1)).toMatchObject({ verb: 'sync_conflict', diff: { title: ['Theirs', 'Ours'] } });
    const late = { after: { description: 'Theirs' }, before, changed_at: laterThanNow() };
    expect((await change(id, late as never)).task).toMatchObject({ title: 'Ours', description: 'Theirs' });
    expect((await history(id)).at(-1)).toMatchObject({ diff: { description: ['Ours, too', 'Theirs'] } });
  });

  test('is not a conflict if both sides made the same change', async () => {
    const id = await task();
    await update(id, { title: 'Read it' });
    await change(id, { after: { title: 'Read it' }, before: { title: 'Write it' } });
    expect((await history(id)).map(({ verb }) => verb)).not.toContain('sync_conflict');
  });

  test('is rejected like by the operation, and changes nothing', async () => {
    const id = await task();
    const code = (asked: Partial<ChangeToDoTaskRequest>, rights = rightsOf()) =>
      change(id, asked, rights).then(
        () => 'done',
        (error: { code: string }) => error.code,
      );
    const permissions = everything.filter((one) => one !== 'task.update');
    expect(await code({ after: { title: 'x' } }, rightsOf(kim, { permissions }))).toBe('forbidden');
    expect(await code({ after: { title: 'x' } }, rightsOf(kim, { modules: [] }))).toBe('module_disabled');
    await expect(change(id, { after: { title: '' } })).rejects.toMatchObject({
      status: 422,
      errors: { 'after.title': [expect.any(String)] },
    });
    await expect(change(id, { after: { due_date: 'soon' } })).rejects.toMatchObject({ status: 422 });
    await update(id, { blocked_by: [await task()] });
    expect(await code({ after: { group: 'completed' }, before: { group: 'unstarted' } })).toBe('blocked');
    await serving.sql`DELETE FROM stages WHERE project_id = ${project.id} AND kind = 'task' AND "group" = 'cancelled'`;
    expect(await code({ after: { group: 'cancelled' }, before: { group: 'unstarted' } })).toBe('stage_missing');
    await serving.sql`UPDATE project_members SET role = 'viewer' WHERE user_id = ${kim.caller.user_id}`;
    expect(await code({ after: { title: 'x' }, before: { title: 'Write it' } })).toBe('project_role');
    await serving.sql`UPDATE projects SET active = false WHERE id = ${project.id}`;
    expect(await code({ unassign: true })).toMatch(/project_role|project_archived/);
    expect(await show(id)).toMatchObject({
      title: 'Write it',
      group: 'unstarted',
      assignees: [{ id: kim.caller.user_id }],
    });
  });

  test('unassigns only its user from a task that was deleted in the list', async () => {
    const robin = office.member();
    const other = await makeProject(serving, office, {
      members: [
        [kim, 'member'],
        [robin, 'member'],
      ],
    });
    const id = await task({ assignee_ids: [kim.caller.user_id, robin.caller.user_id] }, other);
    expect(await change(id, { unassign: true })).toEqual({ task: undefined });
    expect((await show(id)).assignees.map((one: { id: string }) => one.id)).toEqual([robin.caller.user_id]);
    await expect(change(id, { unassign: true })).rejects.toMatchObject({ status: 404 });
  });
});
