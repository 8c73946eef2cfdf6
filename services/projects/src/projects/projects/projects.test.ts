import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { createProject, fileFor } from '../../../test/create-one-of-each.ts';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';

const { serving, finance, office: openOffice, violations } = await openProjects();
let office: ProjectsFixture;
let owner: Member;
beforeEach(async () => {
  office = await openOffice();
  owner = office.owner;
});

const create = async (body: object = {}, by = owner) =>
  (await by.post('/api/projects/create', { name: 'Website relaunch', ...body })).body.data;
const show = async (id: string, by = owner) => (await by.get(`/api/project/show/${id}`)).body.data;
const update = (id: string, body: object, by = owner) => by.post(`/api/project/update/${id}`, body);
const own = { record_scopes: { project: 'own' as const } };
const eventsOf = (id: string) => eventTypesOf(serving, id);

describe('a project', () => {
  test('starts with its creator as manager and the stages of the workspace', async () => {
    const project = await create({
      budget: '1000.01',
      hourly_rate: '62.1250',
      tags: ['web', 'web'],
      start_date: '2026-12-01',
    });
    expect(project).toMatchObject({
      code: 'WR',
      status: 'not_started',
      budget: '1000.01',
      hourly_rate: '62.125',
      currency: 'EUR',
      tags: ['web'],
      progress: 0,
      open_tasks: 0,
      members: [{ role: 'manager', user: { name: 'Kim Example' } }],
      allowed_actions: ['start', 'cancel', 'update', 'delete'],
    });
    const shown = await show(project.id);
    expect(shown.stages.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...Array(6).fill('task'),
      ...Array(6).fill('bug'),
    ]);
    expect(shown).toMatchObject({ counts: { tasks: 0, bugs: 0 }, activity: [{ verb: 'created' }] });
    expect(await eventsOf(project.id)).toEqual(['projects.project.created']);
    expect(await violations(office)).toEqual([]);
  });

  test('gets a unique code, even when many are created concurrently', async () => {
    const replies = await runConcurrently(50, () => owner.post('/api/projects/create', { name: 'Website relaunch' }));
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    expect(new Set(replies.map(({ body }) => body.data.code)).size).toBe(50);
  });

  test('keeps its old codes', async () => {
    const { id } = await create({ code: 'WEB' });
    expect((await update(id, { code: 'SITE' })).body.data.code).toBe('SITE');
    for (const code of ['WEB', 'SITE']) {
      const taken = await owner.post('/api/projects/create', { name: 'Other', code });
      expect(taken).toMatchObject({ status: 409, body: { code: 'already_exists' } });
    }
    expect((await update(id, { code: 'WEB' })).status).toBe(200);
  });

  test('has a customer from finance', async () => {
    const customer_id = finance.customer(office.workspace, { name: 'Ada Ltd' });
    expect(await create({ customer_id })).toMatchObject({ customer_id, customer_name: 'Ada Ltd' });
    const unknown = await owner.post('/api/projects/create', { name: 'X', customer_id: finance.customer('elsewhere') });
    expect(unknown).toMatchObject({ status: 422, body: { errors: { customer_id: [expect.any(String)] } } });
  });

  test('names the invalid field', async () => {
    const outsider = office.hire({ kind: 'client' });
    const disabled = office.hire({ status: 'disabled' });
    const wrong: [string, object][] = [
      ['name', { name: '' }],
      ['code', { code: 'web' }],
      ['end_date', { start_date: '2026-12-02', end_date: '2026-12-01' }],
      ['members', { members: [{ user_id: outsider }] }],
      ['members', { members: [{ user_id: disabled }] }],
      ['client_ids', { client_ids: [office.hire()] }],
      ['template_id', { template_id: (await create()).id }],
      ['status', { status: 'finished' }],
    ];
    for (const [field, body] of wrong) {
      const reply = await owner.post('/api/projects/create', { name: 'Website', ...body });
      expect([field, reply.status, Object.keys(reply.body.errors ?? {})]).toEqual([field, 422, [field]]);
    }
  });

  test('changes status by its lifecycle once, with an event', async () => {
    const { id } = await create();
    for (const status of ['in_progress', 'on_hold', 'in_progress', 'finished', 'in_progress', 'cancelled'])
      expect((await update(id, { status })).body.data).toMatchObject({ status });
    const refused = await update(id, { status: 'in_progress' });
    expect(refused).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'cancelled' } },
    });
    expect((await update(id, { status: 'cancelled' })).status).toBe(200);
    const changes = (await eventsOf(id)).filter((type) => type === 'projects.project.status_changed');
    expect(changes).toHaveLength(6);
  });

  test('can be read and restored when archived', async () => {
    const { id } = await create();
    expect((await update(id, { active: false })).body.data.active).toBe(false);
    const refused = [
      await update(id, { name: 'Other' }),
      await owner.post('/api/project/milestone/create', { project_id: id, title: 'Design' }),
      await owner.upload('/api/project/file/create', fileFor(id)),
    ];
    for (const reply of refused) expect(reply).toMatchObject({ status: 409, body: { code: 'project_archived' } });
    expect((await owner.get('/api/projects')).body.data).toEqual([]);
    expect((await owner.get('/api/projects?active=false')).body.data).toMatchObject([{ id }]);
    expect((await update(id, { active: true })).body.data.active).toBe(true);
  });

  test('requires the current version, and ignores an empty change', async () => {
    const { id, version } = await create();
    expect((await update(id, { name: 'Website relaunch' })).body.data.version).toBe(version);
    expect((await update(id, { name: 'Website', version })).body.data.version).toBe(version + 1);
    expect((await update(id, { name: 'Web', version })).status).toBe(412);
    expect((await update(id, { currency: 'USD' })).body.data).toMatchObject({ currency: 'USD' });
    await update(id, { budget: '10' });
    expect(await update(id, { currency: 'EUR' })).toMatchObject({ status: 409, body: { code: 'in_use' } });
  });

  test('is deleted with everything in it', async () => {
    const id = await createProject(office);
    await owner.upload('/api/project/file/create', fileFor(id));
    expect((await owner.delete(`/api/project/delete/${id}`)).body.data).toMatchObject({ id });
    const [{ stages, files } = {}] = await serving.sql`
      SELECT (SELECT count(*)::int FROM stages WHERE project_id = ${id}) AS stages,
        (SELECT count(*)::int FROM discarded_files WHERE workspace_id = ${office.workspace}) AS files`;
    expect([stages, files]).toEqual([0, 1]);
  });
});

