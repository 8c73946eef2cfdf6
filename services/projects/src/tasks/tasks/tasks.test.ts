import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { type ProjectFixture, makeProject } from '../../../test/project.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let project: ProjectFixture;
let manager: Member;
let member: Member;
let viewer: Member;
beforeEach(async () => {
  office = await openOffice();
  const own = { record_scopes: { project: 'own' as const } };
  [manager, member, viewer] = [office.member(own), office.member(own), office.member(own)];
  project = await makeProject(serving, office, {
    members: [
      [manager, 'manager'],
      [member, 'member'],
      [viewer, 'viewer'],
    ],
  });
});

const create = (body: object = {}, by: Member = office.owner, inside = project) =>
  by.post(`/api/project/${inside.id}/task/create`, { title: 'Write it', ...body });
const task = async (body: object = {}, by: Member = office.owner, inside = project) =>
  (await create(body, by, inside)).body.data;
const update = (id: string, body: object, by: Member = office.owner, inside = project) =>
  by.post(`/api/project/${inside.id}/task/update/${id}`, body);
const show = async (id: string, by: Member = office.owner) => (await by.get(`/api/project/task/show/${id}`)).body.data;
const remove = (id: string, by: Member = office.owner) => by.delete(`/api/project/${project.id}/task/delete/${id}`);
const eventsOf = (id: string) => eventTypesOf(serving, id);
const progressOf = async ({ id } = project) => {
  const [row] = await serving.sql`SELECT countable_tasks, completed_tasks, progress FROM projects WHERE id = ${id}`;
  return row;
};
const fault = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: [expect.any(String)] } } });

describe('a new task', () => {
  test('has the next number of its project, and is last in the stage of new tasks', async () => {
    const first = await task();
    const { status, body } = await create({ title: 'Read it', due_date: '2099-01-31', tags: ['docs'] });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      key: `${project.code}-2`,
      number: 2,
      title: 'Read it',
      priority: 'medium',
      stage_id: project.taskStages['To do'],
      stage: { name: 'To do' },
      group: 'unstarted',
      position: 1,
      due_date: '2099-01-31',
      is_overdue: false,
      tags: ['docs'],
      assignees: [],
      version: 1,
    });
    expect(first.position).toBe(0);
    expect(await eventsOf(body.data.id)).toEqual(['projects.task.created']);
    expect(await violations(office)).toEqual([]);
  });

  test('has the given assignees, parent, blockers, milestone and checklist', async () => {
    const other = await task();
    const created = await task({
      assignee_ids: [member.caller.user_id],
      parent_id: other.id,
      blocked_by: [other.id],
      subtasks: [{ name: 'One' }, { name: 'Two', due: '2030-01-01' }],
    });
    expect(await eventsOf(created.id)).toEqual(['projects.task.created', 'projects.task.assigned']);
    expect(await show(created.key)).toMatchObject({
      id: created.id,
      assignees: [{ id: member.caller.user_id }],
      parent_id: other.id,
      blocked_by: [{ id: other.id, key: other.key, done: false }],
      hidden_blockers: 0,
      subtasks: [
        { name: 'One', position: 0, due: null },
        { name: 'Two', position: 1, due: '2030-01-01' },
      ],
      watchers: expect.arrayContaining([expect.objectContaining({ id: member.caller.user_id })]),
      stage_history: [{ from_stage_id: null, to_group: 'unstarted' }],
    });
    expect(await show(other.id)).toMatchObject({ children: [{ id: created.id }], blocks: [{ id: created.id }] });
  });

  test('gets gapless numbers in fifty concurrent requests', async () => {
    const replies = await runConcurrently(50, () => create({}, member));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    const numbers = replies.map(({ body }) => body.data.number).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 50 }, (_, at) => at + 1));
    expect(await progressOf()).toMatchObject({ countable_tasks: 50, completed_tasks: 0 });
    expect(await violations(office)).toEqual([]);
  });

  test.each([
    ['a title that is empty', () => ({ title: '' }), 'title'],
    [
      'a stage of another project',
      async () => ({ stage_id: (await makeProject(serving, office)).taskStages['To do'] }),
      'stage_id',
    ],
    ['a stage of bugs', () => ({ stage_id: project.bugStages['New'] }), 'stage_id'],
    ['an assignee who is not a member', () => ({ assignee_ids: [office.member().caller.user_id] }), 'assignee_ids'],
    ['an assignee who is a viewer', () => ({ assignee_ids: [viewer.caller.user_id] }), 'assignee_ids'],
    ['an end before its start', () => ({ start_date: '2026-02-02', due_date: '2026-02-01' }), 'due_date'],
    ['an unknown milestone', () => ({ milestone_id: crypto.randomUUID() }), 'milestone_id'],
    ['an unknown blocker', () => ({ blocked_by: [crypto.randomUUID()] }), 'blocked_by'],
    [
      'a parent of another project',
      async () => ({ parent_id: (await task({}, office.owner, await makeProject(serving, office))).id }),
      'parent_id',
    ],
    ['an estimate of years', () => ({ estimate_minutes: 600_001 }), 'estimate_minutes'],
    ['a field that is none', () => ({ number: 7 }), 'number'],
    [
      'a rule that repeats by the hour',
      () => ({ due_date: '2030-01-01', recurrence: { rrule: 'FREQ=HOURLY' } }),
      'recurrence.rrule',
    ],
  ])('is rejected with %s, and uses no number', async (_, body, field) => {
    const before = await serving.sql`SELECT last_number FROM projects WHERE id = ${project.id}`;
    expect(await create(await body())).toMatchObject(invalidField(field));
    expect(await serving.sql`SELECT last_number FROM projects WHERE id = ${project.id}`).toEqual(before);
  });

  test('is rejected in an archived, closed or invisible project', async () => {
    const createInProject = async (columns: object) =>
      create({}, office.owner, await makeProject(serving, office, { columns: { ...columns } }));
    expect(await createInProject({ active: false })).toMatchObject(fault(409, 'project_archived'));
    expect(await createInProject({ status: 'finished' })).toMatchObject(fault(409, 'project_closed'));
    const outsider = office.member({ record_scopes: { project: 'own' } });
    expect(await create({}, outsider)).toMatchObject({ status: 404 });
    expect(await create({}, viewer)).toMatchObject(fault(403, 'project_role', { needs: 'member' }));
  });
});

