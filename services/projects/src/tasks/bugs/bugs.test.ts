import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventTypesOf } from '@suite/testing';
import type { Member } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
let viewer: Member;
let client: Member;
beforeEach(async () => {
  office = await openOffice();
  viewer = office.member({ record_scopes: { project: 'own' } });
  client = office.member({ kind: 'client', can: ['project.view', 'bug.view', 'task.view'] });
  project = await makeProject(serving, office, { members: [[viewer, 'viewer']], clients: [client] });
});

const report = (body: object = {}, by: Member = office.owner) =>
  by.post(`/api/project/bug/create/${project.id}`, { title: 'It breaks', ...body });
const bug = async (body: object = {}) => (await report(body)).body.data;
const update = (id: string, body: object, by: Member = office.owner) =>
  by.post(`/api/project/${project.id}/bug/update/${id}`, body);
const inStage = (stage: string) => ({ stage_id: project.bugStages[stage] });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });
const eventsOf = (id: string) => eventTypesOf(serving, id);

describe('a bug', () => {
  test('can be watched and unwatched', async () => {
    const { id } = await bug();
    const watch = (watching: boolean, by = viewer) => by.post(`/api/project/bug/watch/${id}`, { watching });
    const watchers = async () => {
      const { data } = (await office.owner.get(`/api/project/bug/show/${id}`)).body;
      return data.watchers.map((one: { id: string }) => one.id);
    };
    expect(await watch(true)).toMatchObject({ status: 200, body: { data: { watching: true } } });
    expect(await watchers()).toContain(viewer.caller.user_id);
    await watch(false);
    expect(await watchers()).not.toContain(viewer.caller.user_id);
    expect((await watch(true, office.member({ record_scopes: { project: 'own' } }))).status).toBe(404);
    const task = await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'A task' });
    expect((await viewer.post(`/api/project/bug/watch/${task.body.data.id}`, { watching: true })).status).toBe(404);
    expect((await office.owner.get(`/api/project/bug/show/${id}`)).body.data.allowed_actions).toContain('watch');
  });

  test('shares numbers with tasks, has a reporter, and can be reported by viewers', async () => {
    await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'A task' });
    const { status, body } = await report({ severity: 'critical', steps: 'Open it.' }, viewer);
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      key: `${project.code}-2`,
      severity: 'critical',
      steps: 'Open it.',
      resolution: null,
      reporter_id: viewer.caller.user_id,
      stage: { name: 'New' },
    });
    expect(await update(body.data.id, { title: 'Mine' }, viewer)).toMatchObject({
      status: 403,
      body: { code: 'project_role' },
    });
    expect(await report({}, client)).toMatchObject({ status: 403 });
    expect(await violations(office)).toEqual([]);
  });

  test('is fixed by default, and has no resolution after reopening', async () => {
    const { id } = await bug();
    expect((await update(id, inStage('Resolved'))).body.data).toMatchObject({
      resolution: 'fixed',
      group: 'completed',
    });
    expect((await update(id, { resolution: 'cannot_reproduce' })).body.data.resolution).toBe('cannot_reproduce');
    expect((await update(id, inStage('New'))).body.data).toMatchObject({ resolution: null, completed_at: null });
    expect(await eventsOf(id)).toEqual([
      'projects.bug.created',
      'projects.bug.stage_changed',
      'projects.bug.resolved',
      'projects.bug.stage_changed',
    ]);
    expect(await violations(office)).toEqual([]);
  });

  test('needs a resolution if rejected, and the original bug if a duplicate', async () => {
    const [first, other] = [await bug(), await bug()];
    expect(await update(first.id, inStage('Rejected'))).toMatchObject(invalidField('resolution'));
    expect(await update(first.id, { ...inStage('Rejected'), resolution: 'fixed' })).toMatchObject(
      invalidField('resolution'),
    );
    expect(await update(first.id, { ...inStage('Rejected'), resolution: 'duplicate' })).toMatchObject(
      invalidField('duplicate_of'),
    );
    const duplicate = { ...inStage('Rejected'), resolution: 'duplicate' };
    expect(await update(first.id, { ...duplicate, duplicate_of: first.id })).toMatchObject(
      invalidField('duplicate_of'),
    );
    expect((await update(first.id, { ...duplicate, duplicate_of: other.id })).body.data).toMatchObject({
      resolution: 'duplicate',
      duplicate_of: other.id,
    });
    expect(await update(other.id, { resolution: 'fixed' })).toMatchObject(invalidField('resolution'));
    expect(await report(inStage('Rejected'))).toMatchObject(invalidField('resolution'));
    expect((await office.owner.delete(`/api/project/${project.id}/bug/delete/${other.id}`)).status).toBe(200);
    expect(await violations(office)).toEqual([]);
  });

  test('does not count towards progress', async () => {
    const { id } = await bug();
    await update(id, inStage('Resolved'));
    const [row] = await serving.sql`SELECT countable_tasks, completed_tasks FROM projects WHERE id = ${project.id}`;
    expect(row).toEqual({ countable_tasks: 0, completed_tasks: 0 });
  });

  test('is listed, filtered and searched', async () => {
    const first = await bug({ title: 'Crash on start', severity: 'blocker' });
    await bug({ title: 'Wrong colour' });
    const list = async (query: string, by: Member = office.owner) =>
      (await by.get(`/api/project/bug/${project.id}?sort=number&${query}`)).body.data.map(
        ({ key }: { key: string }) => key,
      );
    expect(await list('')).toHaveLength(2);
    expect(await list('severity=blocker')).toEqual([first.key]);
    expect(await list('q=crash')).toEqual([first.key]);
    expect(await list(`reporter_id=${viewer.caller.user_id}`)).toEqual([]);
    expect(await list('', client)).toEqual([]);
    await update(first.id, { client_visible: true });
    expect(await list('', client)).toEqual([first.key]);
    const shown = (await client.get(`/api/project/bug/show/${first.key}`)).body.data;
    expect(shown).toMatchObject({ title: 'Crash on start' });
    for (const hidden of ['estimate_minutes', 'tracked_minutes', 'watchers', 'blocked_by', 'stage_history'])
      expect(shown).not.toHaveProperty(hidden);
  });

  test('has a separate board', async () => {
    await bug();
    const { columns } = (await office.owner.get(`/api/project/${project.id}/task-board?type=bug`)).body.data;
    expect(columns[0]).toMatchObject({ name: 'New', count: 1, tasks: [{ title: 'It breaks' }] });
    const blind = office.member({ can: ['task.view', 'project.view'] });
    expect((await blind.get(`/api/project/${project.id}/task-board?type=bug`)).status).toBe(403);
  });
});

test('finds bugs and tasks by one of their tags', async () => {
  const at = `/api/project/${project.id}/task/create`;
  await office.owner.post(`/api/project/bug/create/${project.id}`, { title: 'Red', tags: ['web', 'urgent'] });
  await office.owner.post(`/api/project/bug/create/${project.id}`, { title: 'Blue', tags: ['app'] });
  for (const [title, tags] of [
    ['One', ['web']],
    ['Two', []],
  ] as const)
    await office.owner.post(at, { title, tags });
  const titles = async (path: string) =>
    (await office.owner.get(path)).body.data.map(({ title }: { title: string }) => title);
  expect(await titles(`/api/project/bug/${project.id}?tags=web`)).toEqual(['Red']);
  expect(await titles(`/api/lightproj/projects/${project.id}/tasks?tags=web`)).toEqual(['One']);
});
