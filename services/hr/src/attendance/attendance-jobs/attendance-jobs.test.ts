import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';
import { applyEffectiveDates } from '../../employment/employment/effective-dates.ts';
import { closeDays, closeDaysOfLeaver } from './close-days.ts';
import { markAbsences } from './mark-absences.ts';

const { serving, company } = await openHr();
/** Failing work would only be postponed. Here it fails the test. */
const log = {
  error({ err }: { err: Error }) {
    throw err;
  },
};
const tools = { database: serving.database, log } as never;
/** Tools of a job that is expected to log failures. */
const patient = { database: serving.database, log: { error() {} } } as never;
let acme: TestWorkspace;
let ada: Member;
let id: string;
beforeEach(async () => {
  // Jobs run for all workspaces. Suspended employees keep other tests out.
  await serving.sql`UPDATE employees SET status = 'suspended'`;
  acme = await company();
  await acme.payByAttendance();
  ada = acme.member({ can: [], name: 'Ada' });
  id = await acme.employ({ user_id: ada.caller.user_id });
});

const days = async () =>
  await serving.sql`SELECT local_date::text, state, status, flags, expected_minutes FROM attendances
    WHERE employee_id = ${id} ORDER BY local_date`;
const closedEvents = async () =>
  (
    await serving.sql`
      SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.attendance.closed' ORDER BY id`
  ).map(({ data }) => data as { local_date: string; status: string });

describe('a day without a clock-out', () => {
  test('is closed once, five minutes after its window, with several replicas', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await ada.post('/api/hrm/clock-in-out', {});
    time.goTo('2026-06-10T19:34:59Z');
    expect(await closeDays(tools)).toBe(0);
    time.goTo('2026-06-10T19:35:00Z');
    await runConcurrently(5, () => closeDays(tools));
    expect(await days()).toMatchObject([{ state: 'closed', status: 'present', flags: ['missing_out', 'auto_break'] }]);
    expect(await closedEvents()).toHaveLength(1);
    expect(await closeDays(tools)).toBe(0);
  });

  test('is updated by a late clock-out, even after it was closed', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await ada.post('/api/hrm/clock-in-out', {});
    time.goTo('2026-06-10T20:00:00Z');
    await closeDays(tools);
    const { body } = await ada.post('/api/hrm/clock-in-out', {});
    expect(body.data).toMatchObject({
      event: { type: 'out' },
      attendance: { flags: ['late_out', 'auto_break'], worked_minutes: 750 },
    });
    expect(await closedEvents()).toHaveLength(2);
  });

  test('is postponed if closing fails, without blocking other days', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    const bert = acme.member({ can: [], name: 'Bert' });
    const broken = await acme.employ({ user_id: bert.caller.user_id });
    await bert.post('/api/hrm/clock-in-out', {});
    await ada.post('/api/hrm/clock-in-out', {});
    await serving.sql`
      UPDATE attendances SET timezone = 'Nowhere/Known', shift_terms = '{}' WHERE employee_id = ${broken}`;
    time.goTo('2026-06-10T19:35:00Z');
    await closeDays(patient);
    expect(await days()).toMatchObject([{ state: 'closed' }]);
    expect(await serving.sql`SELECT attempts FROM postponed_work WHERE workspace_id = ${acme.workspace}`).toEqual([
      { attempts: 1 },
    ]);
    expect(await closeDays(tools)).toBe(0);
    await serving.sql`UPDATE attendances SET state = 'closed' WHERE employee_id = ${broken}`;
  });
});

describe('an employee who leaves', () => {
  test('closes the open night at its scheduled end and flags the missing out', async () => {
    const time = freezeClock('2026-06-10T19:55:00Z');
    const night = { name: 'Night', start: '22:00', end: '06:00', days: [1, 2, 3, 4, 5], timezone: 'Europe/Berlin' };
    const shift_id = (await acme.owner.post('/api/shift/create', night)).body.data.id;
    const eve = acme.member({ can: [], name: 'Eve' });
    id = await acme.employ({ name: 'Eve', user_id: eve.caller.user_id, shift_id });
    expect(await eve.post('/api/hrm/clock-in-out', {})).toMatchObject({ status: 201 });
    const ending = { exit_date: '2026-06-10', cause: 'resigned' };
    expect(await acme.owner.post(`/api/employee/end-employment/${id}`, ending)).toMatchObject({ status: 200 });
    time.goTo('2026-06-10T22:00:00Z');
    await applyEffectiveDates(tools, [closeDaysOfLeaver]);
    expect(await eve.post('/api/hrm/clock-in-out', {})).toMatchObject({
      status: 403,
      body: { code: 'not_an_employee' },
    });
    const [closedDay] = await days();
    expect(closedDay).toMatchObject({ local_date: '2026-06-10', state: 'closed', status: 'present' });
    expect(closedDay!['flags']).toContain('missing_out');
    expect(await closedEvents()).toMatchObject([{ local_date: '2026-06-10', status: 'present', worked_minutes: 485 }]);
  });
});

