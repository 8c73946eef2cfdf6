import { beforeEach, describe, expect, test } from '@jest/globals';
import { eventPublisher, sortedStatuses, freezeClock, runConcurrently, waitUntil } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';

const { serving, office, keepNotices, failures } = await openOffices();
const { announce, say } = await eventPublisher(serving);
let acme: NoticesFixture;
let ada: SignedInEmployee;
let ben: SignedInEmployee;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  time = freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada');
  ben = await acme.hire('Ben', { branch_id: acme.harbour });
});

const news = { title: 'Summer party', body: 'On the roof, from six.' };
const post = (path: string, body: object = {}) => acme.owner.post(`/api/announcement/${path}`, body);
const titles = async ({ user }: { user: SignedInEmployee['user'] }, query = '') =>
  (await user.get(`/api/announcements?${query}`)).body.data.map(({ title }: { title: string }) => title);
const acknowledgments = async (query = '') => (await acme.owner.get(`/api/acknowledgments?${query}`)).body;
const fault = (status: number, code: string) => ({ status, body: { code } });

describe('an audience', () => {
  test('sees its published notices, and drafts only with write permission', async () => {
    await acme.publish('announcement', { ...news, title: 'For all' });
    const there = { branch_ids: [acme.harbour] };
    const harbour = await acme.publish('announcement', { ...news, title: 'Harbour', audience: there });
    await acme.publish('announcement', { ...news, title: 'For Ada', audience: { employee_ids: [ada.id] } });
    await post('create', { ...news, title: 'A draft' });
    expect(await titles(ada)).toEqual(['For Ada', 'For all']);
    expect(await titles(ben)).toEqual(['Harbour', 'For all']);
    expect(await titles({ user: acme.owner })).toEqual(['A draft', 'For Ada', 'Harbour', 'For all']);
    expect((await ada.user.get('/api/announcements')).body.meta.total).toBe(2);
    expect(await titles(ada, 'q=harbour')).toEqual([]);
    expect(await ada.user.get(`/api/announcement/show/${harbour}`)).toMatchObject({ status: 404 });
    const shown = await ben.user.get(`/api/announcement/show/${harbour}`);
    expect(shown.body.data).toMatchObject({ body: news.body, acknowledgment: null, allowed_actions: [] });
    expect(shown.body.data).not.toHaveProperty('audience');
    expect((await acme.owner.get(`/api/announcement/show/${harbour}`)).body.data.audience).toEqual({
      branch_ids: [acme.harbour],
      department_ids: [],
      designation_ids: [],
      employee_ids: [],
    });
  });

  test('is limited to team members for a manager with team scope', async () => {
    const lead = await acme.hire('Lee', {}, { record_scopes: { announcement: 'team' } });
    await serving.sql`UPDATE employees SET manager_id = ${lead.id} WHERE id = ${ben.id}`;
    await acme.publish('announcement', { ...news, audience: { branch_ids: [acme.harbour] } });
    await acme.publish('announcement', { ...news, title: 'Ada', audience: { employee_ids: [ada.id] } });
    expect(await titles(lead)).toEqual(['Summer party']);
  });

  test('includes subdepartments of its department, even after they move', async () => {
    const [{ department_id }] = (await serving.sql`
      SELECT department_id FROM employees WHERE id = ${ada.id}`) as [{ department_id: string }];
    const [{ branch_id }] = (await acme.owner.get('/api/departments')).body.data;
    const above = (await acme.owner.post('/api/department/create', { name: 'Group', branch_id })).body.data.id;
    await acme.publish('announcement', { ...news, requires_ack: true, audience: { department_ids: [above] } });
    expect(await titles(ada)).toEqual([]);
    await acme.owner.post(`/api/department/update/${department_id}`, { parent_id: above });
    expect(await titles(ada)).toEqual(['Summer party']);
    expect((await acknowledgments()).meta.total).toBe(0);
    time.goTo('2026-06-16T10:00:00Z');
    await keepNotices();
    expect((await acknowledgments()).meta.total).toBe(2);
    expect(failures).toEqual([]);
  });

  test('excludes clients, former employees and other workspaces', async () => {
    await acme.publish('announcement', news);
    const gone = await acme.hire('Gone', { status: 'left' });
    const guest = acme.member({ can: ['announcement.view'] });
    const rival = await office();
    expect(await titles(gone)).toEqual([]);
    expect(await titles({ user: acme.member({ kind: 'client', can: ['announcement.view'] }) })).toEqual([]);
    expect(await titles({ user: rival.owner })).toEqual([]);
    // A staff user without an employee record belongs to the whole-workspace audience only.
    expect(await titles({ user: guest })).toEqual(['Summer party']);
    const silent = await acme.hire('Silent', {}, { can: [] });
    expect(await silent.user.get('/api/announcements')).toMatchObject({ status: 403 });
    const [{ id }] = (await acme.owner.get('/api/announcements')).body.data;
    expect(await silent.user.get(`/api/announcement/show/${id}`)).toMatchObject({ status: 200 });
    expect(await acme.member({ can: [] }).get(`/api/announcement/show/${id}`)).toMatchObject({ status: 404 });
  });

  test('accepts only existing IDs of the workspace', async () => {
    const rival = await office();
    for (const [field, id] of [
      ['branch_ids', rival.harbour],
      ['department_ids', acme.harbour],
      ['designation_ids', acme.harbour],
      ['employee_ids', acme.harbour],
    ] as const)
      expect(await post('create', { ...news, audience: { [field]: [acme.harbour, id].slice(1) } })).toMatchObject({
        status: 422,
        body: { errors: { [`audience.${field}.0`]: [expect.any(String)] } },
      });
    const { id } = (await post('create', { ...news, audience: { branch_ids: [acme.harbour] } })).body.data;
    expect(await acme.owner.delete(`/api/branch/delete/${acme.harbour}`)).toMatchObject(fault(409, 'in_use'));
    expect(await acme.owner.delete(`/api/announcement/delete/${id}`)).toMatchObject({ status: 200 });
  });

  test('filters lists for users with write permission', async () => {
    await acme.publish('announcement', { ...news, title: 'Harbour', audience: { branch_ids: [acme.harbour] } });
    await acme.publish('announcement', { ...news, title: 'For all' });
    const owner = { user: acme.owner };
    expect(await titles(owner, `branch_id=${acme.harbour}`)).toEqual(['Harbour']);
    expect(await titles(owner, `branch_id[in]=${acme.harbour},${ada.id}`)).toEqual(['Harbour']);
    expect(await titles(owner, `branch_id[ne]=${acme.harbour}`)).toEqual(['For all']);
    expect(await titles(owner, `employee_id=${ada.id}`)).toEqual([]);
    for (const query of [`branch_id=${acme.harbour}`, 'colour=red', 'status=late', 'sort=body'])
      expect(await ben.user.get(`/api/announcements?${query}`)).toMatchObject({ status: 422 });
  });
});