describe('projects', () => {
  test('are visible to their members, within their role', async () => {
    const [manager, viewer, outsider] = [office.member(own), office.member(own), office.member(own)];
    const { id } = await create(
      { budget: '500', members: [{ user_id: viewer.caller.user_id, role: 'viewer' }] },
      manager,
    );
    expect(await show(id, manager)).toMatchObject({
      budget: '500.00',
      allowed_actions: expect.arrayContaining(['start']),
    });
    expect(await show(id, viewer)).toMatchObject({ budget: null, allowed_actions: [] });
    expect(await update(id, { name: 'X' }, viewer)).toMatchObject({
      status: 403,
      body: { code: 'project_role', details: { needs: 'manager' } },
    });
    expect((await outsider.get(`/api/project/show/${id}`)).status).toBe(404);
    expect((await outsider.get('/api/projects')).body.meta.total).toBe(0);
    expect((await viewer.get('/api/get-projects')).body.data).toEqual([]);
    expect((await viewer.get('/api/get-projects?for=view')).body.data).toMatchObject([{ id, code: 'WR' }]);
    expect((await manager.get('/api/get-projects')).body.data).toMatchObject([{ id }]);
  });

  test('are visible to all staff if visible to the workspace, but to no vendor or client', async () => {
    const { id } = await create({ visibility: 'workspace' });
    expect(await show(id, office.member(own))).toMatchObject({ id, allowed_actions: [] });
    expect((await office.member({ kind: 'vendor' }).get(`/api/project/show/${id}`)).status).toBe(404);
    expect((await office.member({ kind: 'client' }).get(`/api/project/show/${id}`)).status).toBe(404);
  });

  test('are visible to their clients without internal information', async () => {
    const client = office.member({ kind: 'client', name: 'Ada Example' });
    const { id } = await create({ budget: '500', tags: ['web'], client_ids: [client.caller.user_id] });
    await owner.post('/api/project/milestone/create', { project_id: id, title: 'Hidden', cost: '5' });
    await owner.post('/api/project/milestone/create', {
      project_id: id,
      title: 'Shared',
      cost: '5',
      client_visible: true,
    });
    await update(id, { budget: '600', description: 'For Ada' });
    const shown = await show(id, client);
    expect(shown).toMatchObject({ code: 'WR', milestones: [{ title: 'Shared' }], members: [{ role: 'manager' }] });
    for (const field of ['budget', 'health', 'tags', 'currency', 'customer_id', 'time'])
      expect(shown).not.toHaveProperty(field);
    expect(shown.milestones[0]).not.toHaveProperty('cost');
    expect(shown.stages).toEqual([]);
    const diffs = shown.activity.map(({ diff }: { diff: object }) => diff);
    expect(diffs).toContainEqual({ description: [null, 'For Ada'] });
    expect((await client.get('/api/projects?health=at_risk')).status).toBe(422);
  });

  test('are found by filters', async () => {
    const { id } = await create({ tags: ['web', 'seo'], end_date: '2020-01-01' });
    await create({ name: 'Other', is_template: true });
    for (const filter of [
      'tags=web',
      'tags[in]=x,seo',
      'is_overdue=true',
      'q=websi',
      `member_id=${owner.caller.user_id}`,
    ])
      expect([
        filter,
        (await owner.get(`/api/projects?${filter}`)).body.data.map((row: { id: string }) => row.id),
      ]).toEqual([filter, [id]]);
    expect((await owner.get('/api/projects?is_template=true')).body.data).toMatchObject([{ name: 'Other' }]);
  });
});
