import { expect, test } from '@jest/globals';
import { openProjects } from '../../../test/fixture.ts';
import { makeProject } from '../../../test/project.ts';

const { serving, office: openOffice } = await openProjects();
const office = await openOffice();
const { id: project_id } = await makeProject(serving, office);
const create = (body: object = {}) =>
  office.owner.post(`/api/project/${project_id}/task/create`, { title: 'Draw', ...body });

/** Returns the number of statements of some work, without the ones of every transaction. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = serving.database.statements;
  await work();
  return serving.database.statements - before;
}

test('creates a task with three look-ups, one insert and one read', async () => {
  await create();
  expect(await costOf(() => create({ description: 'In two colours.', due_date: '2099-01-31' }))).toBe(3 + 1 + 1);
});
