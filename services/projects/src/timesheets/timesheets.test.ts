import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { type Office, openProjects } from '../../test/fixture.ts';
import { workedProject } from '../../test/worked-project.ts';

const { serving, office, violations } = await openProjects();
let opened: Office;
let owner: Member;
let worker: Member;
let project_id: string;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  worker = opened.member();
  project_id = (await workedProject(opened, { hourly_rate: '60' })).id;
});

async function worked(day: string, by = worker): Promise<string> {
  const body = { project_id, started_at: `${day}T08:00:00Z`, ended_at: `${day}T10:00:00Z` };
  return (await by.post('/api/add-tracker', body)).body.data.id;
}
const week = { from: '2026-06-01', to: '2026-06-07' };
const submit = (by = worker) => by.post('/api/timesheet/submit', week);
const decide = (verb: string, body: object, by = owner) => by.post(`/api/timesheet/${verb}`, body);
const show = async (id: string, by = owner) => (await by.get(`/api/time-entries?id=${id}`)).body.data[0];
const eventsOf = async (id: string): Promise<string[]> =>
  (await serving.sql`SELECT type FROM outbox WHERE aggregate_id = ${id} ORDER BY aggregate_version`).map(
    ({ type }) => type,
  );

describe('a timesheet', () => {
  test('counts the time of a person and week', async () => {
    await worked('2026-06-01');
    await worked('2026-06-07');
    await worked('2026-06-08');
    const { body } = await owner.get(`/api/timesheets?user_id=${worker.caller.user_id}&expand=user`);
    expect(body.data).toMatchObject([
      { week: '2026-06-08', entries: 1, seconds: 7_200, by_status: { stopped: 1 } },
      { week: '2026-06-01', entries: 2, seconds: 14_400, user: { id: worker.caller.user_id } },
    ]);
    expect((await opened.member({ can: [] }).get('/api/timesheets')).body.data).toEqual([]);
  });

  test('is submitted, and approved by somebody else', async () => {
    const id = await worked('2026-06-01');
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

  test('is approved by its own author where the workspace says so', async () => {
    await owner.post('/api/time-settings/update', { self_approval: true });
    const id = await worked('2026-06-01');
    await submit();
    expect(await decide('approve', { entry_ids: [id] }, worker)).toMatchObject({ status: 200 });
  });

  test('comes back with the reason, is corrected and submitted again', async () => {
    const id = await worked('2026-06-01');
    await submit();
    await decide('reject', { entry_ids: [id], reason: 'Which task?' });
    expect(await show(id, worker)).toMatchObject({ status: 'rejected', reject_reason: 'Which task?' });
    await worker.post(`/api/time-entry/update/${id}`, { description: 'Layout' });
    expect(await show(id)).toMatchObject({ status: 'stopped', reject_reason: null });
    await submit();
    expect(await show(id)).toMatchObject({ status: 'submitted' });
  });

  test('is opened again, with a reason', async () => {
    const id = await worked('2026-06-01');
    await submit();
    await decide('approve', { entry_ids: [id] });
    expect(await decide('reopen', { entry_ids: [id] })).toMatchObject({ status: 422 });
    await decide('reopen', { entry_ids: [id], reason: 'Wrong week' });
    expect(await show(id)).toMatchObject({ status: 'stopped', approved_at: null });
  });

  test('moves as a whole, or not at all', async () => {
    const [submitted, open] = [await worked('2026-06-01'), await worked('2026-06-20')];
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
