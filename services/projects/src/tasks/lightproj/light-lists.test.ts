import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock } from '@suite/testing';
import { createProject } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, office: openOffice } = await openProjects();
let office: ProjectsFixture;
let light: Member;
beforeEach(async () => {
  office = await openOffice();
  light = office.member({ modules: ['lightproj'] });
});

const post = (path: string, body: object, by = light) => by.post(`/api/lightproj/${path}`, body);
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });

describe('a project list with filters in the body', () => {
  test('is filtered by health and by tags, including tags with commas', async () => {
    const createListedProject = async (name: string, tags: string[], health: string) => {
      const id = await createProject(office, { name, tags });
      await post('project-create-update', { id, health });
    };
    await createListedProject('One', ['web, mobile'], 'on_track');
    await createListedProject('Two', ['web'], 'at_risk');
    await createListedProject('Three', ['mobile'], 'off_track');
    const findProjects = async (body: object) =>
      (await post('project-list', { sort: 'created_at', ...body })).body.data.map(({ name }: { name: string }) => name);
    expect(await findProjects({ tags: 'web, mobile' })).toEqual(['One']);
    expect(await findProjects({ tags: ['web, mobile'] })).toEqual(['One']);
    expect(await findProjects({ tags: ['web', 'mobile'] })).toEqual(['Two', 'Three']);
    expect(await post('project-list', { tags: ['web, mobile', 'web'] })).toMatchObject(invalidField('tags'));
    expect(await findProjects({ health: 'at_risk' })).toEqual(['Two']);
    expect(await findProjects({ health: ['at_risk', 'off_track'], is_overdue: false })).toEqual(['Two', 'Three']);
    expect(await findProjects({ member_id: [crypto.randomUUID(), light.caller.user_id] })).toEqual([]);
  });

  test('rejects an unknown filter value and a page beyond the limit', async () => {
    const cases: [object, string][] = [
      [{ status: 'open' }, 'status'],
      [{ status: [] }, 'status'],
      [{ status: null }, 'status'],
      [{ health: ['fine'] }, 'health'],
      [{ member_id: 'me' }, 'member_id'],
      [{ start_date_from: 'yesterday' }, 'start_date_from'],
      [{ active: 'yes' }, 'active'],
      [{ page: 0 }, 'page'],
      [{ page: 500, per_page: 100 }, 'page'],
      [{ per_page: 101 }, 'per_page'],
      [{ sort: 'colour' }, 'sort'],
      [{ sort: 'name,-name' }, 'sort'],
      [{ q: 'a '.repeat(21) }, 'q'],
    ];
    for (const [body, field] of cases) expect(await post('project-list', body)).toMatchObject(invalidField(field));
  });
});

describe('a task list with filters in the body', () => {
  test('contains tasks of the caller or of a named user', async () => {
    const project_id = await createProject(office);
    await post('task-create-update', { project_id, title: 'Draw' }, office.owner);
    const assignee_id = light.caller.user_id;
    expect(await post('task-list', { mine: true, assignee_id })).toMatchObject(invalidField('assignee_id'));
    expect((await post('task-list', { mine: false, assignee_id })).body.data).toEqual([]);
    expect((await post('task-list', { mine: false })).body.data).toHaveLength(1);
    for (const [body, field] of [
      [{ group: 'open' }, 'group'],
      [{ priority: ['low', 'lowest'] }, 'priority'],
      [{ due_date_to: '2026-02-30' }, 'due_date_to'],
      [{ mine: 'yes' }, 'mine'],
      [{ page: 502 }, 'page'],
    ] as const)
      expect(await post('task-list', body)).toMatchObject(invalidField(field));
  });

  test('pages to the end, with each task once', async () => {
    const project_id = await createProject(office);
    for (let count = 0; count < 12; count += 1)
      await post('task-create-update', { project_id, title: `Task ${count}` }, office.owner);
    const numbers: number[] = [];
    for (let page = 1; page <= 4; page += 1) {
      const { data, meta } = (await post('task-list', { project_id, page, per_page: 5, sort: 'number' })).body;
      expect(meta).toMatchObject({ page, per_page: 5, total: 12 });
      numbers.push(...data.map(({ number }: { number: number }) => number));
    }
    expect(numbers).toEqual(Array.from({ length: 12 }, (_, at) => at + 1));
  });
});

describe('a client', () => {
  test.each([
    ['project-list', { health: 'at_risk' }, 'health'],
    ['project-list', { tags: ['web'] }, 'tags'],
    ['project-list', { customer_id: crypto.randomUUID() }, 'customer_id'],
    ['project-list', { is_template: true }, 'is_template'],
  ])('gets an error in %s for the hidden field of %j', async (path, body, field) => {
    const client = office.member({ kind: 'client', modules: ['lightproj'] });
    await createProject(office, { client_ids: [client.caller.user_id] });
    expect((await post(path, {}, client)).body.data).toHaveLength(1);
    expect(await post(path, body, client)).toMatchObject(invalidField(field));
  });
});

test('finds project users by name for clients, but not by hidden fields', async () => {
  const client = office.member({ kind: 'client', modules: ['lightproj'] });
  await createProject(office, { client_ids: [client.caller.user_id] });
  const owner = office.owner.caller.user_id;
  await serving.sql`UPDATE users SET email = 'kim@secret.example', phone = '+49301234' WHERE id = ${owner}`;
  const findProjects = async (q: string, by: Member) =>
    (await by.get(`/api/lightproj/users?q=${encodeURIComponent(q)}`)).body.data.map(({ id }: { id: string }) => id);
  for (const q of ['kim@secret.example', 'kim@secret.ex', '+4930']) {
    expect(await findProjects(q, light)).toEqual([owner]);
    expect(await findProjects(q, client)).toEqual([]);
  }
  expect(await findProjects('Kim Ex', client)).toEqual([owner]);
  expect(await findProjects('Grace', client)).toEqual([]);
  expect((await client.get('/api/lightproj/users')).body.data).toMatchObject([{ id: owner, email: null }]);
});

test('uses the calendar days of the workspace in the dashboard', async () => {
  const clock = freezeClock('2026-06-07T21:30:00Z');
  const project_id = await createProject(office);
  const { id } = (await post('task-create-update', { project_id, title: 'Draw', due_date: '2026-06-08' })).body.data;
  const { stages } = (await post('project-details', { id: project_id })).body.data;
  const done = stages.find(
    ({ kind, group }: { kind: string; group: string }) => kind === 'task' && group === 'completed',
  );
  const tasks = async () => (await light.get('/api/lightproj/home')).body.data;
  // In Berlin, the local time is 23:30 on Sunday.
  expect(await tasks()).toMatchObject({ today: '2026-06-07', tasks: { due_today: 0, overdue: 0, open: 1 } });
  clock.goTo('2026-06-07T22:30:00Z');
  expect(await tasks()).toMatchObject({ today: '2026-06-08', tasks: { due_today: 1, overdue: 0 } });
  clock.goTo('2026-06-08T22:30:00Z');
  expect(await tasks()).toMatchObject({ today: '2026-06-09', tasks: { due_today: 0, overdue: 1 } });
  clock.goTo('2026-06-07T21:45:00Z');
  await post('task-stage-update', { task_id: id, stage_id: done.id });
  expect(await tasks()).toMatchObject({ tasks: { open: 0, overdue: 0, completed_this_week: 1 } });
  // Already Monday: tasks completed on Sunday belong to the previous week.
  clock.goTo('2026-06-07T22:30:00Z');
  expect(await tasks()).toMatchObject({ tasks: { completed_this_week: 0 } });
});
