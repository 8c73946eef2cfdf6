import { expect, test } from '@jest/globals';
import { openProjects } from '../../test/fixture.ts';
import { makeProject } from '../../test/project.ts';

const { serving, office: openOffice } = await openProjects();
const office = await openOffice();
const { id: project_id } = await makeProject(serving, office);
const create = (body: object = {}) =>
  office.owner.post(`/api/project/${project_id}/task/create`, { title: 'Draw', ...body });

/** How many statements some work takes, beside those that every transaction has. */
async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = serving.database.statements;
  await work();
  return serving.database.statements - before;
}

test('a task is created in one statement, after three that look things up, and read in one for the answer', async () => {
  await create();
  expect(await costOf(() => create({ description: 'In two colours.', due_date: '2099-01-31' }))).toBe(3 + 1 + 1);
});
