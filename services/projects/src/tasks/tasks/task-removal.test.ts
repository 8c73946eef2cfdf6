import { expect, test } from '@jest/globals';
import { openProjects } from '../../../test/fixture.ts';
import { makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();

test('deletes a task, retires its number, and releases blocked and child tasks', async () => {
  const office = await openOffice();
  const project = await makeProject(serving, office);
  const task = async (body: object = {}) =>
    (await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'Write it', ...body })).body.data;
  const show = (name: string) => office.owner.get(`/api/project/task/show/${name}`);
  const remove = (id: string) => office.owner.delete(`/api/project/${project.id}/task/delete/${id}`);
  const top = await task();
  const created = await task({ parent_id: top.id });
  const child = await task({ parent_id: created.id, blocked_by: [created.id] });
  expect(await remove(created.id)).toMatchObject({ status: 200, body: { data: { id: created.id } } });
  expect((await show(child.id)).body.data).toMatchObject({ parent_id: top.id, blocked_by: [] });
  expect((await show(created.key)).status).toBe(404);
  expect((await task()).number).toBe(4);
  const [row] = await serving.sql`SELECT countable_tasks FROM projects WHERE id = ${project.id}`;
  expect(row).toEqual({ countable_tasks: 3 });
  expect(await remove(created.id)).toMatchObject({ status: 404 });
  expect(await violations(office)).toEqual([]);
});
