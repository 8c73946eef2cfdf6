import { beforeEach, expect, test } from '@jest/globals';
import { eventPublisher, freezeClock, waitUntil } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
const { announce } = await eventPublisher(serving);
let acme: TestWorkspace;
let id: string;
beforeEach(async () => {
  acme = await company();
  id = await acme.employ();
});

const createAttendance = (local_date: string, body: object) =>
  acme.owner.post('/api/attendance/create', { employee_id: id, local_date, reason: 'Forgot the card', ...body });
const days = () => serving.sql`
  SELECT local_date::text, status, overtime_minutes, version FROM attendances WHERE employee_id = ${id} ORDER BY local_date`;

/** Delivers the calendar events emitted since the last call. */
async function deliver(): Promise<void> {
  const events = await serving.sql`
    SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.holiday_calendar.changed' ORDER BY id`;
  const { holiday_calendar_id, ...span } = events.at(-1)!['data'] as { holiday_calendar_id: string };
  const event = { holiday_calendar_id, ...span };
  const id_of = await announce(acme.workspace, 'hr.holiday_calendar.changed', event, { position: events.length });
  await waitUntil('days are recounted', async () => {
    const taken = await serving.sql`SELECT FROM inbox WHERE event_id = ${id_of} AND consumer = 'hr.recount-days'`;
    return taken.length > 0;
  });
}

test('recounts days when a holiday is added or removed', async () => {
  freezeClock('2026-06-12T20:00:00Z');
  await createAttendance('2026-06-03', {
    first_in: '2026-06-03T09:00:00+02:00',
    last_out: '2026-06-03T17:30:00+02:00',
  });
  await createAttendance('2026-06-04', {
    first_in: '2026-06-04T09:00:00+02:00',
    last_out: '2026-06-04T14:30:00+02:00',
  });
  const { body } = await acme.owner.post('/api/holiday/create', { name: 'Corpus Christi', from: '2026-06-04' });
  await deliver();
  expect(await days()).toMatchObject([
    { overtime_minutes: 0 },
    { local_date: '2026-06-04', status: 'present', overtime_minutes: 330 },
  ]);
  const [{ version }] = (await days()) as [{ version: number }];
  await acme.owner.delete(`/api/holiday/delete/${body.data.id}`);
  await deliver();
  expect(await days()).toMatchObject([{ version }, { overtime_minutes: 0 }]);
});
