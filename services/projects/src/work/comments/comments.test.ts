import { beforeEach, expect, test } from '@jest/globals';
import { type Member, sortedStatuses } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
let viewer: Member;
let client: Member;
let outsider: Member;
let task: { id: string; key: string };
beforeEach(async () => {
  office = await openOffice();
  const can = ['project.view', 'task.view', 'bug.view'];
  viewer = office.member({ record_scopes: { project: 'own' } });
  outsider = office.member({ record_scopes: { project: 'own' } });
  client = office.member({ kind: 'client', can });
  project = await makeProject(serving, office, { members: [[viewer, 'viewer']], clients: [client] });
  const body = { title: 'Write it', client_visible: true };
  task = (await office.owner.post(`/api/project/${project.id}/task/create`, body)).body.data;
});

const comment = (body: object, by: Member = office.owner) =>
  by.post(`/api/project/task/${task.id}/comment/create`, body);
const listComments = async (by: Member = office.owner) => (await by.get(`/api/project/task/show/${task.id}`)).body.data;
const bodies = async (by: Member) => (await listComments(by)).comments.map(({ body }: { body: string | null }) => body);

test('hides team comments from clients, but shows client comments to all', async () => {
  await comment({ body: 'Too dear' });
  await comment({ body: 'Nearly done', visibility: 'client' }, viewer);
  const { status, body } = await comment({ body: 'When?', visibility: 'team' }, client);
  expect(status).toBe(201);
  expect(body.data).toMatchObject({ visibility: 'client', author: { id: client.caller.user_id, kind: 'client' } });
  expect(await bodies(client)).toEqual(['Nearly done', 'When?']);
  expect(await bodies(viewer)).toEqual(['Too dear', 'Nearly done', 'When?']);
  const columns = async (by: Member) => (await by.get(`/api/project/${project.id}/task-board`)).body.data.columns;
  const counts = (found: { tasks: { comment_count: number }[] }[]) =>
    found.flatMap(({ tasks }) => tasks.map(({ comment_count }) => comment_count));
  expect([counts(await columns(client)), counts(await columns(viewer))]).toEqual([[2], [3]]);
  expect((await comment({ body: 'Hello' }, outsider)).status).toBe(404);
});

test('allows the author to change a comment, and a manager to delete it, too', async () => {
  const { id } = (await comment({ body: 'Frist' }, viewer)).body.data;
  const change = (by: Member) => by.post(`/api/project/comment/update/${id}`, { body: 'First' });
  const remove = (by: Member) => by.delete(`/api/project/task/comment/delete/${id}`);
  expect((await change(office.owner)).status).toBe(403);
  expect((await change(viewer)).body.data).toMatchObject({ body: 'First', edited_at: expect.any(String) });
  expect(sortedStatuses([await change(client), await remove(client)])).toEqual([404, 404]);
  expect((await office.owner.delete(`/api/project/bug/${id}/comment/delete`)).status).toBe(404);
  expect((await remove(office.owner)).status).toBe(200);
  expect((await listComments()).comments).toMatchObject([{ id, body: null, deleted: true }]);
  expect(sortedStatuses([await remove(viewer), await change(viewer)])).toEqual([404, 404]);
});

test('starts watching after a comment until the user stops it', async () => {
  const watchers = async () => (await listComments()).watchers.map(({ id }: { id: string }) => id);
  await comment({ body: 'Hello' }, viewer);
  expect(await watchers()).toContain(viewer.caller.user_id);
  const watch = (watching: boolean) => viewer.post(`/api/project/task/watch/${task.id}`, { watching });
  expect((await watch(false)).body.data).toEqual({ watching: false });
  await comment({ body: 'Again' }, viewer);
  expect(await watchers()).not.toContain(viewer.caller.user_id);
});
