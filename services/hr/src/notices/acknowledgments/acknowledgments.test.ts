import { beforeEach, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';

const { serving, office, remind, failures } = await openOffices();
let acme: NoticesFixture;
let ada: SignedInEmployee;
let ben: SignedInEmployee;
let notice: string;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  time = freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada');
  ben = await acme.hire('Ben');
  notice = await acme.publish('announcement', { title: 'Fire drill', body: 'On Friday.', requires_ack: true });
  await acme.deliver();
});

const listAcknowledgments = async (query = '', user = acme.owner) =>
  (await user.get(`/api/acknowledgments?${query}`)).body.data;
const idOf = async ({ id }: SignedInEmployee): Promise<string> =>
  (await listAcknowledgments(`employee_id=${id}`))[0].id;
const acknowledge = ({ user }: Pick<SignedInEmployee, 'user'>, id: string) =>
  user.post(`/api/hrm/acknowledge/${id}`, {});
const faultResponse = (status: number, code: string) => ({ status, body: { code } });

test('acknowledges a notice once, for the caller only', async () => {
  const id = await idOf(ada);
  const own = (await ada.user.get(`/api/announcement/show/${notice}`)).body.data.acknowledgment;
  expect(own).toEqual({ id, status: 'pending', due_on: '2026-06-29' });
  expect(await acknowledge(ben, id)).toMatchObject(faultResponse(404, 'not_found'));
  expect(await acknowledge({ user: acme.owner }, id)).toMatchObject(faultResponse(403, 'not_an_employee'));
  expect(await acknowledge({ user: acme.member({ kind: 'client' }) }, id)).toMatchObject({ status: 403 });
  const replies = await runConcurrently(20, () => acknowledge(ada, id));
  expect(sortedStatuses(replies)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(new Set(replies.map(({ body }) => body.data.version))).toEqual(new Set([2]));
  time.goTo('2026-06-16T10:00:00Z');
  expect((await acknowledge(ada, id)).body.data).toMatchObject({
    status: 'acknowledged',
    acknowledged_at: '2026-06-15T10:00:00.000Z',
    allowed_actions: [],
  });
  expect(await listAcknowledgments('status=pending')).toMatchObject([{ employee_id: ben.id }]);
});

test('rejects notices that are no longer published or from another workspace', async () => {
  const id = await idOf(ada);
  const rival = await office();
  const outsider = await rival.hire('Ada');
  expect(await acknowledge(outsider, id)).toMatchObject(faultResponse(404, 'not_found'));
  expect(await rival.owner.post(`/api/acknowledgment/remind/${id}`)).toMatchObject({ status: 404 });
  await acme.owner.post(`/api/announcement/update-status/${notice}`, { action: 'archive' });
  expect(await acknowledge(ada, id)).toMatchObject(faultResponse(409, 'no_longer_published'));
  expect(await acme.owner.post(`/api/acknowledgment/remind/${id}`)).toMatchObject(
    faultResponse(409, 'no_longer_published'),
  );
});

test('lists all acknowledgments to HR users, and team acknowledgments to managers', async () => {
  const can = ['acknowledgment.view', 'announcement.view'];
  const memberWithScope = (scope: 'own' | 'team', { user }: SignedInEmployee) =>
    acme.member({ user_id: user.caller.user_id, can, record_scopes: { acknowledgment: scope } });
  await serving.sql`UPDATE employees SET manager_id = ${ada.id} WHERE id = ${ben.id}`;
  const names = async (user = acme.owner, query = '') =>
    (await listAcknowledgments(`expand=employee&${query}`, user)).map(
      ({ employee }: { employee: { name: string } }) => employee.name,
    );
  expect((await names()).toSorted()).toEqual(['Ada', 'Ben']);
  expect(await names(memberWithScope('own', ben))).toEqual(['Ben']);
  expect((await names(memberWithScope('team', ada))).toSorted()).toEqual(['Ada', 'Ben']);
  expect(await names(memberWithScope('team', ben))).toEqual(['Ben']);
  expect(await ada.user.get('/api/acknowledgments')).toMatchObject({ status: 403 });
  expect((await names(acme.owner, 'q=drill')).length).toBe(2);
  expect(await names(acme.owner, 'q=party')).toEqual([]);
  expect((await names(acme.owner, `announcement_id=${notice}&type=announcement`)).length).toBe(2);
  for (const query of ['status=late', 'overdue=maybe', 'title=x', 'due_on=soon'])
    expect(await acme.owner.get(`/api/acknowledgments?${query}`)).toMatchObject({ status: 422 });
});

test('reminds an employee at most once a day while an acknowledgment is pending', async () => {
  const id = await idOf(ada);
  const sendReminder = () => acme.owner.post(`/api/acknowledgment/remind/${id}`);
  const replies = await runConcurrently(10, sendReminder);
  expect(sortedStatuses(replies)).toEqual(Array.from({ length: 10 }, () => 200));
  expect(await acme.deliver()).toMatchObject([{ to: 'ada', subject: 'Please acknowledge: Fire drill' }]);
  // In Berlin it is already the next day.
  time.goTo('2026-06-15T22:30:00Z');
  expect(await sendReminder()).toMatchObject({ body: { data: { reminded_at: '2026-06-15T22:30:00.000Z' } } });
  await acknowledge(ada, id);
  expect(await acme.deliver()).toEqual([]);
  expect(await sendReminder()).toMatchObject(faultResponse(409, 'invalid_transition'));
  expect(await ada.user.post(`/api/acknowledgment/remind/${id}`)).toMatchObject({ status: 403 });
  await serving.sql`UPDATE employees SET email = NULL WHERE id = ${ben.id}`;
  expect(await acme.owner.post(`/api/acknowledgment/remind/${await idOf(ben)}`)).toMatchObject(
    faultResponse(409, 'without_address'),
  );
});

test('reminds about an overdue acknowledgment once, even after downtime', async () => {
  await acknowledge(ben, await idOf(ben));
  time.goTo('2026-06-29T21:59:00Z');
  await remind();
  expect(await acme.deliver()).toEqual([]);
  expect(await listAcknowledgments('overdue=true')).toEqual([]);
  time.goTo('2026-07-10T10:00:00Z');
  await Promise.all([remind(), remind(), remind()]);
  await remind();
  expect(await acme.deliver()).toMatchObject([{ to: 'ada', subject: 'Please acknowledge: Fire drill' }]);
  expect(await listAcknowledgments('overdue=true')).toMatchObject([{ employee_id: ada.id, overdue: true }]);
  expect(await listAcknowledgments('overdue=false')).toMatchObject([{ employee_id: ben.id }]);
  await acme.owner.post(`/api/announcement/update-status/${notice}`, { action: 'archive' });
  expect(await listAcknowledgments('overdue=true')).toEqual([]);
  expect(failures).toEqual([]);
});
