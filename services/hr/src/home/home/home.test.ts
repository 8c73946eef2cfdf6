import { beforeEach, describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';

const { serving, office } = await openOffices();
let acme: NoticesFixture;
let ada: SignedInEmployee;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  // A Monday.
  time = freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada', { dob: '1990-06-20' }, { can: [] });
});

const home = async ({ user }: Pick<SignedInEmployee, 'user'> = ada) => (await user.get('/api/hrm/home')).body.data;
const holiday = (name: string, from: string, more: object = {}) =>
  acme.owner.post('/api/holiday/create', { name, from, ...more });
const calendar = async (body: object, { user }: Pick<SignedInEmployee, 'user'> = ada) => {
  const { data } = (await user.post('/api/hrm/events', body)).body;
  return data.map(({ kind, title, start, end }: Record<string, string>) => [kind, title, start, end]);
};

describe('home', () => {
  test('shows an empty day for an employee without any records', async () => {
    const shown = await home();
    expect(shown).toMatchObject({
      employee: { id: ada.id, name: 'Ada' },
      today: {
        local_date: '2026-06-15',
        status: null,
        state: null,
        first_in: null,
        worked_minutes: 0,
        shift: { start: '09:00', end: '17:30', timezone: 'Europe/Berlin' },
        on_leave: null,
      },
      open_session: null,
      next_holidays: [],
      announcements: [],
      acknowledgments_due: { count: 0, first: [] },
      pending_requests: [],
      approvals_waiting: { count: 0, first: [] },
      last_payslip: null,
    });
    expect(shown.balances.map(({ code }: { code: string }) => code)).toEqual(['annual', 'sick', 'unpaid']);
    time.goTo('2026-06-13T10:00:00Z');
    expect((await home()).today).toMatchObject({ local_date: '2026-06-13', status: 'weekly_off' });
  });

  test('shows the open session with its break, also past midnight', async () => {
    const punch = (body: object = {}) => ada.user.post('/api/hrm/clock-in-out', body);
    await punch();
    expect((await home()).open_session).toEqual({ since: '2026-06-15T10:00:00.000Z', on_break: false });
    time.goTo('2026-06-15T12:00:00Z');
    await punch({ type: 'break_start' });
    expect(await home()).toMatchObject({ today: { state: 'open' }, open_session: { on_break: true } });
    time.goTo('2026-06-15T22:30:00Z');
    expect((await home()).today).toMatchObject({ local_date: '2026-06-15', state: 'open' });
    await punch({ type: 'break_end' });
    time.goTo('2026-06-15T22:40:00Z');
    await punch({ type: 'out' });
    expect(await home()).toMatchObject({ today: { local_date: '2026-06-16', state: null }, open_session: null });
  });

  test('shows the next holidays and birthdays, except hidden birthdays', async () => {
    for (const day of [
      '2026-06-14',
      '2026-07-01',
      '2026-08-01',
      '2026-09-01',
      '2026-10-01',
      '2026-11-01',
      '2026-12-01',
    ])
      await holiday(`On ${day}`, day);
    await acme.hire('Ben', { dob: '1984-02-29' });
    const shy = await acme.hire('Shy', { dob: '1980-06-21' });
    await acme.hire('Gone', { dob: '1980-06-22', status: 'left' });
    await serving.sql`UPDATE employees SET hide_birthday = TRUE WHERE id = ${shy.id}`;
    const shown = await home();
    expect(shown.next_holidays.map(({ from }: { from: string }) => from)).toEqual([
      '2026-07-01',
      '2026-08-01',
      '2026-09-01',
      '2026-10-01',
      '2026-11-01',
    ]);
    expect(shown.birthdays).toEqual([{ id: ada.id, name: 'Ada', day: '06-20' }]);
    time.goTo('2027-02-20T10:00:00Z');
    expect((await home()).birthdays).toMatchObject([{ name: 'Ben', day: '02-28' }]);
    time.goTo('2028-02-20T10:00:00Z');
    expect((await home()).birthdays).toMatchObject([{ name: 'Ben', day: '02-29' }]);
    await acme.owner.post('/api/hrm-settings/update', { show_birthdays: false });
    expect((await home()).birthdays).toEqual([]);
  });

  test('shows announcements for the caller only, and their due acknowledgments', async () => {
    const publishAnnouncement = (title: string, more: object = {}) =>
      acme.publish('announcement', { title, body: 'Read this.', ...more });
    for (const count of [1, 2, 3, 4, 5, 6]) await publishAnnouncement(`News ${count}`, { requires_ack: true });
    await publishAnnouncement('Harbour', { audience: { branch_ids: [acme.harbour] } });
    await acme.owner.post('/api/announcement/create', { title: 'A draft', body: 'Not yet.' });
    const shown = await home();
    expect(shown.announcements).toHaveLength(5);
    expect(shown.acknowledgments_due).toMatchObject({
      count: 6,
      first: [{ type: 'announcement', due_on: '2026-06-29' }, {}, {}, {}, {}],
    });
    const { id } = shown.acknowledgments_due.first[0];
    await ada.user.post(`/api/hrm/acknowledge/${id}`, {});
    expect((await home()).acknowledgments_due.count).toBe(5);
    const manager = await acme.hire('Boss', {}, { can: ['announcement.view', 'announcement.update'] });
    const titles = (await home(manager)).announcements.map(({ title }: { title: string }) => title);
    expect(titles).not.toContain('Harbour');
    expect(titles).not.toContain('A draft');
  });

  test('shows leave requests to the employee, the approver and the deputy', async () => {
    const lead = await acme.hire('Lee', {}, { can: [] });
    const deputy = await acme.hire('Dee', {}, { can: [] });
    await serving.sql`UPDATE employees SET manager_id = ${lead.id} WHERE id = ${ada.id}`;
    const { leave_type_id } = (await home()).balances.find(({ code }: { code: string }) => code === 'unpaid');
    const request = await ada.user.post('/api/hrm/leave-request', {
      leave_type_id,
      from: '2026-07-06',
      to: '2026-07-07',
      reason: 'A wedding',
    });
    expect(request.status).toBe(201);
    const { id } = request.body.data;
    expect((await home()).pending_requests).toMatchObject([
      { id, from: '2026-07-06', to: '2026-07-07', status: 'pending' },
    ]);
    expect((await home()).approvals_waiting.count).toBe(0);
    expect((await home(lead)).approvals_waiting).toMatchObject({
      count: 1,
      first: [{ id, employee: { name: 'Ada' } }],
    });
    expect((await home(deputy)).approvals_waiting.count).toBe(0);
    await serving.sql`INSERT INTO deputies (id, workspace_id, employee_id, deputy_id, "from", "to")
      VALUES (gen_random_uuid(), ${acme.workspace}, ${lead.id}, ${deputy.id}, '2026-06-15', '2026-06-15')`;
    expect((await home(deputy)).approvals_waiting.count).toBe(1);
    expect(await lead.user.post(`/api/hrm/approvals/${id}`, { action: 'approve' })).toMatchObject({ status: 200 });
    expect(await home()).toMatchObject({ pending_requests: [], today: { on_leave: null } });
    time.goTo('2026-07-07T08:00:00Z');
    expect((await home()).today.on_leave).toEqual({ from: '2026-07-06', to: '2026-07-07', half_day: 'none' });
  });

  test('requires an employee and is limited to the caller', async () => {
    const refused = { status: 403, body: { code: 'not_an_employee' } };
    const gone = await acme.hire('Gone', { status: 'left' });
    for (const user of [gone.user, acme.member({ can: [] }), acme.member({ kind: 'client' })]) {
      expect(await user.get('/api/hrm/home')).toMatchObject(refused);
      expect(await user.get('/api/hrm/holidays-list')).toMatchObject(refused);
      expect(await user.post('/api/hrm/events', {})).toMatchObject(refused);
    }
    expect(await ada.user.get(`/api/hrm/home?employee_id=${gone.id}`)).toMatchObject({ status: 422 });
  });
});

