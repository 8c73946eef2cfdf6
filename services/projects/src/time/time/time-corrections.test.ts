import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, sortedStatuses, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';

const { serving, office, violations } = await openProjects();
let opened: ProjectsFixture;
let owner: Member;
let project: Awaited<ReturnType<typeof workedProject>>;
let still: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  project = await workedProject(opened, { hourly_rate: '80' });
  still = freezeClock('2026-06-10T08:00:00Z');
});

const span = (from: string, to: string) => ({ started_at: from, ended_at: to });
const morning = span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z');
const track = async (body: object = {}, by = owner) =>
  (await by.post('/api/add-tracker', { project_id: project.id, ...morning, ...body })).body.data;
const update = (id: string, body: object, by = owner) => by.post(`/api/time-entry/update/${id}`, body);
const remove = (id: string, by = owner) => by.delete(`/api/time-entry/delete/${id}`);
const change = (body: object, id = project.id) => owner.post(`/api/project/update/${id}`, body);
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });

describe('the rate of a time entry', () => {
  test('stays fixed unless the project, the task or the rate is corrected', async () => {
    const { id } = await track();
    await change({ hourly_rate: '100' });
    expect((await update(id, { description: 'Layout' })).body.data).toMatchObject({
      hourly_rate: '80.00',
      amount: '80.00',
    });
    expect((await update(id, { ended_at: '2026-06-01T10:00:00Z' })).body.data).toMatchObject({
      duration_seconds: 7_200,
      hourly_rate: '80.00',
      amount: '160.00',
    });
    expect((await update(id, { billable: false })).body.data).toMatchObject({ hourly_rate: '80.00', amount: '0.00' });
    expect((await update(id, { billable: true })).body.data).toMatchObject({ hourly_rate: '80.00', amount: '160.00' });
    expect((await update(id, { task_id: project.task_id })).body.data).toMatchObject({
      hourly_rate: '100.00',
      amount: '200.00',
    });
    expect((await update(id, { hourly_rate: '10' })).body.data).toMatchObject({ amount: '20.00' });
    expect((await update(id, { hourly_rate: null })).body.data).toMatchObject({ amount: '200.00' });
    expect(await violations(opened)).toEqual([]);
  });

  test('is the only field that an approver can change in entries of others', async () => {
    const worker = opened.member();
    const { id } = await track({}, worker);
    await worker.post('/api/timesheet/submit', { from: '2026-06-01', to: '2026-06-01' });
    const approver = opened.member({ can: ['time.view_all', 'time.approve'] });
    expect((await update(id, { hourly_rate: '90' }, approver)).body.data).toMatchObject({
      status: 'submitted',
      hourly_rate: '90.00',
      amount: '90.00',
    });
    expect(await update(id, { hourly_rate: '90', description: 'No' }, approver)).toMatchObject({ status: 403 });
    const plain = opened.member({ can: ['time.view_all'] });
    expect(await update(id, { hourly_rate: '1' }, plain)).toMatchObject({ status: 403 });
    expect(await update(id, { hourly_rate: '-1' }, approver)).toMatchObject(invalidField('hourly_rate'));
    await approver.post('/api/timesheet/approve', { entry_ids: [id] });
    expect(await update(id, { hourly_rate: '70' }, approver)).toMatchObject(faultResponse(409, 'invalid_transition'));
  });
});

