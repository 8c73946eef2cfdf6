import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { fileFor } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
let both: Member;
let light: Member;
let client: Member;
let task: { id: string; key: string; version: number };
beforeEach(async () => {
  office = await openOffice();
  both = office.member({ record_scopes: { project: 'own' } });
  light = office.member({ ...both.caller, can: both.caller.permissions, modules: ['lightproj'] });
  client = office.member({ kind: 'client', modules: ['lightproj'] });
  project = await makeProject(serving, office, { members: [[both, 'manager']], clients: [client] });
  const created = await post('task-create-update', {
    project_id: project.id,
    title: 'Draw',
    assignee_ids: [idOf(both)],
  });
  task = created.body.data;
});

const idOf = ({ caller }: Member) => caller.user_id;
const post = (path: string, body: object, by = light) => by.post(`/api/lightproj/${path}`, body);
const dataOf = async (reply: Promise<{ body: { data: unknown } }>) => (await reply).body.data;
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });

/** Returns the bodies of POST requests that only read. */
const readRequests = (): [string, object][] => [
  ['project-list', {}],
  ['project-details', { id: project.id }],
  ['project-activity', { project_id: project.id }],
  ['task-list', {}],
  ['task-details', { id: task.id }],
  ['taskboard', { project_id: project.id }],
];

describe('the light module', () => {
  test('responds like the full module', async () => {
    const { id } = project;
    const same: [Promise<{ body: { data: unknown } }>, string][] = [
      [post('project-list', {}), '/api/projects'],
      [light.get('/api/lightproj/projects'), '/api/projects'],
      [post('project-details', { id }), `/api/project/show/${id}`],
      [post('project-activity', { project_id: id }), `/api/project/activity/${id}`],
      [post('task-details', { id: task.id }), `/api/project/task/show/${task.id}`],
      [post('task-details', { id: task.key }), `/api/project/task/show/${task.key}`],
      [post('taskboard', { project_id: id }), `/api/project/${id}/task-board`],
      [post('taskboard', { project_id: id, type: 'bug' }), `/api/project/${id}/task-board?type=bug`],
    ];
    for (const [requestBody, path] of same) expect(await dataOf(requestBody)).toEqual(await dataOf(both.get(path)));
    expect((await both.get(`/api/lightproj/projects/${id}/tasks`)).body.data).toEqual(
      await dataOf(post('task-list', { project_id: id })),
    );
  });

  test('responds without the full module enabled, but not if it is disabled itself', async () => {
    const large = office.member({ ...both.caller, can: both.caller.permissions, modules: ['projects'] });
    for (const [path, body] of readRequests()) {
      expect((await post(path, body)).status).toBe(200);
      expect(await post(path, body, large)).toMatchObject(faultResponse(403, 'module_disabled'));
    }
    for (const path of ['home', 'projects', 'users', `projects/${project.id}/tasks`]) {
      expect((await light.get(`/api/lightproj/${path}`)).status).toBe(200);
      expect(await large.get(`/api/lightproj/${path}`)).toMatchObject(faultResponse(403, 'module_disabled'));
    }
    const file = (await light.upload('/api/lightproj/project-file-upload', fileFor(project.id))).body.data;
    expect((await serving.anonymous.get(file.url)).status).toBe(200);
    expect((await light.delete(`/api/lightproj/project-file-delete/${file.id}`)).status).toBe(200);
  });

  test('responds to reads without recording them', async () => {
    const traces = async () =>
      (
        await serving.sql`
          SELECT (SELECT count(*)::int FROM idempotency_keys WHERE workspace_id = ${office.workspace}) AS keys,
            (SELECT count(*)::int FROM journal_changes WHERE workspace_id = ${office.workspace}) AS changes,
            (SELECT count(*)::int FROM journal_events WHERE workspace_id = ${office.workspace}) AS events,
            (SELECT count(*)::int FROM activities WHERE workspace_id = ${office.workspace}) AS activities`
      )[0];
    const before = await traces();
    for (const [path, body] of readRequests()) {
      const headers = { 'idempotency-key': path };
      for (const more of [{}, { per_page: 1 }].slice(0, 'id' in body ? 1 : 2)) {
        const requestBody = path === 'taskboard' ? body : { ...body, ...more };
        expect((await light.post(`/api/lightproj/${path}`, requestBody, { headers })).status).toBe(200);
      }
    }
    expect(await traces()).toEqual(before);
  });

  test('responds with 404 to users who cannot see the record', async () => {
    const outsider = office.member({ record_scopes: { project: 'own' }, modules: ['lightproj'] });
    const outsideOwner = (await openOffice()).owner;
    const { id: project_id } = project;
    const calls: [string, object][] = [
      ...readRequests().filter(([path]) => !path.endsWith('-list')),
      ['project-status-update', { id: project_id, status: 'finished' }],
      ['project-create-update', { id: project_id, name: 'Mine' }],
      ['project-delete', { id: project_id }],
      ['task-create-update', { id: task.id, title: 'Mine' }],
      ['task-stage-update', { task_id: task.id, stage_id: project.taskStages['Done'] }],
      ['task-delete', { id: task.id }],
    ];
    for (const by of [outsider, outsideOwner]) {
      for (const [path, body] of calls) {
        const { status, body: answer } = await post(path, body, by);
        expect([path, status, answer.code]).toEqual([path, 404, 'not_found']);
      }
      expect((await post('project-list', { q: 'Project' }, by)).body.data).toEqual([]);
      expect((await post('task-list', { project_id }, by)).body.data).toEqual([]);
      expect((await by.get(`/api/lightproj/projects/${project_id}/tasks`)).status).toBe(404);
    }
    expect((await post('project-details', { id: project_id })).body.data).toMatchObject({ counts: { tasks: 1 } });
  });

  test('rejects unknown fields in any request', async () => {
    const { id } = project;
    const bodies: [string, object][] = [
      ...readRequests(),
      ['project-create-update', { name: 'Website' }],
      ['project-status-update', { id, status: 'finished' }],
      ['project-delete', { id }],
      ['task-create-update', { project_id: id, title: 'Write' }],
      ['task-stage-update', { task_id: task.id, stage_id: project.taskStages['Done'] }],
      ['task-delete', { id: task.id }],
    ];
    for (const [path, body] of bodies)
      for (const field of ['workspace_id', 'colour', 'created_by'])
        expect(await post(path, { ...body, [field]: id })).toMatchObject(invalidField(field));
    for (const path of ['home', 'projects', 'users', `projects/${id}/tasks`])
      expect(await light.get(`/api/lightproj/${path}?colour=red`)).toMatchObject({ status: 422 });
  });
});

