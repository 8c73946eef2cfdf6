import { beforeEach, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { type SignedInEmployee, type NoticesFixture, openOffices } from '../../../test/notices.ts';

const { office, keepNotices, failures } = await openOffices();
let acme: NoticesFixture;
let ada: SignedInEmployee;
let time: ReturnType<typeof freezeClock>;
beforeEach(async () => {
  time = freezeClock('2026-06-15T10:00:00Z');
  acme = await office();
  ada = await acme.hire('Ada');
});

const party = {
  title: 'Summer party',
  start: '2026-06-20T18:00:00+02:00',
  end: '2026-06-20T23:00:00+02:00',
  location: 'The roof',
};
const post = (path: string, body: object = {}) => acme.owner.post(`/api/event/${path}`, body);
const visibleStatuses = async () =>
  (await ada.user.get('/api/events')).body.data.map(({ status: statusAt }: { status: string }) => statusAt);

test('invites employees and notifies them about a new time and a cancellation', async () => {
  const id = await acme.publish('event', party);
  expect(await acme.deliver()).toEqual([
    {
      to: 'ada',
      subject: 'Invitation: Summer party',
      text: expect.stringContaining('When: 2026-06-20 18:00 – 23:00 (Europe/Berlin)\nWhere: The roof'),
    },
  ]);
  await post(`update/${id}`, { location: 'The roof' });
  expect(await acme.deliver()).toEqual([]);
  const later = { start: '2026-06-21T17:00:00Z', end: '2026-06-21T22:30:00Z', location: null };
  expect(await post(`update/${id}`, later)).toMatchObject({
    status: 200,
    body: { data: { start: '2026-06-21T17:00:00.000Z', location: null } },
  });
  expect(await acme.deliver()).toMatchObject([
    { subject: 'Changed: Summer party', text: expect.stringContaining('2026-06-21 19:00 – 2026-06-22 00:30') },
  ]);
  expect(await post(`update-status/${id}`, { action: 'cancel' })).toMatchObject({ status: 200 });
  expect(await post(`update-status/${id}`, { action: 'cancel' })).toMatchObject({ status: 200 });
  expect(await acme.deliver()).toMatchObject([{ subject: 'Cancelled: Summer party' }]);
  expect(await visibleStatuses()).toEqual(['cancelled']);
  expect(await post(`update/${id}`, { title: 'Again' })).toMatchObject({ status: 409 });
  await post(`update-status/${id}`, { action: 'archive' });
  expect(await visibleStatuses()).toEqual([]);
});

test('shows a draft to its editors only, and cancels it without notification', async () => {
  const { id } = (await post('create', party)).body.data;
  expect(await visibleStatuses()).toEqual([]);
  await post(`update-status/${id}`, { action: 'cancel' });
  expect(await visibleStatuses()).toEqual([]);
  expect(await acme.deliver()).toEqual([]);
});

test('expires an event exactly at its end', async () => {
  const id = await acme.publish('event', party);
  const statusAt = async (instant: string) => {
    time.goTo(instant);
    await keepNotices();
    return (await acme.owner.get(`/api/event/show/${id}`)).body.data.status;
  };
  expect(await statusAt('2026-06-20T20:59:59Z')).toBe('published');
  expect(await statusAt('2026-06-20T21:00:00Z')).toBe('expired');
  expect(await visibleStatuses()).toEqual(['expired']);
  expect(failures).toEqual([]);
});

test('rejects events with unordered times, excessive length or an invalid zone', async () => {
  for (const [wrong, field] of [
    [{ end: party.start }, 'end'],
    [{ end: '2026-06-20T10:00:00Z' }, 'end'],
    [{ start: '2026-06-20T18:00:00' }, 'start'],
    [{ timezone: 'Moon/Crater' }, 'timezone'],
    [{ start: '2999-06-20T18:00:00Z', end: '2999-06-20T19:00:00Z' }, 'start'],
    [{ start: '1500-06-20T18:00:00Z' }, 'start'],
    [{ title: '' }, 'title'],
    [{ body: 'What?' }, 'body'],
  ] as const)
    expect(await post('create', { ...party, ...wrong })).toMatchObject({
      status: 422,
      body: { errors: { [field]: [expect.any(String)] } },
    });
  expect(await post('create', { ...party, end: '2026-09-01T10:00:00Z' })).toMatchObject({
    status: 422,
    body: { code: 'event_too_long' },
  });
  const { id } = (await post('create', { ...party, timezone: 'Asia/Kolkata' })).body.data;
  expect(await post(`update/${id}`, { end: '2026-06-19T10:00:00Z' })).toMatchObject({ status: 422 });
  expect(await acme.owner.get(`/api/event/show/${id}`)).toMatchObject({ body: { data: { timezone: 'Asia/Kolkata' } } });
  expect(
    (await acme.owner.get('/api/events?start[gte]=2026-06-20&start[lt]=2026-06-21&q=summer')).body.data,
  ).toHaveLength(1);
});

test('rejects the publication of an event that has ended', async () => {
  const { id } = (await post('create', { ...party, start: '2026-06-10T10:00:00Z', end: '2026-06-10T11:00:00Z' })).body
    .data;
  expect(await post(`update-status/${id}`, { action: 'publish' })).toMatchObject({
    status: 409,
    body: { code: 'already_over' },
  });
});

test('returns a calendar file to employees in the audience', async () => {
  const id = await acme.publish('event', { ...party, audience: { employee_ids: [ada.id] } });
  const downloadCalendar = (by: NoticesFixture['owner']) =>
    by.send('GET', `/api/event/show/${id}`, undefined, { accept: 'text/calendar' });
  const file = Buffer.from((await downloadCalendar(ada.user)).content).toString();
  expect(file.split('\r\n')).toEqual(
    expect.arrayContaining([
      'BEGIN:VEVENT',
      `UID:${id}@event.suite`,
      'DTSTART:20260620T160000Z',
      'DTEND:20260620T210000Z',
      'SUMMARY:Summer party',
      'LOCATION:The roof',
      'STATUS:CONFIRMED',
    ]),
  );
  await post(`update-status/${id}`, { action: 'cancel' });
  expect(Buffer.from((await downloadCalendar(ada.user)).content).toString()).toContain('STATUS:CANCELLED');
  expect((await downloadCalendar((await acme.hire('Bob')).user)).status).toBe(404);
});
