import { beforeEach, describe, expect, test } from '@jest/globals';
import { Fault } from '@suite/chassis/faults';
import type { SignInToTrackRequest } from '@suite/proto/platform/v1/platform';
import { type Member, freezeClock } from '@suite/testing';
import { type ProjectsFixture, openProjects } from '../../../test/fixture.ts';
import { workedProject } from '../../../test/worked-project.ts';

const { serving, platform, office, violations } = await openProjects();
let opened: ProjectsFixture;
let owner: Member;
let signIns: SignInToTrackRequest[];
const password = 'correct horse battery staple';
const faultResponse = (status: number, code: string) => ({ status, body: { code } });

/** Makes the platform fake accept a sign-in, as with a correct password. */
function acceptPasswordOf({ caller }: Member, more: { timezone?: string } = {}) {
  platform.strangers.admit = async (given) => {
    signIns.push(given);
    const { user_id, user_name, kind: user_kind, workspace_id, role, record_scopes, modules, currency } = caller;
    const bearer = { user_id, user_name, user_kind, workspace_id, role, record_scopes, currency };
    const session = {
      permissions: [],
      session_id: user_id,
      api_key_id: '',
      purpose: 'tracker',
      team: [],
      modules: [...modules],
      limits: {},
      subscription_status: '',
    };
    const zones = { timezone: 'Europe/Berlin', user_timezone: more.timezone ?? '' };
    const tokens = { access_token: 'a', expires_in: 600, refresh_token: 'r', refresh_expires_in: 9, device_token: 'd' };
    const workspace = { workspace_name: 'Northwind', week_start: 1 };
    return {
      ...tokens,
      ...workspace,
      email: given.email,
      bearer: { ...bearer, ...session, ...zones, expires_at: undefined },
    };
  };
}

const login = (more: object = {}, headers: Record<string, string> = {}) =>
  serving.anonymous.post('/api/tracker-login', { email: 'kim@example.com', password, ...more }, { headers });

beforeEach(async () => {
  opened = await office();
  owner = opened.owner;
  signIns = [];
});

