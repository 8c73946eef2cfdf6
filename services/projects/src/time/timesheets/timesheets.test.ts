import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, runConcurrently, eventTypesOf } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';

const { serving, office, violations } = await openProjects();
let opened: ProjectsFixture;
let owner: Member;
let worker: Member;
let project_id: string;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  worker = opened.member();
  project_id = (await workedProject(opened, { hourly_rate: '60' })).id;
});

async function enterTime(day: string, by = worker): Promise<string> {
  const body = { project_id, started_at: `${day}T08:00:00Z`, ended_at: `${day}T10:00:00Z` };
  return (await by.post('/api/add-tracker', body)).body.data.id;
}
const week = { from: '2026-06-01', to: '2026-06-07' };
const submit = (by = worker) => by.post('/api/timesheet/submit', week);
const decide = (verb: string, body: object, by = owner) => by.post(`/api/timesheet/${verb}`, body);
const show = async (id: string, by = owner) => (await by.get(`/api/time-entries?id=${id}`)).body.data[0];
const eventsOf = (id: string) => eventTypesOf(serving, id);

describe('a timesheet', () => {
  test('counts the time of a user and week', async () => {
    await enterTime('2026-06-01');
    await enterTime('2026-06-07');
    await enterTime('2026-06-08');
    const { body } = await owner.get(`/api/timesheets?user_id=${worker.caller.user_id}&expand=user`);
    expect(body.data).toMatchObject([
      { week: '2026-06-08', entries: 1, seconds: 7_200, by_status: { stopped: 1 } },
      { week: '2026-06-01', entries: 2, seconds: 14_400, user: { id: worker.caller.user_id } },
    ]);
    expect((await opened.member({ can: [] }).get('/api/timesheets')).body.data).toEqual([]);
  });

  test('is submitted, and approved by another user', async () => {
    const id = await enterTime('2026-06-01');
    expect(await submit()).toMatchObject({
      status: 200,
      body: { data: { entries: 1, seconds: 7_200, entry_ids: [id] } },
    });
    expect(await worker.post(`/api/time-entry/update/${id}`, { description: 'Late' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await decide('approve', { entry_ids: [id] }, worker)).toMatchObject({
      status: 409,
      body: { code: 'four_eyes' },
    });
    expect(await show(id, worker)).toMatchObject({ allowed_actions: ['reject', 'reopen'] });
    const approved = await decide('approve', { user_id: worker.caller.user_id, ...week });
    expect(approved).toMatchObject({ status: 200, body: { data: { entry_ids: [id] } } });
    expect(await decide('approve', { entry_ids: [id] })).toMatchObject({ status: 200 });
    expect(await show(id)).toMatchObject({ status: 'approved', approved_by: owner.caller.user_id });
    expect(await eventsOf(id)).toEqual([
      'projects.time.stopped',
      'projects.time.approved',
      'projects.time.billable_ready',
    ]);
    expect(await violations(opened)).toEqual([]);
  });

  test('is approved by its author if the settings allow it', async () => {
    await owner.post('/api/time-settings/update', { self_approval: true });
    const id = await enterTime('2026-06-01');
    await submit();
    expect(await decide('approve', { entry_ids: [id] }, worker)).toMatchObject({ status: 200 });
  });

  test('is rejected with a reason, corrected and submitted again', async () => {
    const id = await enterTime('2026-06-01');
    await submit();
    await decide('reject', { entry_ids: [id], reason: 'Which task?' });
    expect(await show(id, worker)).toMatchObject({ status: 'rejected', reject_reason: 'Which task?' });
    await worker.post(`/api/time-entry/update/${id}`, { description: 'Layout' });
    expect(await show(id)).toMatchObject({ status: 'stopped', reject_reason: null });
    await submit();
    expect(await show(id)).toMatchObject({ status: 'submitted' });
  });

  test('is reopened with a reason', async () => {
    const id = await enterTime('2026-06-01');
    await submit();
    await decide('approve', { entry_ids: [id] });
    expect(await decide('reopen', { entry_ids: [id] })).toMatchObject({ status: 422 });
    await decide('reopen', { entry_ids: [id], reason: 'Wrong week' });
    expect(await show(id)).toMatchObject({ status: 'stopped', approved_at: null });
  });

  test('changes its status as a whole, or not at all', async () => {
    const [submitted, open] = [await enterTime('2026-06-01'), await enterTime('2026-06-20')];
    await submit();
    expect(await decide('approve', { entry_ids: [submitted, open] })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition' },
    });
    expect(await show(submitted)).toMatchObject({ status: 'submitted' });
    expect(await decide('approve', {})).toMatchObject({ status: 422 });
    expect(
      await decide('approve', { entry_ids: [submitted] }, opened.member({ can: ['time.view_all'] })),
    ).toMatchObject({ status: 403 });
  });
});

describe('the days and entries of a request', () => {
  const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });
  const backward = { from: '2026-06-07', to: '2026-06-01' };

  test('are specified in one way, and in order', async () => {
    const id = await enterTime('2026-06-01');
    const user_id = worker.caller.user_id;
    expect(await worker.post('/api/timesheet/submit', backward)).toMatchObject(invalidField('to'));
    for (const verb of ['approve', 'reject']) {
      const reason = verb === 'reject' ? { reason: 'No' } : {};
      const decideSelection = (body: object) => decide(verb, { ...body, ...reason });
      expect(await decideSelection({ user_id, ...backward })).toMatchObject(invalidField('to'));
      expect(await decideSelection({ entry_ids: [id], user_id })).toMatchObject(invalidField('entry_ids'));
      expect(await decideSelection({ user_id, from: '2026-06-01' })).toMatchObject(invalidField('entry_ids'));
      expect(await decideSelection({ entry_ids: [id, id] })).toMatchObject(invalidField('entry_ids'));
      expect(await decideSelection({ entry_ids: [] })).toMatchObject(invalidField('entry_ids'));
      expect(await decideSelection({ entry_ids: [crypto.randomUUID()] })).toMatchObject(invalidField('entry_ids'));
    }
    expect((await submit()).body.data).toMatchObject({ entry_ids: [id] });
    expect((await submit()).body.data).toEqual({ entries: 0, seconds: 0, entry_ids: [] });
    expect(await decide('approve', { user_id, ...week })).toMatchObject({ body: { data: { entry_ids: [id] } } });
  });

  test('are decided only by other users who see them and manage the project', async () => {
    const id = await enterTime('2026-06-01');
    await submit();
    const lead_id = opened.hire();
    const { id: led } = await workedProject(opened, { members: { [lead_id]: 'manager' } });
    const lead = opened.member({ user_id: lead_id, can: ['time.approve'], record_scopes: { project: 'own' } });
    const user_id = worker.caller.user_id;
    expect(await decide('approve', { entry_ids: [id] }, lead)).toMatchObject(invalidField('entry_ids'));
    expect((await decide('approve', { user_id, ...week }, lead)).body.data).toMatchObject({ entries: 0 });
    const outsideOwner = (await office()).owner;
    expect(await decide('approve', { entry_ids: [id] }, outsideOwner)).toMatchObject(invalidField('entry_ids'));
    expect(await decide('approve', { user_id, ...week }, outsideOwner)).toMatchObject(invalidField('user_id'));
    const body = { project_id: led, started_at: '2026-06-02T08:00:00Z', ended_at: '2026-06-02T09:00:00Z' };
    const own = (await worker.post('/api/add-tracker', body)).body.data.id;
    await submit();
    expect((await decide('approve', { user_id, ...week }, lead)).body.data).toMatchObject({ entry_ids: [own] });
    expect(await show(id)).toMatchObject({ status: 'submitted' });
    for (const kind of ['client', 'vendor'] as const) {
      const outsider = opened.member({ kind });
      expect(await outsider.post('/api/timesheet/submit', week)).toMatchObject({ status: 403 });
      expect(await outsider.get('/api/timesheets')).toMatchObject({ status: 403 });
      expect(await outsider.get('/api/time-settings')).toMatchObject({ status: 403 });
    }
    expect(await violations(opened)).toEqual([]);
  });

  test('are approved and announced once by thirty concurrent requests', async () => {
    const ids = [await enterTime('2026-06-01'), await enterTime('2026-06-02')];
    await submit();
    const user_id = worker.caller.user_id;
    const lead = opened.member();
    const replies = await runConcurrently(30, (at) =>
      at % 3 === 0
        ? decide('approve', { user_id, ...week })
        : decide('approve', { entry_ids: ids }, at % 3 === 1 ? owner : lead),
    );
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([200]));
    for (const id of ids)
      expect(await eventsOf(id)).toEqual([
        'projects.time.stopped',
        'projects.time.approved',
        'projects.time.billable_ready',
      ]);
    expect(await violations(opened)).toEqual([]);
  });

  test('are reopened once, announced if they were approved, and then corrected', async () => {
    const [approved, submitted] = [await enterTime('2026-06-01'), await enterTime('2026-06-02')];
    await submit();
    await decide('approve', { entry_ids: [approved] });
    const entry_ids = [approved, submitted];
    const reopen = () => decide('reopen', { entry_ids, reason: 'Wrong project' });
    expect(new Set(sortedStatuses(await runConcurrently(10, reopen)))).toEqual(new Set([200]));
    const reopened = async (id: string) =>
      (await eventsOf(id)).filter((type) => type === 'projects.time.reopened').length;
    expect([await reopened(approved), await reopened(submitted)]).toEqual([1, 0]);
    expect(await show(approved, worker)).toMatchObject({ allowed_actions: ['submit', 'update', 'delete'] });
    expect(await worker.post(`/api/time-entry/update/${approved}`, { description: 'Right' })).toMatchObject({
      status: 200,
    });
    expect(await violations(opened)).toEqual([]);
  });
});
