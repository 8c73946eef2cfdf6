import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, sortedStatuses, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';
import type { Db } from '../../operations.ts';
import { deliverMail } from '../../work/notifications/mail-delivery.ts';
import { stopForgottenTimers, stopTimersOf } from './timer-stop.ts';

const { serving, office, violations } = await openProjects();
let opened: ProjectsFixture;
let owner: Member;
let project: Awaited<ReturnType<typeof workedProject>>;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  project = await workedProject(opened, { hourly_rate: '80' });
});

const start = (body: object = {}, by = owner) => by.post('/api/add-tracker', { project_id: project.id, ...body });
const stop = (body: object = {}, by = owner) => by.post('/api/stop-tracker', body);
const entries = async (query = '', by = owner) => (await by.get(`/api/time-entries${query}`)).body;
const settings = (changes: object) => owner.post('/api/time-settings/update', changes);
const fault = (status: number, code: string) => ({ status, body: { code } });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });
const span = (from: string, to: string) => ({ started_at: from, ended_at: to });
const trackedOf = async (id: string) =>
  (await serving.sql<{ seconds: number }>`SELECT tracked_seconds AS seconds FROM work_items WHERE id = ${id}`)[0]!
    .seconds;

describe('a timer', () => {
  test('runs until it is stopped, and then has the rates of the project', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    const begun = await start({ task_id: project.task_id, description: 'Layout' });
    expect(begun).toMatchObject({
      status: 201,
      body: {
        data: {
          status: 'running',
          ended_at: null,
          local_date: '2026-06-01',
          allowed_actions: ['stop', 'update', 'delete'],
          stopped: null,
        },
      },
    });
    still.goTo('2026-06-01T09:30:00Z');
    const { body } = await stop();
    expect(body.data).toMatchObject({
      status: 'stopped',
      duration_seconds: 5_400,
      rounded_seconds: 5_400,
      hourly_rate: '80.00',
      amount: '120.00',
    });
    expect(await trackedOf(project.task_id)).toBe(5_400);
    expect(await stop()).toMatchObject(fault(409, 'nothing_running'));
    expect(await stop({ id: body.data.id })).toMatchObject({
      status: 200,
      body: { data: { version: body.data.version } },
    });
    expect(await stop({ id: body.data.id, ended_at: '2026-06-01T09:00:00Z' })).toMatchObject(
      fault(409, 'already_stopped'),
    );
    expect(await violations(opened)).toEqual([]);
  });

  test('runs once after fifty concurrent starts, and the others end at the next start', async () => {
    const replies = await runConcurrently(50, () => start());
    expect(new Set(sortedStatuses(replies))).toEqual(new Set([201]));
    const { data, meta } = await entries('?per_page=100&sort=started_at');
    expect(meta.total).toBe(50);
    const running = data.filter(({ status }: { status: string }) => status === 'running');
    expect(running).toHaveLength(1);
    const ends = data.slice(0, -1).map(({ ended_at }: { ended_at: string }) => ended_at);
    expect(ends).toEqual(data.slice(1).map(({ started_at }: { started_at: string }) => started_at));
    expect(await violations(opened)).toEqual([]);
  });

  test('rejects a second start if the workspace settings forbid it', async () => {
    await settings({ on_second_start: 'refuse' });
    const first = await start();
    expect(await start()).toMatchObject({
      status: 409,
      body: { code: 'already_running', details: { entry_id: first.body.data.id } },
    });
  });

  test('stops automatically when forgotten, and is flagged', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    const { id } = (await start()).body.data;
    still.goTo('2026-06-01T20:00:00Z');
    await stopForgottenTimers(serving.tools as never);
    const { data } = await entries(`?id=${id}`);
    expect(data[0]).toMatchObject({
      ended_at: '2026-06-01T18:00:00.000Z',
      auto_stopped: true,
      duration_seconds: 36_000,
    });
    expect(await stop()).toMatchObject(fault(409, 'nothing_running'));
    const sent: object[] = [];
    const tools = Object.assign({}, serving.tools, { mailer: { send: async (mail: object) => void sent.push(mail) } });
    await serving.sql`UPDATE users SET email = 'kim@example.com' WHERE id = ${owner.caller.user_id}`;
    still.goTo('2040-01-02T12:00:00Z');
    await deliverMail(tools as never);
    await deliverMail(tools as never);
    expect(sent).toMatchObject([
      {
        to: 'kim@example.com',
        subject: 'Your timer stopped automatically',
        text: expect.stringContaining('at 2026-06-01 '),
      },
    ]);
  });

  test('stops when its user is deleted', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    await start({ task_id: project.task_id });
    still.goTo('2026-06-01T09:00:00Z');
    const context = { workspace_id: opened.workspace, caller: null, operation: 'test', request_id: randomUUID() };
    await serving.database.write(context, (db, emit) =>
      stopTimersOf({ db: db as Db, emit }, owner.caller.user_id, new Date('2026-06-01T08:30:00Z')),
    );
    expect((await entries()).data[0]).toMatchObject({ status: 'stopped', duration_seconds: 1_800 });
  });

  test('requires membership, an open project and an open task', async () => {
    const staff = (user_id: string) =>
      opened.member({ user_id, record_scopes: { project: 'own' }, can: ['project.view'] });
    const [viewer, member, outsider] = ['a', 'b', 'c'].map(() => opened.hire()) as [string, string, string];
    const { id } = await workedProject(opened, { members: { [viewer]: 'viewer', [member]: 'member' } });
    expect(await start({ project_id: id }, staff(viewer))).toMatchObject(fault(403, 'project_role'));
    expect(await start({ project_id: id }, staff(member))).toMatchObject({ status: 201 });
    expect(await start({ project_id: id }, staff(outsider))).toMatchObject({ status: 404 });
    const over = await workedProject(opened, { status: 'finished' });
    expect(await start({ project_id: over.id })).toMatchObject(fault(409, 'project_closed'));
    const archived = await workedProject(opened, { active: false });
    expect(await start({ project_id: archived.id })).toMatchObject(fault(409, 'project_archived'));
    expect(await start({ task_id: over.task_id })).toMatchObject(invalidField('task_id'));
    expect(await start({ task_id: project.done_task_id })).toMatchObject(invalidField('task_id'));
    await settings({ late_time: true });
    expect(await start({ task_id: project.done_task_id })).toMatchObject({ status: 201 });
    for (const kind of ['client', 'vendor'] as const)
      expect(await start({}, opened.member({ kind }))).toMatchObject({ status: 403 });
  });
});

