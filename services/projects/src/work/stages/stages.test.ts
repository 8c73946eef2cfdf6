import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently } from '@suite/testing';
import { createProject } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let owner: Member;
let project_id: string;
beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
  project_id = await createProject(office);
});

interface Stage {
  id: string;
  name: string;
  group: string;
  is_default: boolean;
  count: number;
}

const stagesOf = async (kind = 'task', of = `project_id=${project_id}`): Promise<Stage[]> =>
  (await owner.get(`/api/project/${kind}-stages?${of}&sort=order`)).body.data;
const stageNamed = async (name: string): Promise<Stage> => (await stagesOf()).find((stage) => stage.name === name)!;
const create = (body: object, kind = 'task', by = owner) =>
  by.post(`/api/project/${kind}-stage/create`, { project_id, name: 'Blocked', group: 'started', ...body });
const update = (id: string, body: object, by = owner) => by.post(`/api/project/task-stage/update/${id}`, body);
const remove = (id: string, move_to?: string) =>
  owner.delete(`/api/project/task-stage/delete/${id}${move_to ? `?move_to=${move_to}` : ''}`);

/** Adds a task at the end of a stage. */
async function addTaskTo({ id: stage_id }: Stage): Promise<string> {
  const { body } = await owner.post(`/api/project/${project_id}/task/create`, { title: 'Draw', stage_id });
  return body.data.id;
}

describe('a workspace', () => {
  test('starts with a board for tasks and one for bugs', async () => {
    const namesOf = async (kind: string) =>
      (await stagesOf(kind, 'project_id[null]=true')).map(({ name, group }) => `${name} (${group})`);
    expect(await namesOf('task')).toEqual([
      'Backlog (backlog)',
      'To do (unstarted)',
      'In progress (started)',
      'In review (started)',
      'Done (completed)',
      'Cancelled (cancelled)',
    ]);
    expect(await namesOf('bug')).toHaveLength(6);
    expect(await violations(office)).toEqual([]);
  });

  test('changes the default set for future projects only with the permission', async () => {
    const member = office.member({ can: ['project.update', 'project.view', 'stage.view'] });
    const body = { project_id: undefined };
    expect(await create(body, 'bug', member)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', details: { permission: 'stage.create' } },
    });
    expect((await create(body, 'bug')).status).toBe(201);
    expect(await stagesOf('bug')).toHaveLength(6);
    const later = await createProject(office);
    expect(await stagesOf('bug', `project_id=${later}`)).toHaveLength(7);
    expect((await owner.get('/api/bug-status-list?sort=order')).body.data).toHaveLength(7);
    expect((await owner.get(`/api/bug-status-list?project_id=${project_id}`)).body.data).toHaveLength(6);
  });
});