describe('holidays', () => {
  const list = async (query = '') => (await ada.user.get(`/api/hrm/holidays-list?${query}`)).body.data;

  test('come from the calendar of the employee on each day', async () => {
    await holiday('Between the years', '2026-12-30', { to: '2027-01-01' });
    const { id: calendar_id } = (
      await acme.owner.post('/api/holiday-calendar/create', { name: 'Harbour', branch_id: acme.harbour })
    ).body.data;
    await holiday('Harbour day', '2026-12-31', { calendar_id, paid: false });
    await holiday('Before', '2025-12-25');
    expect(await list()).toEqual([
      {
        id: expect.any(String),
        name: 'Between the years',
        from: '2026-12-30',
        to: '2026-12-31',
        paid: true,
        weekday: 3,
      },
    ]);
    // The employee joined on 1 January.
    expect(await list('from=2025-12-01&to=2025-12-31')).toEqual([]);
    expect(await list('year=2027')).toMatchObject([{ from: '2027-01-01', to: '2027-01-01' }]);
    await acme.owner.post(`/api/employee/update/${ada.id}`, { branch_id: acme.harbour, effective_from: '2026-12-31' });
    expect(await list()).toMatchObject([
      { name: 'Between the years', from: '2026-12-30', to: '2026-12-30' },
      { name: 'Harbour day', from: '2026-12-31', paid: false },
    ]);
  });

  test('reject invalid ranges', async () => {
    for (const [query, field] of [
      ['year=26', 'year'],
      ['year=2026&from=2026-01-01', 'year'],
      ['from=2026-05-01&to=2026-04-01', 'to'],
      ['month=2026-05', 'month'],
    ])
      expect(await ada.user.get(`/api/hrm/holidays-list?${query}`)).toMatchObject({
        status: 422,
        body: { errors: { [field!]: [expect.any(String)] } },
      });
    expect(await ada.user.get('/api/hrm/holidays-list?from=2026-01-01&to=2027-06-01')).toMatchObject({
      status: 422,
      body: { code: 'range_too_long' },
    });
  });
});

