import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, sortedStatuses, runConcurrently } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';

const { serving, office, violations } = await openProjects();
let opened: ProjectsFixture;
let owner: Member;
let project_id: string;
beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  project_id = (await workedProject(opened, { hourly_rate: '60' })).id;
});

const track = (body: object, by = owner) => by.post('/api/add-tracker', { project_id, ...body });
const span = (from: string, to: string) => ({ started_at: from, ended_at: to });
const settings = (changes: object, by = owner) => by.post('/api/time-settings/update', changes);
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const invalidField = (field: string) => ({ status: 422, body: { errors: { [field]: expect.anything() } } });

describe('the day of a time entry', () => {
  test('is the local day of its start, also over midnight and when clocks change', async () => {
    freezeClock('2026-11-10T08:00:00Z');
    const dayAndDuration = async (body: object) => {
      const { local_date, duration_seconds } = (await track(body)).body.data;
      return [local_date, duration_seconds / 3_600];
    };
    const berlin = { timezone: 'Europe/Berlin' };
    expect(
      await dayAndDuration({ ...berlin, ...span('2026-10-24T23:30:00+02:00', '2026-10-25T01:30:00+02:00') }),
    ).toEqual(['2026-10-24', 2]);
    expect(
      await dayAndDuration({ ...berlin, ...span('2026-10-25T01:30:00+02:00', '2026-10-25T03:30:00+01:00') }),
    ).toEqual(['2026-10-25', 3]);
    expect(
      await dayAndDuration({ ...berlin, ...span('2026-03-29T01:30:00+01:00', '2026-03-29T03:30:00+02:00') }),
    ).toEqual(['2026-03-29', 1]);
    // The same time is on another day in another zone.
    const night = span('2026-06-01T23:30:00Z', '2026-06-02T00:30:00Z');
    expect(await dayAndDuration({ timezone: 'Pacific/Auckland', ...night })).toEqual(['2026-06-02', 1]);
    expect((await owner.get('/api/time-entries?local_date=2026-10-25')).body.data).toHaveLength(1);
    expect(await violations(opened)).toEqual([]);
  });

  test('must be a plausible working day', async () => {
    for (const from of ['0001-01-01T00:00:00Z', '1899-12-31T23:00:00Z']) {
      const ended_at = `${from.slice(0, 11)}23:30:00Z`;
      expect(await track({ timezone: 'America/New_York', started_at: from, ended_at })).toMatchObject(
        invalidField('started_at'),
      );
    }
    const { id } = (await track(span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'))).body.data;
    const started_at = '0202-06-01T08:00:00Z';
    expect(await owner.post(`/api/time-entry/update/${id}`, { started_at })).toMatchObject(invalidField('started_at'));
  });

  test('determines whether its period is locked, before and after a correction', async () => {
    freezeClock('2026-06-10T08:00:00Z');
    const day = (date: string) => span(`${date}T08:00:00Z`, `${date}T09:00:00Z`);
    const [early, late] = [
      (await track(day('2026-06-01'))).body.data.id,
      (await track(day('2026-06-08'))).body.data.id,
    ];
    expect(await settings({ lock_period: 'week' })).toMatchObject({ body: { data: { closed_through: '2026-06-07' } } });
    const update = (id: string, body: object, by = owner) => by.post(`/api/time-entry/update/${id}`, body);
    const locked = { status: 409, body: { code: 'period_locked', details: { locked_through: '2026-06-07' } } };
    // In Auckland and on Kiritimati it is already Monday, but the locked day is in the workspace's time zone.
    for (const timezone of ['Pacific/Auckland', 'Pacific/Kiritimati'])
      expect(await track({ timezone, ...span('2026-06-07T20:00:00Z', '2026-06-07T21:00:00Z') })).toMatchObject(locked);
    expect(await track(span('2026-06-07T19:00:00Z', '2026-06-07T20:00:00Z'))).toMatchObject(locked);
    expect(await update(early, day('2026-06-09'))).toMatchObject(locked);
    expect(await update(late, day('2026-06-02'))).toMatchObject(locked);
    expect(await update(late, { timezone: 'Europe/London', ...day('2026-06-09') })).toMatchObject({ status: 200 });
    const worker = opened.member({ can: ['project.view'] });
    expect(await track({ ...day('2026-06-03'), reason: 'Forgotten' }, worker)).toMatchObject(locked);
    expect(await track({ ...day('2026-06-03'), reason: 'Forgotten' })).toMatchObject({ status: 201 });
    const { data } = (await owner.get(`/api/project/activity/${project_id}?object=time_entry`)).body;
    expect(data[0]).toMatchObject({ verb: 'tracked', diff: { reason: [null, 'Forgotten'] } });
  });
});

test('changes a description without affecting rounding and rate', async () => {
  freezeClock('2026-06-10T08:00:00Z');
  await settings({ hourly_rate: '80.00' });
  const { id, rounded_seconds, amount, hourly_rate } = (
    await track(span('2026-06-09T08:00:00Z', '2026-06-09T08:07:00Z'))
  ).body.data;
  const rounding = { mode: 'ceil', duration_minutes: 15 };
  expect((await settings({ rounding, hourly_rate: '120.00' })).status).toBe(200);
  const update = (body: object) => owner.post(`/api/time-entry/update/${id}`, body);
  const frozen = { rounded_seconds, amount, hourly_rate };
  expect((await update({ description: 'Fixed the gate' })).body.data).toMatchObject(frozen);
  const moved = await update(span('2026-06-09T08:00:00Z', '2026-06-09T08:08:00Z'));
  expect(moved.body.data).toMatchObject({ rounded_seconds: 900, hourly_rate });
});

test('exports amounts with the same decimals as JSON', async () => {
  freezeClock('2026-06-10T08:00:00Z');
  const { amount, hourly_rate } = (await track(span('2026-06-09T08:00:00Z', '2026-06-09T09:45:00Z'))).body.data;
  const { content } = await owner.get('/api/time-entries/export?from=2026-06-09&to=2026-06-09');
  expect([hourly_rate, amount]).toEqual(['60.00', '105.00']);
  expect(Buffer.from(content).toString()).toContain(',60.00,105.00,EUR,');
});

describe('a repeated time entry', () => {
  test('is created once by fifty requests with one Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'once' };
    const sendRequest = () => owner.post('/api/add-tracker', { project_id }, { headers });
    const replies = await runConcurrently(50, sendRequest);
    const done = replies.filter(({ status }) => status === 201);
    expect(done.length).toBeGreaterThan(0);
    expect(new Set(done.map(({ body }) => body.data.id)).size).toBe(1);
    expect(replies.filter(({ status }) => status !== 201).every(({ status }) => status === 409)).toBe(true);
    expect((await sendRequest()).headers.get('idempotent-replayed')).toBe('true');
    expect((await owner.get('/api/time-entries')).body.meta.total).toBe(1);
    const other = await owner.post('/api/add-tracker', { project_id, description: 'x' }, { headers });
    expect(other.status).toBe(422);
  });

  test('is stored once if an offline device sends it, even after its project closed', async () => {
    freezeClock('2026-06-02T08:00:00Z');
    const time = { ...span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'), offline_id: 'phone-1' };
    const { id } = (await track(time)).body.data;
    await owner.post(`/api/project/update/${project_id}`, { status: 'finished' });
    expect(await track(time)).toMatchObject({ status: 200, body: { data: { id, stopped: null } } });
    expect(await track({ ...time, offline_id: 'phone-2' })).toMatchObject(faultResponse(409, 'project_closed'));
    // The same offline ID of another user is a different entry.
    const { id: open } = await workedProject(opened);
    const mate = opened.member();
    expect((await track({ ...time, project_id: open }, mate)).status).toBe(201);
    expect(await violations(opened)).toEqual([]);
  });

  test('ends an earlier timer, but not a later one, if a device sends it', async () => {
    const still = freezeClock('2026-06-02T08:00:00Z');
    const { id } = (await track({})).body.data;
    still.goTo('2026-06-02T09:00:00Z');
    expect(await track({ started_at: '2026-06-02T07:30:00Z', offline_id: 'a' })).toMatchObject({
      status: 409,
      body: { code: 'overlap', details: { entry_id: id, ended_at: null } },
    });
    const reply = await track({ started_at: '2026-06-02T08:30:00Z', offline_id: 'b' });
    expect(reply).toMatchObject({
      status: 201,
      body: { data: { stopped: { id, ended_at: '2026-06-02T08:30:00.000Z', duration_seconds: 1_800 } } },
    });
    expect(await violations(opened)).toEqual([]);
  });
});

describe('the time settings', () => {
  test('require a permission, and increase their version with each change', async () => {
    const version = async () => (await owner.get('/api/time-settings')).body.data.version;
    const before = await version();
    const user_rates = [{ user_id: opened.hire(), hourly_rate: '50', cost_rate: null }];
    expect((await settings({ user_rates, version: before })).status).toBe(200);
    expect(await version()).toBe(before + 1);
    expect(await settings({ user_rates, version: before })).toMatchObject({ status: 412 });
    const [approver, plain] = [opened.member({ can: ['time.approve'] }), opened.member({ can: ['workspace.update'] })];
    expect(await settings({ late_time: true }, approver)).toMatchObject(faultResponse(403, 'forbidden'));
    expect(await settings({ locked_through: '2026-01-01' }, plain)).toMatchObject(faultResponse(403, 'forbidden'));
    expect(await settings({ locked_through: '2026-01-01' }, approver)).toMatchObject({ status: 200 });
    for (const field of ['hourly_rate', 'cost_rate', 'user_rates'])
      expect((await plain.get('/api/time-settings')).body.data).not.toHaveProperty(field);
  });

  test('accept valid rounding rules only', async () => {
    const rounding = (change: object) => settings({ rounding: { mode: 'closest', duration_minutes: 15, ...change } });
    expect(await rounding({ mode: 'nearest' })).toMatchObject({ status: 422 });
    expect(await rounding({ duration_minutes: 61 })).toMatchObject({ status: 422 });
    expect(await rounding({ weekdays: [1, 1] })).toMatchObject({ status: 422 });
    expect(await rounding({ weekdays: [0] })).toMatchObject({ status: 422 });
    expect(await rounding({})).toMatchObject({ status: 200 });
    freezeClock('2026-06-02T08:00:00Z');
    const entry = (await track(span('2026-06-01T09:00:00Z', '2026-06-01T09:52:30Z'))).body.data;
    expect(entry).toMatchObject({ duration_seconds: 3_150, rounded_seconds: 2_700, amount: '45.00' });
  });
});

describe('a list of time entries', () => {
  test('rejects unknown filters, and pages to the end', async () => {
    const query = async (text: string) => (await owner.get(`/api/time-entries?${text}`)).status;
    for (const text of [
      'status=done',
      'billable=yes',
      'colour=red',
      'local_date=yesterday',
      'user_id=me',
      'sort=amount',
    ])
      expect([text, await query(text)]).toEqual([text, 422]);
    freezeClock('2026-06-20T08:00:00Z');
    const created = await runConcurrently(30, (at) => {
      const day = `2026-05-${String(at + 1).padStart(2, '0')}`;
      return track(span(`${day}T08:00:00Z`, `${day}T09:00:00Z`));
    });
    expect(new Set(sortedStatuses(created))).toEqual(new Set([201]));
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const path = `/api/time-entries?per_page=7&sort=started_at${cursor && `&cursor=${cursor}`}`;
      const { data, meta } = (await owner.get(path)).body;
      seen.push(...data.map(({ local_date }: { local_date: string }) => local_date));
      expect(meta.sums).toEqual({ seconds: 108_000, rounded_seconds: 108_000 });
      if (!meta.next_cursor) break;
      cursor = meta.next_cursor;
    }
    expect(seen).toHaveLength(30);
    expect(seen).toEqual(seen.toSorted());
  });

  test('sums more seconds than an integer, and is exported completely or not at all', async () => {
    const worker = opened.member();
    await track(span('2026-06-01T08:00:00Z', '2026-06-01T09:00:00Z'), worker);
    // Inserts without triggers, which would count rows for minutes.
    await serving.admin.query(`
      BEGIN;
      SET LOCAL session_replication_role = replica;
      INSERT INTO time_entries (id, workspace_id, user_id, project_id, started_at, ended_at, timezone, local_date,
        duration_seconds, rounded_seconds, billable, hourly_rate, cost_rate, amount, currency, status)
      SELECT gen_random_uuid(), '${opened.workspace}', '${worker.caller.user_id}', '${project_id}', day, day + interval '23 hours',
        'UTC', day, 300000, 300000, FALSE, 0, 0, 0, 'EUR', 'stopped'
      FROM generate_series(timestamptz '1980-01-01Z', timestamptz '2009-12-31Z', interval '1 day') AS day;
      COMMIT`);
    const { meta } = (await owner.get('/api/time-entries?per_page=1')).body;
    expect(meta.sums.seconds).toBeGreaterThan(2 ** 31);
    expect(await owner.get('/api/time-entries/export?from=1980-01-01&to=2009-12-31')).toMatchObject(invalidField('to'));
    const { content } = await owner.get('/api/time-entries/export?from=1980-01-01&to=1980-12-31');
    expect(Buffer.from(content).toString().trim().split('\r\n')).toHaveLength(367);
    expect(await owner.get('/api/time-entries/export?from=2026-02-01&to=2026-01-01')).toMatchObject(invalidField('to'));
  });
});
