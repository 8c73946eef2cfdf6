import { expect, test } from '@jest/globals';
import { openProjects } from '../../../test/fixture.ts';
import { makeProject } from '../../../test/project.ts';

const { serving, office: openOffice } = await openProjects();
const office = await openOffice();
const { owner } = office;
const { id: project_id } = await makeProject(serving, office);

test('returns subtasks and blocking tasks of a created or updated task', async () => {
  const create = (body: object) => owner.post(`/api/project/${project_id}/task/create`, { title: 'Draw', ...body });
  const first = (await create({})).body.data;
  expect(first).toMatchObject({ subtasks: [], blocked_by: [] });
  const { data } = (await create({ blocked_by: [first.id], subtasks: [{ name: 'Find a pencil' }] })).body;
  expect(data).toMatchObject({
    subtasks: [{ name: 'Find a pencil', allowed_actions: ['update', 'delete'] }],
    blocked_by: [{ id: first.id, key: first.key }],
  });
  const changed = await owner.post(`/api/project/${project_id}/task/update/${data.id}`, { blocked_by: [] });
  expect(changed.body.data).toMatchObject({ subtasks: [{ name: 'Find a pencil' }], blocked_by: [] });
});

test('returns the blocking bugs of a created or updated bug', async () => {
  const create = (body: object) => owner.post(`/api/project/bug/create/${project_id}`, { title: 'It blinks', ...body });
  const first = (await create({})).body.data;
  const { data } = (await create({ blocked_by: [first.id] })).body;
  expect(data).toMatchObject({ blocked_by: [{ id: first.id }], allowed_actions: expect.arrayContaining(['update']) });
  const changed = await owner.post(`/api/project/${project_id}/bug/update/${data.id}`, { title: 'It flickers' });
  expect(changed.body.data).toMatchObject({ blocked_by: [{ id: first.id }] });
});

test('records of an archived project allow no action', async () => {
  const { id } = await makeProject(serving, office);
  const task = (await owner.post(`/api/project/${id}/task/create`, { title: 'Draw' })).body.data;
  await owner.post(`/api/project/task/${task.id}/comment/create`, { body: 'Nice.' });
  await owner.post('/api/project/milestone/create', { project_id: id, title: 'Design' });
  const show = async () => (await owner.get(`/api/project/task/show/${task.id}`)).body.data;
  expect((await show()).comments).toMatchObject([{ allowed_actions: ['update', 'delete'] }]);
  await owner.post(`/api/project/update/${id}`, { active: false });
  expect(await show()).toMatchObject({ allowed_actions: [], comments: [{ allowed_actions: [] }] });
  const rows = [
    ...(await owner.get(`/api/project/milestones?project_id=${id}`)).body.data,
    ...(await owner.get(`/api/project/task-stages?project_id=${id}`)).body.data,
    ...(await owner.get(`/api/lightproj/projects/${id}/tasks`)).body.data,
  ];
  expect(rows.length).toBeGreaterThan(2);
  expect(rows.filter(({ allowed_actions }) => allowed_actions.length > 0)).toEqual([]);
});