describe('the calendar', () => {
  const party = { title: 'Summer party', start: '2026-06-20T18:00:00+02:00', end: '2026-06-20T23:00:00+02:00' };

  test('lists events for the caller, holidays, birthdays and leave by day', async () => {
    await acme.publish('event', party);
    await acme.publish('event', { ...party, title: 'At the harbour', audience: { branch_ids: [acme.harbour] } });
    await acme.owner.post('/api/event/create', { ...party, title: 'A draft' });
    await holiday('Corpus Christi', '2026-06-04');
    const ben = await acme.hire('Ben');
    await serving.sql`
      INSERT INTO leave_applications (id, workspace_id, employee_id, leave_type_id, "from", "to", days, status, reason)
      SELECT gen_random_uuid(), workspace_id, ${ben.id}, id, '2026-05-28', '2026-06-02', 4, 'approved', 'A secret operation'
      FROM leave_types WHERE workspace_id = ${acme.workspace} AND code = 'sick'`;
    const all = [
      ['leave', 'Ben', '2026-05-28', '2026-06-02'],
      ['holiday', 'Corpus Christi', '2026-06-04', '2026-06-04'],
      ['birthday', 'Ada', '2026-06-20', '2026-06-20'],
      ['event', 'Summer party', '2026-06-20T16:00:00.000Z', '2026-06-20T21:00:00.000Z'],
    ];
    expect(await calendar({})).toEqual(all);
    expect(await calendar({ month: '2026-06', kinds: ['leave'] })).toEqual([all[0]]);
    expect(await calendar({ from: '2026-06-20', to: '2026-06-20', kinds: ['event', 'birthday'] })).toEqual(
      all.slice(2),
    );
    expect(await calendar({ month: '2026-07' })).toEqual([]);
    const text = JSON.stringify((await ada.user.post('/api/hrm/events', {})).body);
    expect(text).not.toMatch(/secret|sick/i);
    const second = (await ada.user.post('/api/hrm/events', { page: 2, per_page: 3 })).body;
    expect([second.data.length, second.meta.total]).toEqual([1, 4]);
    expect((await ada.user.post('/api/hrm/events', { page: 9, per_page: 3 })).body).toMatchObject({
      data: [],
      meta: { total: 4 },
    });
  });

  test('rejects invalid requests and shows only the own workspace', async () => {
    for (const [body, field] of [
      [{ kinds: ['party'] }, 'kinds.0'],
      [{ kinds: [] }, 'kinds'],
      [{ month: '2026-13' }, 'month'],
      [{ month: '2026-06', from: '2026-06-01' }, 'month'],
      [{ employee_id: ada.id }, 'employee_id'],
    ] as const)
      expect(await ada.user.post('/api/hrm/events', body)).toMatchObject({
        status: 422,
        body: { errors: { [field]: [expect.any(String)] } },
      });
    await acme.publish('event', party);
    const rival = await office();
    const eve = await rival.hire('Eve', { dob: '1990-06-21' });
    expect(await calendar({}, eve)).toEqual([['birthday', 'Eve', '2026-06-21', '2026-06-21']]);
  });
});