describe('signing in with a tracker', () => {
  test('returns tokens, user, workspace, projects and the running timer', async () => {
    const still = freezeClock('2026-06-01T08:00:00Z');
    const { id, code, task_id } = await workedProject(opened);
    await workedProject(opened, { status: 'finished' });
    await workedProject(opened, { active: false });
    const { body: started } = await owner.post('/api/add-tracker', { project_id: id, task_id });
    still.goTo('2026-06-01T08:30:00Z');
    acceptPasswordOf(owner, { timezone: 'America/New_York' });
    const { status, body } = await login();
    expect(status).toBe(200);
    expect(body.data).toEqual({
      access_token: 'a',
      token_type: 'Bearer',
      expires_in: 600,
      refresh_token: 'r',
      refresh_expires_in: 9,
      device_token: 'd',
      server_time: '2026-06-01T08:30:00.000Z',
      user: { id: owner.caller.user_id, name: 'Kim Example', email: 'kim@example.com', timezone: 'America/New_York' },
      workspace: { id: opened.workspace, name: 'Northwind', base_currency: 'EUR', week_start: 1 },
      projects: [
        {
          id,
          code,
          name: 'Website',
          billable: true,
          tasks: [{ id: task_id, key: `${code}-1`, title: 'Draw the page' }],
        },
      ],
      running: expect.objectContaining({ id: started.data.id, status: 'running' }),
      settings: {
        late_time: false,
        on_second_start: 'stop',
        auto_stop_hours: 10,
        max_offline_days: 14,
        min_seconds: 0,
        rounding: null,
        closed_through: null,
      },
    });
  });

  test('sends the origin of the request and the device name to platform', async () => {
    acceptPasswordOf(owner);
    const headers = { 'x-client-address': '203.0.113.7', 'user-agent': 'Stopwatch/1.0' };
    await login({ workspace: 'northwind', device_token: 'known' }, headers);
    await login({ device: 'Kim’s phone' }, headers);
    expect(signIns).toEqual([
      {
        email: 'kim@example.com',
        password,
        workspace: 'northwind',
        device_token: 'known',
        address: '203.0.113.7',
        user_agent: 'Stopwatch/1.0',
      },
      expect.objectContaining({ workspace: '', device_token: '', user_agent: 'Kim’s phone', address: '203.0.113.7' }),
    ]);
  });

  test('lists projects of members, with their own and unassigned tasks', async () => {
    const [worker, viewer] = [opened.hire(), opened.hire()];
    const { id, code, task_id } = await workedProject(opened, { members: { [worker]: 'member', [viewer]: 'viewer' } });
    await workedProject(opened);
    const createTask = (title: string, assignee_ids: string[]) =>
      owner.post(`/api/project/${id}/task/create`, { title, assignee_ids });
    await createTask('Of another', [owner.caller.user_id]);
    const own = (await createTask('Own', [worker])).body.data.id;
    const projectsOf = async (user_id: string) => {
      acceptPasswordOf(opened.member({ user_id, can: [], record_scopes: { project: 'own' } }));
      return (await login()).body.data.projects;
    };
    expect(await projectsOf(viewer)).toEqual([]);
    expect(await projectsOf(worker)).toMatchObject([
      {
        code,
        tasks: [
          { id: own, title: 'Own' },
          { id: task_id, title: 'Draw the page' },
        ],
      },
    ]);
    expect((await projectsOf(owner.caller.user_id)).length).toBeLessThanOrEqual(2);
  });

  test('is rejected like by platform', async () => {
    const faults: [number, string, object][] = [
      [401, 'wrong_credentials', {}],
      [401, 'second_factor_needed', { challenge: 'bmc_x', expires_in_seconds: 300 }],
      [401, 'second_factor_enrolment_needed', { challenge: 'bmc_y', expires_in_seconds: 300 }],
      [403, 'account_disabled', {}],
      [403, 'workspace_suspended', {}],
      [403, 'module_disabled', { module: 'timetracker' }],
      [403, 'forbidden', { kind: 'client' }],
    ];
    for (const [status, code, details] of faults) {
      platform.strangers.admit = () => Promise.reject(new Fault(status, code, 'No.', { details }));
      expect(await login()).toMatchObject({
        status,
        body: { code, ...(Object.keys(details).length > 0 && { details }) },
      });
    }
    platform.strangers.admit = () =>
      Promise.reject(new Fault(429, 'rate_limited', 'Later.', { details: { retry_after_s: 7 } }));
    const limited = await login();
    expect(limited).toMatchObject(faultResponse(429, 'rate_limited'));
    expect(limited.headers.get('retry-after')).toBe('7');
    for (const body of [{ email: 'kim' }, { password: '' }, { device: 'x'.repeat(101) }, { workspace_id: 'x' }])
      expect(await login(body)).toMatchObject({ status: 422 });
  });

  test('does not store the password', async () => {
    acceptPasswordOf(owner);
    const headers = { 'idempotency-key': 'once' };
    expect((await login({}, headers)).status).toBe(200);
    const tables = await serving.sql<{ name: string }>`
      SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const { rows } = await serving.admin.query(
        `SELECT count(*)::int AS found FROM "${name}" AS row WHERE row::text LIKE '%correct horse%'`,
      );
      expect({ name, found: rows[0].found }).toEqual({ name, found: 0 });
    }
  });
});

describe('a tracker session', () => {
  const trackerSessionOf = (member: Member) => opened.member({ ...member.caller, can: [], purpose: 'tracker' });

  test('tracks, corrects, deletes, submits and exports only its own time', async () => {
    freezeClock('2026-06-02T08:00:00Z');
    const { id: project_id } = await workedProject(opened);
    const colleague = opened.member();
    const hour = { project_id, started_at: '2026-06-01T08:00:00Z', ended_at: '2026-06-01T09:00:00Z' };
    const other = (await colleague.post('/api/add-tracker', hour)).body.data.id;
    const tracker = trackerSessionOf(owner);
    const started = await tracker.post('/api/add-tracker', { project_id });
    expect(started.status).toBe(201);
    expect((await tracker.get('/api/tracker')).body.data).toMatchObject({ running: { id: started.body.data.id } });
    expect((await tracker.post('/api/stop-tracker', {})).status).toBe(200);
    const { id } = (await tracker.post('/api/add-tracker', hour)).body.data;
    expect((await owner.get('/api/time-entries')).body.meta.total).toBe(3);
    const seen = (await tracker.get('/api/time-entries')).body;
    expect(seen.meta).toMatchObject({ total: 2, sums: { seconds: 3_600 } });
    expect((await tracker.get(`/api/time-entries?id=${other}`)).body.data).toEqual([]);
    const { content } = await tracker.get('/api/time-entries/export?from=2026-06-01&to=2026-06-30');
    expect(Buffer.from(content).toString().trim().split('\r\n')).toHaveLength(3);
    expect((await tracker.get('/api/timesheets')).body.data).toMatchObject([
      { user_id: owner.caller.user_id, entries: 2 },
    ]);
    expect(await tracker.post(`/api/time-entry/update/${other}`, { description: 'No' })).toMatchObject({ status: 403 });
    expect(await tracker.delete(`/api/time-entry/delete/${other}`)).toMatchObject({ status: 403 });
    expect((await tracker.post(`/api/time-entry/update/${id}`, { description: 'Layout' })).status).toBe(200);
    expect((await tracker.delete(`/api/time-entry/delete/${started.body.data.id}`)).status).toBe(200);
    expect(
      (await tracker.post('/api/timesheet/submit', { from: '2026-06-01', to: '2026-06-02' })).body.data,
    ).toMatchObject({
      entry_ids: [id],
    });
    expect(await violations(opened)).toEqual([]);
  });

  test('allows nothing else, regardless of the user', async () => {
    const { id, task_id } = await workedProject(opened);
    const tracker = trackerSessionOf(owner);
    const calls = [
      tracker.get('/api/projects'),
      tracker.get(`/api/project/show/${id}`),
      tracker.get('/api/get-projects'),
      tracker.get(`/api/project/task/show/${task_id}`),
      tracker.get('/api/project/task-stages'),
      tracker.get('/api/time-settings'),
      tracker.post('/api/time-settings/update', { self_approval: true }),
      tracker.post('/api/timesheet/approve', { entry_ids: [id] }),
      tracker.post('/api/timesheet/reopen', { entry_ids: [id], reason: 'No' }),
      tracker.post(`/api/project/invoice/${id}`, {}),
      tracker.post('/api/projects/create', { name: 'No' }),
    ];
    for (const reply of await Promise.all(calls)) expect(reply).toMatchObject(faultResponse(403, 'tracker_session'));
  });

  test('ends when the time module is disabled', async () => {
    const tracker = opened.member({ ...owner.caller, can: [], purpose: 'tracker', modules: ['projects'] });
    expect(await tracker.get('/api/tracker')).toMatchObject(faultResponse(403, 'module_disabled'));
  });
});