describe('absences', () => {
  test('are marked once, after the window, on working days without leave or holiday', async () => {
    const time = freezeClock('2026-06-09T20:00:00Z');
    await markAbsences(tools);
    time.goTo('2026-06-10T19:34:00Z');
    await markAbsences(tools);
    expect((await days()).map(({ local_date }) => local_date)).toEqual(['2026-06-08', '2026-06-09']);
    time.goTo('2026-06-10T19:35:00Z');
    await runConcurrently(3, () => markAbsences(tools));
    expect(await days()).toMatchObject([
      {},
      {},
      { local_date: '2026-06-10', status: 'absent', state: 'closed', expected_minutes: 480 },
    ]);
    expect(await closedEvents()).toHaveLength(3);
  });

  test('are marked for the missed days after days of downtime', async () => {
    const time = freezeClock('2026-06-03T00:30:00Z');
    await markAbsences(tools);
    await acme.owner.post('/api/holiday/create', { name: 'Corpus Christi', from: '2026-06-04' });
    time.goTo('2026-06-17T00:30:00Z');
    await markAbsences(tools);
    const marked = ['02', '03', '05', '08', '09', '10', '11', '12', '15', '16'].map((day) => `2026-06-${day}`);
    expect((await days()).map(({ local_date }) => local_date)).toEqual(marked);
    const [settings] =
      await serving.sql`SELECT absences_through::text AS through FROM settings WHERE workspace_id = ${acme.workspace}`;
    expect(settings).toEqual({ through: '2026-06-14' });
    await markAbsences(tools);
    expect(await closedEvents()).toHaveLength(marked.length);
  });

  test('exclude employees who have not joined, have left or are on long leave', async () => {
    freezeClock('2026-06-10T20:00:00Z');
    const others = [
      await acme.employ({ name: 'Later', joining_date: '2026-06-11' }),
      await acme.employ({ name: 'Away', status: 'on_leave_long' }),
    ];
    await serving.sql`UPDATE employees SET exit_date = '2026-06-08' WHERE id = ${id}`;
    await serving.sql`UPDATE employments SET exit_date = '2026-06-08' WHERE employee_id = ${id}`;
    await markAbsences(tools);
    expect(await serving.sql`SELECT id FROM attendances WHERE employee_id = ANY (${[...others, id]})`).toEqual([]);
  });

  test('are replaced by punches that were made offline', async () => {
    const time = freezeClock('2026-06-10T20:00:00Z');
    await markAbsences(tools);
    time.goTo('2026-06-10T22:00:00Z');
    await ada.post('/api/hrm/clock-in-out', { at: '2026-06-10T07:00:00Z' });
    const { body } = await ada.post('/api/hrm/clock-in-out', { at: '2026-06-10T15:30:00Z', type: 'out' });
    expect(body.data.attendance).toMatchObject({ status: 'present', worked_minutes: 480 });
    expect((await closedEvents()).map(({ status }) => status)).toEqual(['absent', 'absent', 'present']);
  });

  test('are marked in the other workspaces if one workspace fails', async () => {
    freezeClock('2026-06-10T20:00:00Z');
    const poisoned = await company();
    await poisoned.payByAttendance();
    await serving.sql`UPDATE settings SET timezone = 'Nowhere/Known' WHERE workspace_id = ${poisoned.workspace}`;
    await markAbsences(patient);
    expect((await days()).map(({ local_date }) => local_date)).toEqual(['2026-06-09', '2026-06-10']);
    expect(await serving.sql`SELECT schedule FROM postponed_work WHERE workspace_id = ${poisoned.workspace}`).toEqual([
      { schedule: 'hr.mark-absences' },
    ]);
  });
});