describe('the status of a project in the light module', () => {
  const move = (status: string, more: object = {}, by = light) =>
    post('project-status-update', { id: project.id, status, ...more }, by);

  test('follows its lifecycle, repeatably, for its managers and the current version', async () => {
    const { version } = (await post('project-details', { id: project.id })).body.data;
    expect(await move('on_hold', { version: version + 1 })).toMatchObject({ status: 412 });
    expect(await move('not_started')).toMatchObject(faultResponse(409, 'invalid_transition'));
    expect(await move('done')).toMatchObject(invalidField('status'));
    const held = await move('on_hold', { version });
    expect(held).toMatchObject({ status: 200, body: { data: { status: 'on_hold', version: version + 1 } } });
    expect(held.body.data.allowed_actions).toEqual(expect.arrayContaining(['resume', 'cancel']));
    expect(await move('on_hold')).toMatchObject({ status: 200, body: { data: { version: version + 1 } } });
    expect(await move('finished')).toMatchObject(faultResponse(409, 'invalid_transition'));
    const replies = await runConcurrently(20, (at) => move(at % 2 ? 'in_progress' : 'cancelled'));
    expect(sortedStatuses(replies).every((status) => [200, 409].includes(status))).toBe(true);
    const mate = office.member({ record_scopes: { project: 'own' }, modules: ['lightproj'] });
    await office.owner.post('/api/project/member/create', {
      project_id: project.id,
      user_id: idOf(mate),
      role: 'member',
    });
    expect(await move('cancelled', {}, mate)).toMatchObject(faultResponse(403, 'project_role'));
    expect(await move('cancelled', {}, client)).toMatchObject(faultResponse(403, 'project_role'));
    expect(await violations(office)).toEqual([]);
  });

  test('is set at creation, and later by status-update', async () => {
    const created = await post('project-create-update', { external_id: 'jira-1', name: 'Shop', status: 'in_progress' });
    expect(created).toMatchObject({ status: 201, body: { data: { status: 'in_progress' } } });
    const again = { external_id: 'jira-1', name: 'Shop', status: 'in_progress' };
    expect(await post('project-create-update', again)).toMatchObject(invalidField('status'));
    expect(await post('project-create-update', { name: 'Shop', status: 'finished' })).toMatchObject(
      invalidField('status'),
    );
    expect(await post('project-create-update', { name: 'Shop', status: 'gone' })).toMatchObject(invalidField('status'));
    const { data } = (await post('project-list', { q: 'shop' })).body;
    expect(data).toMatchObject([{ external_id: 'jira-1', status: 'in_progress' }]);
  });
});
