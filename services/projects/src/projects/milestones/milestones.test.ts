import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { createProject } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, office: openOffice } = await openProjects();
let office: ProjectsFixture;
let owner: Member;
let project_id: string;
beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
  project_id = await createProject(office);
});

const create = (body: object = {}, by = owner) =>
  by.post('/api/project/milestone/create', { project_id, title: 'Design', ...body });
const update = (id: string, body: object, by = owner) => by.post(`/api/project/milestone/update/${id}`, body);

describe('a milestone', () => {
  test('rejects a cost with more decimals than the currency of its project', async () => {
    const refused = { status: 422, body: { errors: { cost: ['This has more decimals than EUR. Round the amount.'] } } };
    expect(await create({ cost: '12.345' })).toMatchObject(refused);
    const { id } = (await create({ cost: '5' })).body.data;
    expect(await update(id, { cost: '0.001' })).toMatchObject(refused);
    expect((await update(id, { cost: '7.5000' })).body.data).toMatchObject({ cost: '7.50' });
  });

  test('is completed and reopened, and becomes overdue after its last day', async () => {
    const { body } = await create({ end_date: '2020-01-01', cost: '12.35', client_visible: true });
    const { id } = body.data;
    expect(body.data).toMatchObject({
      status: 'incomplete',
      is_overdue: true,
      cost: '12.35',
      progress: 0,
      open_tasks: 0,
    });
    expect((await owner.get('/api/project/milestones?is_overdue=true')).body.data).toMatchObject([{ id }]);
    const completed = (await update(id, { status: 'complete' })).body.data;
    expect(completed).toMatchObject({
      status: 'complete',
      is_overdue: false,
      allowed_actions: ['reopen', 'update', 'delete'],
    });
    expect((await update(id, { status: 'complete' })).body.data.version).toBe(completed.version);
    expect((await update(id, { status: 'incomplete', version: 1 })).status).toBe(412);
    expect((await update(id, { status: 'incomplete' })).body.data.status).toBe('incomplete');
    const verbs = (await owner.get(`/api/project/activity/${project_id}?object=milestone`)).body.data;
    expect(verbs.map(({ verb }: { verb: string }) => verb)).toEqual(['reopened', 'completed', 'created']);
  });

  test('cannot end before it starts', async () => {
    expect((await create({ start_date: '2026-12-02', end_date: '2026-12-01' })).body.errors).toHaveProperty('end_date');
    const { id } = (await create({ start_date: '2026-12-02' })).body.data;
    expect((await update(id, { end_date: '2026-12-01' })).body.errors).toHaveProperty('end_date');
    expect((await update(id, { start_date: null, end_date: '2026-12-01' })).status).toBe(200);
  });

  test('is deleted, and its tasks remain without a milestone', async () => {
    const { id } = (await create()).body.data;
    await serving.sql`
      INSERT INTO work_items (id, workspace_id, kind, project_id, number, title, stage_id, rank, milestone_id)
      SELECT gen_random_uuid(), workspace_id, 'task', project_id, 1, 'Draw', id, 1, ${id}::uuid FROM stages
      WHERE project_id = ${project_id} AND kind = 'task' AND is_default`;
    expect((await owner.delete(`/api/project/milestone/delete/${id}`)).status).toBe(200);
    expect(await serving.sql`SELECT milestone_id FROM work_items WHERE project_id = ${project_id}`).toEqual([
      { milestone_id: null },
    ]);
  });

  test('is visible to members, and can be changed by managers', async () => {
    const { id } = (await create({ cost: '5' })).body.data;
    const grace = office.member({ record_scopes: { project: 'own' } });
    expect(await update(id, { title: 'X' }, grace)).toMatchObject({ status: 404 });
    await owner.post('/api/project/member/create', { project_id, user_id: grace.caller.user_id, role: 'viewer' });
    expect((await grace.get('/api/project/milestones')).body.data).toMatchObject([
      { id, cost: null, allowed_actions: [] },
    ]);
    expect(await update(id, { title: 'X' }, grace)).toMatchObject({ status: 403, body: { code: 'project_role' } });
  });
});
