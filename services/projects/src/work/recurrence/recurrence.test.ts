import { beforeEach, expect, test } from '@jest/globals';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';
import { makeRecurringTasks } from './recurring-tasks.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
beforeEach(async () => {
  office = await openOffice();
  project = await makeProject(serving, office);
});

const task = async (body: object) => {
  const created = await office.owner.post(`/api/project/${project.id}/task/create`, {
    title: 'Water the plants',
    ...body,
  });
  return created.body.data;
};
const series = async () =>
  (await office.owner.get(`/api/lightproj/projects/${project.id}/tasks?sort=number`)).body.data;
const runJob = () => makeRecurringTasks(serving.tools as never);
const complete = (id: string) =>
  office.owner.post(`/api/project/${project.id}/task/update/${id}`, { stage_id: project.taskStages['Done'] });

test('recreates a completed task on its next day, with its related records', async () => {
  const rule = { rrule: 'FREQ=WEEKLY' };
  const created = await task({
    due_date: '2099-01-01',
    start_date: '2098-12-30',
    recurrence: rule,
    subtasks: [{ name: 'Cacti' }],
    assignee_ids: [office.owner.caller.user_id],
    priority: 'high',
  });
  await complete(created.id);
  const [first, second, ...more] = await series();
  expect(more).toEqual([]);
  expect(first).toMatchObject({ group: 'completed', recurrence: null });
  expect(second).toMatchObject({
    title: 'Water the plants',
    due_date: '2099-01-08',
    start_date: '2099-01-06',
    priority: 'high',
    group: 'unstarted',
    recurrence: rule,
    series_id: first.series_id,
  });
  const shown = (await office.owner.get(`/api/project/task/show/${second.key}`)).body.data;
  expect(shown).toMatchObject({ subtasks: [{ name: 'Cacti', done: false }], assignees: [{}] });
  expect(await violations(office)).toEqual([]);
});

test('recreates a due task automatically, after a pause on the latest day only', async () => {
  await task({ due_date: '2026-01-05', recurrence: { rrule: 'FREQ=DAILY;COUNT=4' } });
  await runJob();
  expect((await series()).map(({ due_date }: { due_date: string }) => due_date)).toEqual(['2026-01-05', '2026-01-08']);
  await runJob();
  await runJob();
  expect(await series()).toHaveLength(2);
  expect(await serving.sql`SELECT id FROM users WHERE workspace_id = ${office.workspace}`).toHaveLength(1);
  const skipped = await serving.sql`
    SELECT diff FROM activities WHERE workspace_id = ${office.workspace} AND verb = 'skipped'`;
  expect(skipped).toEqual([{ diff: { due_date: [['2026-01-06', '2026-01-07'], null], skipped_count: [0, 2] } }]);
});

test('records the first, the last and the number of the skipped days of a long pause', async () => {
  await task({ due_date: '1900-01-01', recurrence: { rrule: 'FREQ=DAILY;UNTIL=20091231' } });
  await runJob();
  const { body } = await office.owner.get(`/api/project/activity/${project.id}`);
  const [skipped, ...more] = body.data.filter(({ verb }: { verb: string }) => verb === 'skipped');
  expect(more).toEqual([]);
  expect(skipped.diff).toEqual({ due_date: [['1900-01-02', '2009-12-30'], null], skipped_count: [0, 40_175] });
});

test('creates one next task for two concurrent completions', async () => {
  const { id } = await task({ due_date: '2099-01-01', recurrence: { rrule: 'FREQ=MONTHLY' } });
  await Promise.all([complete(id), complete(id), complete(id)]);
  expect(await series()).toHaveLength(2);
});

test('continues a series in a full stage, and when completed in another project', async () => {
  const created = await task({ due_date: '2099-01-01', recurrence: { rrule: 'FREQ=MONTHLY' } });
  await serving.sql`UPDATE stages SET wip_limit = 1 WHERE id = ${project.taskStages['To do']!}`;
  await serving.sql`UPDATE work_items SET stage_id = ${project.taskStages['Backlog']!} WHERE id = ${created.id}`;
  await task({});
  expect(await complete(created.id)).toMatchObject({ status: 200 });
  const second = (await series()).at(-1);
  expect(second).toMatchObject({ due_date: '2099-02-01', group: 'unstarted' });
  const other = await makeProject(serving, office);
  const move = (stage: string) =>
    office.owner.post(`/api/project/task/move/${second.id}`, {
      project_id: other.id,
      stage_id: other.taskStages[stage],
    });
  const update = (body: object) => office.owner.post(`/api/project/${project.id}/task/update/${second.id}`, body);
  const { id: blocker } = await task({ stage_id: project.taskStages['Backlog'] });
  await update({ blocked_by: [blocker] });
  expect(await move('Done')).toMatchObject({ status: 409, body: { code: 'blocked' } });
  await update({ blocked_by: [] });
  expect(await move('Done')).toMatchObject({ status: 200, body: { data: { recurrence: null } } });
  const there = (await office.owner.get(`/api/lightproj/projects/${other.id}/tasks?sort=number`)).body.data;
  expect(there).toMatchObject([{ group: 'completed' }, { due_date: '2099-03-01', group: 'unstarted' }]);
  expect(await violations(office)).toEqual([]);
});

test('requires a start day for a rule', async () => {
  const reply = await office.owner.post(`/api/project/${project.id}/task/create`, {
    title: 'Water the plants',
    recurrence: { rrule: 'FREQ=DAILY' },
  });
  expect(reply).toMatchObject({ status: 422, body: { errors: { due_date: [expect.any(String)] } } });
});