describe('a change to a task', () => {
  test('does nothing if the values are the same', async () => {
    const created = await task({ due_date: '2030-01-01', tags: ['a'], assignee_ids: [member.caller.user_id] });
    const same = { title: 'Write it', due_date: '2030-01-01', tags: ['a'], stage_id: created.stage_id };
    expect((await update(created.id, { ...same, assignee_ids: [member.caller.user_id] })).body.data.version).toBe(1);
    expect(await eventsOf(created.id)).toHaveLength(2);
  });

  test('is rejected for a stale version', async () => {
    const created = await task();
    await update(created.id, { title: 'Rewrite it' }, member);
    expect(await update(created.id, { title: 'Erase it', version: 1 })).toMatchObject(
      fault(412, 'stale', { version: 2 }),
    );
  });

  test('sets and clears the given fields', async () => {
    const created = await task({ description: 'Long', due_date: '2030-01-01' });
    const { body } = await update(created.id, {
      description: null,
      start_date: '2029-12-01',
      estimate_minutes: 90,
      client_visible: true,
    });
    expect(body.data).toMatchObject({
      description: null,
      start_date: '2029-12-01',
      estimate_minutes: 90,
      client_visible: true,
    });
    expect(await update(created.id, { start_date: '2030-02-01' })).toMatchObject(invalidField('due_date'));
  });

  test('returns 404 for a task of another project', async () => {
    const created = await task();
    const other = await makeProject(serving, office);
    expect(await update(created.id, { title: 'x' }, office.owner, other)).toMatchObject({ status: 404 });
    const bug = (await office.owner.post(`/api/project/bug/create/${project.id}`, { title: 'Broken' })).body.data;
    expect(await update(bug.id, { title: 'x' })).toMatchObject({ status: 404 });
    expect((await office.owner.get(`/api/project/task/show/${bug.key}`)).status).toBe(404);
  });

  test('is allowed for members and managers only', async () => {
    const created = await task();
    const outsider = office.member({ record_scopes: { project: 'own' } });
    const replies = [];
    for (const by of [manager, member, viewer, outsider])
      replies.push(await update(created.id, { priority: 'low' }, by));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 403, 404]);
    expect(sortedStatuses([await remove(created.id, member), await remove(created.id, manager)])).toEqual([200, 403]);
  });
});