describe('a stage', () => {
  test('is added at the end or at a position, with a unique name', async () => {
    expect((await create({})).body.data).toMatchObject({ order: 6, color: '#64748b', count: 0 });
    expect((await create({ name: 'First', order: 0 })).body.data).toMatchObject({ order: 0 });
    expect(await create({ name: 'BLOCKED' })).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    expect((await create({ name: 'blocked' }, 'bug')).status).toBe(201);
    expect((await create({ name: 'X', wip_limit: 1000 })).status).toBe(422);
    expect((await create({ name: 'Y', group: 'completed', is_default: true })).status).toBe(422);
    expect(await violations(office)).toEqual([]);
  });

  test('can replace another stage as the default for new cards', async () => {
    const backlog = await stageNamed('Backlog');
    expect((await update(backlog.id, { is_default: true })).body.data.is_default).toBe(true);
    expect((await stagesOf()).filter(({ is_default }) => is_default)).toMatchObject([{ name: 'Backlog' }]);
    expect((await update(backlog.id, { is_default: false })).status).toBe(422);
    expect((await update(backlog.id, { group: 'started' })).status).toBe(422);
  });

  test('does not complete its cards when its group changes', async () => {
    const [started, done] = [await stageNamed('In progress'), await stageNamed('Done')];
    await addTaskTo(started);
    expect(await update(started.id, { group: 'completed' })).toMatchObject({
      status: 409,
      body: { code: 'in_use', details: { tasks: 1 } },
    });
    expect((await update(started.id, { group: 'unstarted' })).body.data).toMatchObject({
      group: 'unstarted',
      count: 1,
    });
    expect(await serving.sql`SELECT "group" FROM work_items WHERE project_id = ${project_id}`).toEqual([
      { group: 'unstarted' },
    ]);
    expect(await update(done.id, { group: 'started' })).toMatchObject({ status: 409, body: { code: 'last_stage' } });
  });

  test('is reordered with all others, even in concurrent requests', async () => {
    const ids = (await stagesOf()).map(({ id }) => id);
    const orderStages = (stage_ids: string[]) => owner.post('/api/project/task-stage/order', { project_id, stage_ids });
    for (const wrong of [ids.slice(1), [...ids, ids[0]!], [...ids.slice(1), project_id]])
      expect(await orderStages(wrong)).toMatchObject({
        status: 422,
        body: { errors: { stage_ids: [expect.any(String)] } },
      });
    const orders = Array.from({ length: 50 }, (_, at) => (at % 2 ? ids : ids.toReversed()));
    const replies = await Promise.all(orders.map(orderStages));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    expect([ids.join(), ids.toReversed().join()]).toContain((await stagesOf()).map(({ id }) => id).join());
    expect(await violations(office)).toEqual([]);
  });

  test('is deleted after its cards have moved, in order and behind the existing cards', async () => {
    const [review, progress, done] = [
      await stageNamed('In review'),
      await stageNamed('In progress'),
      await stageNamed('Done'),
    ];
    const [first, second] = [await addTaskTo(review), await addTaskTo(review)];
    const there = await addTaskTo(progress);
    expect(await remove(review.id)).toMatchObject({ status: 409, body: { code: 'in_use', details: { tasks: 2 } } });
    for (const wrong of [done.id, review.id, (await stagesOf('bug'))[0]!.id])
      expect(await remove(review.id, wrong)).toMatchObject({
        status: 422,
        body: { errors: { move_to: [expect.any(String)] } },
      });
    expect((await remove(review.id, progress.id)).body.data).toMatchObject({ id: review.id });
    const rows = await serving.sql`SELECT id FROM work_items WHERE stage_id = ${progress.id} ORDER BY rank`;
    expect(rows.map(({ id }) => id)).toEqual([there, first, second]);
    expect(await serving.sql`SELECT to_group FROM stage_changes WHERE item_id = ${first}`).toEqual([
      { to_group: 'started' },
      { to_group: 'started' },
    ]);
    const events = await serving.sql`
      SELECT type FROM journal_events WHERE aggregate_id IN (${first}, ${second}) AND type LIKE '%stage_changed'`;
    expect(events.map(({ type }) => type)).toEqual(Array(2).fill('projects.task.stage_changed'));
    expect(await violations(office)).toEqual([]);
  });

  test('cannot be deleted if the board needs it', async () => {
    const [todo, done, backlog] = [await stageNamed('To do'), await stageNamed('Done'), await stageNamed('Backlog')];
    for (const { id } of [todo, done])
      expect(await remove(id)).toMatchObject({ status: 409, body: { code: 'last_stage' } });
    expect((await remove(todo.id, backlog.id)).status).toBe(200);
    expect(await stageNamed('Backlog')).toMatchObject({ is_default: true });
    expect(await update((await stagesOf('bug'))[0]!.id, { name: 'X' })).toMatchObject({ status: 404 });
  });

  test('can be changed only by managers of the project', async () => {
    const grace = office.member({ record_scopes: { project: 'own' } });
    await owner.post('/api/project/member/create', { project_id, user_id: grace.caller.user_id, role: 'member' });
    expect(await create({}, 'task', grace)).toMatchObject({ status: 403, body: { code: 'project_role' } });
    const outsider = office.member({ record_scopes: { project: 'own' } });
    expect((await create({}, 'task', outsider)).status).toBe(422);
    expect(
      sortedStatuses(
        await runConcurrently(2, async () => update((await stageNamed('Done')).id, { name: 'X' }, outsider)),
      ),
    ).toEqual([404, 404]);
  });
});