describe('a time entry', () => {
  test('can be changed and deleted only by its user, and others receive 404', async () => {
    const worker = opened.member({ can: ['project.view'] });
    const { id } = await track({}, worker);
    const [lead, outsider] = [opened.member({ can: ['time.view_all'] }), opened.member({ can: [] })];
    const outsideOwner = (await office()).owner;
    for (const ask of [(by: Member) => update(id, { description: 'Mine' }, by), (by: Member) => remove(id, by)]) {
      expect(await ask(lead)).toMatchObject(faultResponse(403, 'forbidden'));
      expect(sortedStatuses([await ask(outsider), await ask(outsideOwner)])).toEqual([404, 404]);
      for (const kind of ['client', 'vendor'] as const)
        expect(await ask(opened.member({ kind }))).toMatchObject(faultResponse(403, 'forbidden'));
    }
    expect((await update(id, { description: 'Mine' }, worker)).status).toBe(200);
    expect((await remove(id, worker)).status).toBe(200);
    expect(await remove(id, worker)).toMatchObject({ status: 404 });
    expect(await violations(opened)).toEqual([]);
  });

  test('can be changed and deleted in a closed project, but not in an archived one', async () => {
    const { id } = await track();
    const other = await workedProject(opened, { status: 'finished' });
    await change({ status: 'finished' });
    const all = { project_id: project.id, task_id: null, description: 'Layout', billable: true, ...morning };
    expect(await update(id, all)).toMatchObject({ status: 200, body: { data: { description: 'Layout' } } });
    expect(await update(id, { project_id: other.id })).toMatchObject(faultResponse(409, 'project_closed'));
    await change({ active: false });
    expect(await update(id, { description: 'Late' })).toMatchObject(faultResponse(409, 'project_archived'));
    expect(await update(id, { hourly_rate: '1' })).toMatchObject(faultResponse(409, 'project_archived'));
    expect(await remove(id)).toMatchObject(faultResponse(409, 'project_archived'));
    await change({ active: true });
    expect(await remove(id)).toMatchObject({ status: 200 });
  });

  test('can be changed by a former member, who still sees and exports their own time', async () => {
    const user_id = opened.hire({ name: 'Lee Example' });
    const { id: project_id } = await workedProject(opened, { members: { [user_id]: 'member' } });
    const lee = opened.member({ user_id, record_scopes: { project: 'own' }, can: ['project.view'] });
    const { id } = await track({ project_id }, lee);
    const { members } = (await owner.get(`/api/project/show/${project_id}`)).body.data;
    const row = members.find((member: { user_id: string }) => member.user_id === user_id);
    expect((await owner.delete(`/api/project/member/delete/${row.id}`)).status).toBe(200);
    expect((await lee.get('/api/time-entries')).body.data).toMatchObject([{ id }]);
    const { content } = await lee.get('/api/time-entries/export?from=2026-06-01&to=2026-06-01');
    const lines = Buffer.from(content).toString().trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^2026-06-01,Lee Example,,,/);
    expect(await update(id, { description: 'Handover' }, lee)).toMatchObject({ status: 200 });
    expect(await track({ project_id, ...span('2026-06-02T08:00:00Z', '2026-06-02T09:00:00Z') }, lee)).toBeUndefined();
    expect(await update(id, { project_id: project.id }, lee)).toMatchObject({ status: 404 });
  });

  test('does not overlap another after twenty concurrent changes', async () => {
    const first = await track();
    const second = await track(span('2026-06-01T10:00:00Z', '2026-06-01T11:00:00Z'));
    const replies = await runConcurrently(20, (at) =>
      at % 2
        ? update(first.id, span('2026-06-01T09:00:00Z', '2026-06-01T10:30:00Z'))
        : update(second.id, span('2026-06-01T08:30:00Z', '2026-06-01T09:30:00Z')),
    );
    for (const { status, body } of replies) expect([200, 'overlap']).toContain(status === 200 ? 200 : body.code);
    expect(await violations(opened)).toEqual([]);
  });
});

describe('a running timer', () => {
  const startTimer = async () => (await owner.post('/api/add-tracker', { project_id: project.id })).body.data.id;

  test('can be corrected only within the limits of a new timer', async () => {
    const id = await startTimer();
    expect(await update(id, { ended_at: '2026-06-10T08:00:00Z' })).toMatchObject(invalidField('ended_at'));
    const breaks = [span('2026-06-10T07:00:00Z', '2026-06-10T06:00:00Z')];
    expect(await update(id, { breaks })).toMatchObject(invalidField('breaks'));
    expect(await update(id, { idle_seconds: 80_000 })).toMatchObject(invalidField('idle_seconds'));
    expect(await update(id, { started_at: '2026-06-09T07:59:59Z' })).toMatchObject(invalidField('started_at'));
    expect(await update(id, { started_at: '2026-06-10T08:01:01Z' })).toMatchObject(
      faultResponse(422, 'time_in_future'),
    );
    // Second attempt, with the fault corrected.
    expect(await update(id, { started_at: '2026-06-10T07:00:00Z', breaks: [], idle_seconds: 0 })).toMatchObject({
      status: 200,
      body: { data: { status: 'running', started_at: '2026-06-10T07:00:00.000Z', duration_seconds: null } },
    });
    still.goTo('2026-06-10T08:30:00Z');
    expect((await owner.post('/api/stop-tracker', {})).body.data).toMatchObject({ duration_seconds: 5_400 });
    expect(await violations(opened)).toEqual([]);
  });

  test('is stopped once by fifty concurrent requests, and deleted like other time', async () => {
    const id = await startTimer();
    still.goTo('2026-06-10T09:00:00Z');
    const replies = await runConcurrently(50, () => owner.post('/api/stop-tracker', {}));
    expect(sortedStatuses(replies)).toEqual([200, ...Array(49).fill(409)]);
    const events = await serving.sql`
      SELECT type FROM journal_events WHERE aggregate_id = ${id} AND type = 'projects.time.stopped'`;
    expect(events).toHaveLength(1);
    const again = await runConcurrently(20, () => owner.post('/api/stop-tracker', { id }));
    expect(new Set(sortedStatuses(again))).toEqual(new Set([200]));
    expect(await remove(await startTimer())).toMatchObject({ status: 200 });
    expect(await owner.post('/api/stop-tracker', {})).toMatchObject(faultResponse(409, 'nothing_running'));
    expect(await violations(opened)).toEqual([]);
  });

  test('cannot be stopped by another user or from another workspace', async () => {
    const id = await startTimer();
    for (const by of [opened.member(), (await office()).owner]) {
      expect(await by.post('/api/stop-tracker', { id })).toMatchObject({ status: 404 });
      expect(await by.post('/api/stop-tracker', {})).toMatchObject(faultResponse(409, 'nothing_running'));
    }
    expect((await owner.get(`/api/time-entries?id=${id}`)).body.data).toMatchObject([{ status: 'running' }]);
  });
});