describe('a finished time entry', () => {
  test('does not overlap with other time of the same user', async () => {
    freezeClock('2026-10-26T08:00:00Z');
    const first = await start(span('2026-10-25T02:10:00+02:00', '2026-10-25T02:50:00+02:00'));
    const second = await start(span('2026-10-25T02:10:00+01:00', '2026-10-25T02:50:00+01:00'));
    expect([first, second].map(({ body }) => body.data.duration_seconds)).toEqual([2_400, 2_400]);
    const reply = await start(span('2026-10-25T02:49:00+01:00', '2026-10-25T03:50:00+01:00'));
    expect(reply).toMatchObject({ status: 409, body: { code: 'overlap', details: { entry_id: second.body.data.id } } });
    expect(await start(span('2026-10-25T02:50:00+01:00', '2026-10-25T03:50:00+01:00'))).toMatchObject({ status: 201 });
    await start();
    expect(await start(span('2026-10-26T07:00:00Z', '2026-10-26T08:00:30Z'))).toMatchObject(fault(409, 'overlap'));
  });

  test('is rejected for invalid times, with the field name', async () => {
    freezeClock('2026-06-02T08:00:00Z');
    const day = span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z');
    const cases: [object, object][] = [
      [span('2026-06-01T09:00:00Z', '2026-06-01T09:00:00Z'), invalidField('ended_at')],
      [span('2026-05-01T09:00:00Z', '2026-05-02T09:00:01Z'), invalidField('ended_at')],
      [{ ended_at: '2026-06-01T09:00:00Z' }, invalidField('started_at')],
      [{ started_at: '2026-06-01T07:59:59Z' }, invalidField('started_at')],
      [span('2026-06-02T07:00:00Z', '2026-06-02T08:01:01Z'), fault(422, 'time_in_future')],
      [{ ...day, idle_seconds: 3_601 }, invalidField('idle_seconds')],
      [{ ...day, breaks: [span('2026-06-01T08:30:00Z', '2026-06-01T09:00:01Z')] }, invalidField('breaks')],
      [{ ...day, timezone: 'Mars/Olympus' }, invalidField('timezone')],
      [{ ...day, source: 'sundial' }, invalidField('source')],
      [{ client_now: '2026-06-02T07:54:59Z' }, fault(422, 'clock_skew')],
      [{ ...span('2026-05-01T08:00:00Z', '2026-05-01T09:00:00Z'), offline_id: 'a' }, fault(422, 'too_old')],
    ];
    for (const [body, expected] of cases) expect(await start(body)).toMatchObject(expected);
    expect((await entries()).data).toEqual([]);
  });

  test('is stored once, corrected to the server clock, if it was tracked offline', async () => {
    freezeClock('2026-06-02T08:00:00Z');
    const time = {
      ...span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'),
      offline_id: 'phone-1',
      client_now: '2026-06-02T07:58:00Z',
    };
    const replies = await runConcurrently(5, () => start(time));
    expect(sortedStatuses(replies)).toEqual([200, 200, 200, 200, 201]);
    const { data } = await entries();
    expect(data).toMatchObject([{ started_at: '2026-06-01T08:02:00.000Z', skew_seconds: 120, offline_id: 'phone-1' }]);
    expect(await start({ ...time, client_now: '2026-06-02T07:59:00Z' })).toMatchObject({ status: 200 });
    expect(await start({ ...time, description: 'Else' })).toMatchObject(fault(409, 'offline_id_reused'));
  });

  test('stays unchanged in a locked period unless an approver enters a reason', async () => {
    freezeClock('2026-06-10T08:00:00Z');
    const day = span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z');
    const { id } = (await start(day)).body.data;
    expect(await settings({ locked_through: '2026-06-11' })).toMatchObject(invalidField('locked_through'));
    expect(await settings({ locked_through: '2026-06-07' })).toMatchObject({ status: 200 });
    const locked = { status: 409, body: { code: 'period_locked', details: { locked_through: '2026-06-07' } } };
    expect(await start(span('2026-06-02T08:00:00Z', '2026-06-02T09:00:00Z'))).toMatchObject(locked);
    expect(await owner.post(`/api/time-entry/update/${id}`, { started_at: '2026-06-01T08:30:00Z' })).toMatchObject(
      locked,
    );
    expect(await owner.delete(`/api/time-entry/delete/${id}`)).toMatchObject(locked);
    expect(await owner.delete(`/api/time-entry/delete/${id}?reason=Twice`)).toMatchObject({ status: 200 });
  });
});