describe('completing a task', () => {
  const doneStage = () => ({ stage_id: project.taskStages['Done'] });

  test('sets the time and the progress, emits an event, and reopening clears the time', async () => {
    const created = await task();
    await task();
    const { body } = await update(created.id, doneStage());
    expect(body.data).toMatchObject({ group: 'completed', completed_at: expect.any(String) });
    expect(await progressOf()).toEqual({ countable_tasks: 2, completed_tasks: 1, progress: 50 });
    expect(await eventsOf(created.id)).toEqual([
      'projects.task.created',
      'projects.task.stage_changed',
      'projects.task.completed',
    ]);
    expect((await update(created.id, { stage_id: project.taskStages['Cancelled'] })).body.data.completed_at).toBeNull();
    expect(await progressOf()).toEqual({ countable_tasks: 1, completed_tasks: 0, progress: 0 });
    expect(await violations(office)).toEqual([]);
  });

  test('is rejected with open blockers, unless the workspace allows it', async () => {
    const first = await task();
    const hidden = await task({}, office.owner, await makeProject(serving, office));
    const created = await task({ blocked_by: [first.id, hidden.id] });
    expect(await update(created.id, doneStage(), member)).toMatchObject(
      fault(409, 'blocked', { keys: [first.key], hidden: 1 }),
    );
    expect((await show(created.id, member)).hidden_blockers).toBe(1);
    await update(created.id, { blocked_by: [] }, member);
    expect(await update(created.id, doneStage(), member)).toMatchObject(fault(409, 'blocked', { keys: [], hidden: 1 }));
    await serving.sql`UPDATE settings SET block_completion = false WHERE workspace_id = ${office.workspace}`;
    expect(await update(created.id, doneStage(), member)).toMatchObject({ status: 200 });
  });

  test('returns the number of open children', async () => {
    const parent = await task();
    await task({ parent_id: parent.id });
    expect((await update(parent.id, doneStage())).body.data).toMatchObject({ group: 'completed', open_children: 1 });
  });
});

describe('circular tasks', () => {
  test('are rejected as blockers, with the path of the cycle', async () => {
    const [a, b, c] = [await task(), await task(), await task()];
    await update(b.id, { blocked_by: [a.id] });
    await update(c.id, { blocked_by: [b.id] });
    expect(await update(a.id, { blocked_by: [c.id] })).toMatchObject(
      fault(409, 'circular_blockers', { path: [a.key, c.key, b.key, a.key] }),
    );
    expect(await update(a.id, { blocked_by: [a.id] })).toMatchObject(fault(409, 'circular_blockers'));
  });

  test('are found with any number of paths', async () => {
    const ids = (await Promise.all(Array.from({ length: 60 }, () => task()))).map(({ id }) => id);
    await serving.sql`INSERT INTO blockers (workspace_id, item_id, blocker_id)
      SELECT ${office.workspace}::uuid, item.id, blocker.id FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS item (id, at)
        JOIN unnest(${ids}::uuid[]) WITH ORDINALITY AS blocker (id, at) ON (blocker.at - 1) / 5 = (item.at - 1) / 5 + 1`;
    const reply = await update(ids[59], { blocked_by: [ids[0]] });
    expect([reply.body.code, reply.body.details.path.length]).toEqual(['circular_blockers', 13]);
  });

  test('cannot be created by two concurrent requests', async () => {
    for (let round = 0; round < 5; round += 1) {
      const other = await makeProject(serving, office);
      const [a, b] = [await task(), await task({}, office.owner, other)];
      const replies = await Promise.all([
        update(a.id, { blocked_by: [b.id] }),
        update(b.id, { blocked_by: [a.id] }, office.owner, other),
      ]);
      expect(sortedStatuses(replies)).toEqual([200, 409]);
    }
  });

  test('are rejected as parents, and so are more than five levels', async () => {
    let parent = await task();
    const first = parent;
    for (let level = 2; level <= 5; level += 1) parent = await task({ parent_id: parent.id });
    expect(await create({ parent_id: parent.id })).toMatchObject(invalidField('parent_id'));
    expect(await update(first.id, { parent_id: parent.id })).toMatchObject(fault(409, 'circular_parents'));
    expect(await update(first.id, { parent_id: first.id })).toMatchObject(fault(409, 'circular_parents'));
  });
});