describe('an announcement', () => {
  test('is published and e-mailed once when 50 callers publish it concurrently', async () => {
    const { id } = (await post('create', { ...news, requires_ack: true })).body.data;
    const replies = await runConcurrently(50, () => post(`update-status/${id}`, { action: 'publish' }));
    expect(sortedStatuses(replies)).toEqual(Array.from({ length: 50 }, () => 200));
    expect((await acknowledgments()).meta.total).toBe(2);
    expect(await acme.deliver()).toEqual([
      { to: 'ada', subject: 'Please acknowledge: Summer party', text: expect.stringContaining(news.body) },
      { to: 'ben', subject: 'Please acknowledge: Summer party', text: expect.stringContaining('2026-06-29') },
    ]);
    expect(await acme.deliver()).toEqual([]);
  });

  test('sends no e-mails if it is archived before delivery', async () => {
    const id = await acme.publish('announcement', news);
    await post(`update-status/${id}`, { action: 'archive' });
    expect(await acme.deliver()).toEqual([]);
    expect(await titles(ada)).toEqual([]);
  });

  test('is shown from its first to its last day, in the workspace time zone', async () => {
    const id = await acme.publish('announcement', {
      ...news,
      requires_ack: true,
      start: '2026-06-20',
      end: '2026-06-21',
    });
    const statusAt = async (instant: string) => {
      time.goTo(instant);
      await Promise.all([keepNotices(), keepNotices()]);
      const { status } = (await acme.owner.get(`/api/announcement/show/${id}`)).body.data;
      return [status, (await titles(ada)).length, (await acknowledgments()).meta.total];
    };
    expect(await statusAt('2026-06-19T21:59:59Z')).toEqual(['published', 0, 0]);
    expect(await statusAt('2026-06-19T22:00:00Z')).toEqual(['published', 1, 2]);
    expect((await acknowledgments()).data[0]).toMatchObject({ due_on: '2026-07-04', overdue: false });
    expect(await statusAt('2026-06-21T21:59:59Z')).toEqual(['published', 1, 2]);
    expect(await statusAt('2026-06-21T22:00:00Z')).toEqual(['expired', 0, 2]);
    expect(failures).toEqual([]);
  });

  test('expires unseen if its dates passed while no job ran', async () => {
    const id = await acme.publish('announcement', { ...news, start: '2026-06-20', end: '2026-06-21' });
    time.goTo('2026-08-01T10:00:00Z');
    await keepNotices();
    expect((await acme.owner.get(`/api/announcement/show/${id}`)).body.data).toMatchObject({
      status: 'expired',
      published_at: null,
    });
    expect(await acme.deliver()).toEqual([]);
  });

  test('is not published after its end until the end is corrected', async () => {
    const { id } = (await post('create', { ...news, end: '2026-06-14' })).body.data;
    expect(await post(`update-status/${id}`, { action: 'publish' })).toMatchObject(fault(409, 'already_over'));
    expect(await post(`update/${id}`, { start: '2026-06-15' })).toMatchObject({
      status: 422,
      body: { errors: { end: [expect.any(String)] } },
    });
    expect(await post(`update/${id}`, { end: null })).toMatchObject({ status: 200, body: { data: { end: null } } });
    expect(await post(`update-status/${id}`, { action: 'publish' })).toMatchObject({ status: 200 });
  });

  test('changes only its end and audience once employees have seen it', async () => {
    const id = await acme.publish('announcement', {
      ...news,
      requires_ack: true,
      audience: { employee_ids: [ada.id] },
    });
    expect(await post(`update/${id}`, { title: 'Other', end: '2026-07-01' })).toMatchObject({
      status: 409,
      body: { code: 'already_published', details: { fields: ['title'] } },
    });
    await acme.deliver();
    const wider = { end: '2026-07-01', audience: { employee_ids: [ada.id, ben.id] } };
    expect(await post(`update/${id}`, wider)).toMatchObject({ status: 200, body: { data: { end: '2026-07-01' } } });
    expect(await acme.deliver()).toMatchObject([{ to: 'ben' }]);
    expect((await acknowledgments(`employee_id=${ben.id}`)).data).toMatchObject([
      { status: 'pending', title: news.title },
    ]);
    await post(`update/${id}`, { audience: { employee_ids: [ben.id] } });
    expect((await acknowledgments()).data).toMatchObject([{ employee_id: ben.id }]);
    expect(await titles(ada)).toEqual([]);
  });

  test('is changed only by callers who have seen its latest version', async () => {
    const { id } = (await post('create', news)).body.data;
    expect(await post(`update/${id}`, { title: 'New', version: 1 })).toMatchObject({ status: 200 });
    expect(await post(`update/${id}`, { title: 'Old', version: 1 })).toMatchObject(fault(412, 'stale'));
    expect(await post(`update-status/${id}`, { action: 'publish', version: 1 })).toMatchObject(fault(412, 'stale'));
  });

  test('rejects actions that its status does not allow', async () => {
    const { id } = (await post('create', news)).body.data;
    expect(await post(`update-status/${id}`, { action: 'archive' })).toMatchObject({
      status: 409,
      body: { code: 'invalid_transition', details: { from: 'draft', allowed: ['update', 'publish', 'delete'] } },
    });
    expect(await post(`update-status/${id}`, { action: 'cancel' })).toMatchObject({ status: 422 });
    for (const action of ['publish', 'publish', 'archive', 'archive'])
      expect(await post(`update-status/${id}`, { action })).toMatchObject({ status: 200 });
    expect(await post(`update-status/${id}`, { action: 'publish' })).toMatchObject(fault(409, 'invalid_transition'));
    expect(await post(`update/${id}`, { end: '2026-07-01' })).toMatchObject(fault(409, 'invalid_transition'));
    expect(await acme.owner.delete(`/api/announcement/delete/${id}`)).toMatchObject(fault(409, 'in_use'));
    expect(await ada.user.post(`/api/announcement/update-status/${id}`, { action: 'archive' })).toMatchObject({
      status: 403,
    });
  });
});