describe('an entry', () => {
  test('is corrected with its cost, and updates the seconds of its task', async () => {
    freezeClock('2026-06-10T08:00:00Z');
    const { id } = (await start({ ...span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'), task_id: project.task_id }))
      .body.data;
    const update = (body: object, by = owner) => by.post(`/api/time-entry/update/${id}`, body);
    expect(await update({ ended_at: '2026-06-01T10:00:00Z', version: 9 })).toMatchObject({ status: 412 });
    const longer = await update({ ended_at: '2026-06-01T10:00:00Z', hourly_rate: '100' });
    expect(longer.body.data).toMatchObject({ duration_seconds: 7_200, amount: '200.00', hourly_rate: '100.00' });
    expect(await trackedOf(project.task_id)).toBe(7_200);
    expect(await update({ billable: false })).toMatchObject({ body: { data: { amount: '0.00' } } });
    const other = await workedProject(opened);
    expect((await update({ project_id: other.id })).body.data).toMatchObject({ project_id: other.id, task_id: null });
    expect(await trackedOf(project.task_id)).toBe(0);
    const colleague = opened.member({ can: ['time.view_all'] });
    expect(await update({ description: 'Mine' }, colleague)).toMatchObject({ status: 403 });
    expect(await violations(opened)).toEqual([]);
  });

  test('moves with its task and gets the new price, unless it was approved', async () => {
    const other = await workedProject(opened, { hourly_rate: '50' });
    const hour = (day: string) => span(`${day}T08:00:00Z`, `${day}T09:00:00Z`);
    const worker = opened.member();
    for (const day of ['2026-06-01', '2026-06-02', '2026-06-20'])
      await start({ ...hour(day), task_id: project.task_id }, worker);
    await worker.post('/api/timesheet/submit', { from: '2026-06-01', to: '2026-06-02' });
    const [first] = (await entries('?sort=started_at')).data;
    await owner.post('/api/timesheet/approve', { entry_ids: [first.id] });
    expect(await owner.post(`/api/project/task/move/${project.task_id}`, { project_id: other.id })).toMatchObject({
      status: 200,
    });
    const { data } = await entries(`?project_id=${other.id}&sort=started_at`);
    expect(data.map(({ amount }: { amount: string }) => amount)).toEqual(['80.00', '50.00', '50.00']);
    expect(await trackedOf(project.task_id)).toBe(10_800);
    expect(await violations(opened)).toEqual([]);
  });

  test('is visible to its user, project managers and users who may see all time', async () => {
    const [one, other, lead] = [opened.hire(), opened.hire(), opened.hire()];
    const { id } = await workedProject(opened, {
      members: { [one]: 'member', [other]: 'member', [lead]: 'manager' },
      hourly_rate: '50',
    });
    const staff = (user_id: string, can = ['project.view']) =>
      opened.member({ user_id, can, record_scopes: { project: 'own' } });
    const body = { project_id: id, ...span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z') };
    const { id: entry_id } = (await start(body, staff(one))).body.data;
    const visibleEntries = async (by: Member) => (await entries(`?project_id=${id}`, by)).data;
    expect(await visibleEntries(staff(one))).toMatchObject([{ id: entry_id, amount: '50.00' }]);
    expect(await visibleEntries(staff(other))).toEqual([]);
    expect(await visibleEntries(staff(lead))).toMatchObject([{ id: entry_id, amount: null, hourly_rate: null }]);
    expect(await visibleEntries(staff(lead, ['time.view_all']))).toMatchObject([{ amount: '50.00' }]);
    expect(await visibleEntries(opened.member({ can: [] }))).toEqual([]);
    expect(await visibleEntries(opened.member({ can: ['time.view_all'] }))).toHaveLength(1);
    expect(await opened.member({ kind: 'client' }).get('/api/time-entries')).toMatchObject({ status: 403 });
    expect((await entries(`?project_id=${id}`, staff(one))).meta.sums).toEqual({
      seconds: 3_600,
      rounded_seconds: 3_600,
    });
  });

  test('is exported without formulas', async () => {
    await start({ ...span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'), description: '=1+1, "quoted"' });
    const { content, headers } = await owner.get('/api/time-entries/export?from=2026-06-01&to=2026-06-30');
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(Buffer.from(content).toString()).toContain(`"'=1+1, ""quoted"""`);
  });
});
