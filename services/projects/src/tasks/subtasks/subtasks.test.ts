import { beforeEach, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let viewer: Member;
let task: { id: string };
beforeEach(async () => {
  office = await openOffice();
  viewer = office.member({ record_scopes: { project: 'own' } });
  const project = await makeProject(serving, office, { members: [[viewer, 'viewer']] });
  task = (await office.owner.post(`/api/project/${project.id}/task/create`, { title: 'Write it' })).body.data;
});

const add = (body: object, by: Member = office.owner) => by.post(`/api/project/task-subtask/create/${task.id}`, body);
const update = (id: string, body: object) => office.owner.post(`/api/project/task-subtask/update/${id}`, body);
const lines = async () => {
  const { subtasks } = (await office.owner.get(`/api/project/task/show/${task.id}`)).body.data;
  return subtasks.map(({ name, position }: { name: string; position: number }) => `${position} ${name}`);
};

test('orders a checklist, without gaps after a deletion', async () => {
  for (const name of ['A', 'B']) await add({ name });
  const { id, version } = (await add({ name: 'C', position: 0 })).body.data;
  expect(version).toBe(1);
  expect(await lines()).toEqual(['0 C', '1 A', '2 B']);
  expect((await update(id, { position: 2, done: true, due: '2030-01-01' })).body.data).toMatchObject({
    position: 2,
    done: true,
    due: '2030-01-01',
  });
  expect(await lines()).toEqual(['0 A', '1 B', '2 C']);
  expect(await update(id, { name: 'D', version: 1 })).toMatchObject({ status: 412 });
  expect((await office.owner.delete(`/api/project/task-subtask/delete/${id}`)).status).toBe(200);
  expect(await lines()).toEqual(['0 A', '1 B']);
  expect((await add({ name: 'X' }, viewer)).status).toBe(403);
});

test('gives fifty concurrent lines distinct positions, up to 100 per checklist', async () => {
  const replies = await runConcurrently(50, (at) => add({ name: `L${at}`, position: 1 }));
  expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
  expect(await violations(office)).toEqual([]);
  for (let at = 50; at < 100; at += 1) await add({ name: `L${at}` });
  expect(await add({ name: 'One more' })).toMatchObject({ status: 409, body: { code: 'checklist_full' } });
});