describe('an employee who joins the audience later', () => {
  const titlesFor = async (id: string) =>
    (await acknowledgments(`employee_id=${id}`)).data.map((one: { title: string }) => one.title);

  test('acknowledges current notices from the first day and is notified', async () => {
    await acme.publish('announcement', { ...news, requires_ack: true });
    await acme.publish('announcement', { ...news, title: 'No answer needed' });
    await acme.deliver();
    const eve = await acme.hire('Eve', { status: 'onboarding' });
    const created = {
      employee_id: eve.id,
      code: 'E',
      name: 'Eve',
      user_id: '',
      status: 'onboarding',
      joining_date: '2026-06-20',
    };
    await say(acme.workspace, 'hr.employee.created', created);
    expect(await titlesFor(eve.id)).toEqual([]);
    await serving.sql`UPDATE employees SET status = 'active' WHERE id = ${eve.id}`;
    const joined = { employee_id: eve.id, user_id: '', status: 'active', from: 'onboarding' };
    await say(acme.workspace, 'hr.employee.status_changed', joined, { position: 2 });
    expect(await titlesFor(eve.id)).toEqual(['Summer party']);
    expect(await acme.deliver()).toMatchObject([{ to: 'eve', subject: 'Please acknowledge: Summer party' }]);
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${eve.id}`;
    await say(acme.workspace, 'hr.employee.status_changed', { ...joined, status: 'left' }, { position: 3 });
    expect(await titlesFor(eve.id)).toEqual([]);
  });

  test('acknowledges notices of the new branch and not of the old one', async () => {
    const publishNews = (title: string, branch_id: string) =>
      acme.publish('announcement', { ...news, title, requires_ack: true, audience: { branch_ids: [branch_id] } });
    await publishNews('Main', acme.main);
    await publishNews('Harbour', acme.harbour);
    expect(await titlesFor(ada.id)).toEqual(['Main']);
    await serving.sql`UPDATE employees SET branch_id = ${acme.harbour} WHERE id = ${ada.id}`;
    const moved = { employee_id: ada.id, user_id: '', fields: ['branch_id'], effective_from: '2026-06-15' };
    const event = await announce(acme.workspace, 'hr.employee.updated', moved);
    const processedEvents = () =>
      serving.sql`SELECT FROM inbox WHERE event_id = ${event} AND consumer = 'hr.ask-mover'`;
    await waitUntil('an acknowledgment is requested', async () => (await processedEvents()).length > 0);
    expect(await titlesFor(ada.id)).toEqual(['Harbour']);
  });

  test('can be removed if entered by mistake and without acknowledgments', async () => {
    await acme.publish('announcement', { ...news, requires_ack: true });
    expect(await acme.owner.delete(`/api/employee/delete/${ben.id}`)).toMatchObject({ status: 200 });
    expect(await titlesFor(ada.id)).toEqual(['Summer party']);
  });
});
