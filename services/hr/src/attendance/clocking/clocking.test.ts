import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { type Member, sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { type TestWorkspace, openHr } from '../../../test/fixture.ts';

const { serving, company } = await openHr();
let acme: TestWorkspace;
let ada: Member;
let id: string;
beforeEach(async () => {
  acme = await company();
  ada = acme.member({ can: [], name: 'Ada' });
  id = await acme.employ({ user_id: ada.caller.user_id });
});

const punch = (body: object = {}, by = ada) => by.post('/api/hrm/clock-in-out', body);
const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const storedPunches = () =>
  serving.sql`SELECT type FROM attendance_events WHERE employee_id = ${id} AND voided_at IS NULL ORDER BY at, id`;
const types = async () => (await storedPunches()).map(({ type }) => type);
const closedEvents = () => serving.sql`
  SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.attendance.closed' ORDER BY position`;
const history = async (body: object, by = ada) => (await by.post('/api/hrm/attendence-history', body)).body;

describe('a punch', () => {
  test('toggles between in and out', async () => {
    const time = freezeClock('2026-06-10T07:00:10Z');
    expect(await punch()).toMatchObject({
      status: 201,
      body: {
        data: {
          duplicate: false,
          warnings: [],
          event: { type: 'in', source: 'web', local_at: '2026-06-10T09:00:10', voided: false },
          attendance: {
            local_date: '2026-06-10',
            state: 'open',
            status: 'present',
            employee_id: id,
            late_minutes: 0,
            last_out: null,
          },
        },
      },
    });
    time.goTo('2026-06-10T10:00:00Z');
    expect((await punch()).body.data.attendance).toMatchObject({
      state: 'closed',
      status: 'half_day',
      worked_minutes: 180,
    });
    time.goTo('2026-06-10T11:00:00Z');
    await punch();
    time.goTo('2026-06-10T16:00:00Z');
    expect((await punch()).body.data.attendance).toMatchObject({
      status: 'present',
      worked_minutes: 480,
      overtime_minutes: 0,
      flags: [],
      punches: [{ type: 'in' }, { type: 'out' }, { type: 'in' }, { type: 'out' }],
    });
    expect((await closedEvents()).map(({ data }) => (data as { worked_minutes: number }).worked_minutes)).toEqual([
      180, 480,
    ]);
  });

  test('counts a repeat within a minute once unless its type differs', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    const first = await punch();
    time.goTo('2026-06-10T07:00:59Z');
    const again = await punch();
    expect(again).toMatchObject({
      status: 200,
      body: { data: { duplicate: true, event: { id: first.body.data.event.id } } },
    });
    expect(await punch({ type: 'in' })).toMatchObject({ status: 200 });
    expect(await punch({ type: 'out' })).toMatchObject({ status: 201, body: { data: { event: { type: 'out' } } } });
    expect(await types()).toEqual(['in', 'out']);
    time.goTo('2026-06-10T07:02:00Z');
    expect(await punch()).toMatchObject({ status: 201, body: { data: { event: { type: 'in' } } } });
  });

  test.each([
    ['as a toggle', () => ({})],
    ['with the id of its client', () => ({ client_id: '0190a0b0-0000-7000-8000-000000000001' })],
    ['with a type', () => ({ type: 'in' })],
  ])('counts once when sent 50 times concurrently %s', async (_, body) => {
    const replies = await runConcurrently(50, () => punch(body()));
    expect(sortedStatuses(replies).toSorted((a, b) => a - b)).toEqual([...Array(49).fill(200), 201]);
    expect(new Set(replies.map(({ body: { data } }) => data.event.id)).size).toBe(1);
    expect(await types()).toEqual(['in']);
  });

  test('is recognised by its client ID in a repeated request', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    const client_id = randomUUID();
    const { body } = await punch({ client_id, at: '2026-06-10T06:30:00Z' });
    time.goTo('2026-06-10T15:30:00Z');
    await punch();
    expect(await punch({ client_id })).toMatchObject({
      status: 200,
      body: { data: { duplicate: true, event: { id: body.data.event.id } } },
    });
    expect(await types()).toEqual(['in', 'out']);
  });

  test('is rejected if it contradicts earlier punches or has a wrong time', async () => {
    freezeClock('2026-06-10T07:00:00Z');
    for (const type of ['out', 'break_start', 'break_end'])
      expect(await punch({ type })).toMatchObject(faultResponse(409, 'not_clocked_in'));
    await punch({ at: '2026-06-10T06:00:00Z' });
    expect(await punch({ type: 'in' })).toMatchObject(faultResponse(409, 'already_clocked_in'));
    expect(await punch({ type: 'break_end' })).toMatchObject(faultResponse(409, 'not_on_break'));
    await punch({ type: 'break_start' });
    expect(await punch({ type: 'break_start', at: '2026-06-10T07:00:59Z' })).toMatchObject({ status: 200 });
    for (const at of ['2026-06-10T07:01:01Z', '2026-06-09T06:59:59Z'])
      expect(await punch({ at })).toMatchObject({
        status: 422,
        body: { code: 'clock_skew', details: { field: 'at' } },
      });
    expect(await punch({ source: 'admin' })).toMatchObject({ status: 422 });
    expect(await punch({ employee_id: id })).toMatchObject({ status: 422 });
  });

  test('counts breaks, and a clock-out ends an open break', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await punch();
    for (const [at, type] of [
      ['2026-06-10T10:00:00Z', 'break_start'],
      ['2026-06-10T10:50:00Z', 'break_end'],
      ['2026-06-10T15:00:00Z', 'break_start'],
      ['2026-06-10T15:30:00Z', undefined],
    ]) {
      time.goTo(String(at));
      await punch({ type });
    }
    const { body } = await ada.post('/api/hrm/attendence-history', { from: '2026-06-10', to: '2026-06-10' });
    expect(body.data).toMatchObject([{ worked_minutes: 430, status: 'present', state: 'closed' }]);
    expect(await types()).toEqual(['in', 'break_start', 'break_end', 'break_start', 'out']);
  });

  test('is sorted by its own time if it was made offline', async () => {
    const time = freezeClock('2026-06-10T15:30:00Z');
    await punch({ at: '2026-06-10T07:00:00Z' });
    await punch();
    time.goTo('2026-06-10T16:00:00Z');
    expect(await punch({ at: '2026-06-10T10:00:00Z', type: 'break_start' })).toMatchObject({ status: 201 });
    expect(await punch({ at: '2026-06-10T10:30:00Z', type: 'break_end' })).toMatchObject({ status: 201 });
    expect(await types()).toEqual(['in', 'break_start', 'break_end', 'out']);
    expect((await history({ month: '2026-06' })).meta.summary).toMatchObject({ present: 1, worked_minutes: 480 });
    for (const at of ['2026-06-10T12:00:00Z', '2026-06-10T13:00:00Z'])
      expect(await punch({ at })).toMatchObject({ status: 201 });
    expect(await types()).toEqual(['in', 'break_start', 'break_end', 'out', 'in', 'out']);
    expect((await history({ month: '2026-06' })).meta.summary).toMatchObject({ present: 1, worked_minutes: 420 });
  });

  test('belongs to the day on which a night shift began, even when the clocks change', async () => {
    const { body } = await acme.owner.post('/api/shift/create', {
      name: 'Night',
      start: '22:00',
      end: '06:00',
      days: [1, 2, 3, 4, 5, 6, 7],
      timezone: 'Europe/Berlin',
    });
    const eve = acme.member({ can: [] });
    await acme.employ({ user_id: eve.caller.user_id, shift_id: body.data.id });
    const time = freezeClock('2026-03-28T20:58:00Z');
    await punch({}, eve);
    time.goTo('2026-03-29T04:03:00Z');
    expect((await punch({}, eve)).body.data.attendance).toMatchObject({
      local_date: '2026-03-28',
      worked_minutes: 425,
      overtime_minutes: 0,
    });
  });

  test('begins the next day after a night with a missing out', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await punch();
    time.goTo('2026-06-11T07:00:00Z');
    expect((await punch()).body.data).toMatchObject({
      event: { type: 'in' },
      attendance: { local_date: '2026-06-11', state: 'open' },
    });
    expect((await history({ from: '2026-06-10', to: '2026-06-11' })).data).toMatchObject([
      {
        state: 'closed',
        flags: ['missing_out', 'auto_break'],
        worked_minutes: 480,
        overtime_minutes: 0,
        last_out: '2026-06-10T15:30:00.000Z',
      },
      { state: 'open' },
    ]);
  });

  test('is a late out before the next window opens', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await punch();
    time.goTo('2026-06-10T21:00:00Z');
    expect((await punch()).body.data).toMatchObject({
      event: { type: 'out' },
      attendance: { local_date: '2026-06-10', state: 'closed', flags: ['late_out', 'auto_break'], worked_minutes: 810 },
    });
  });

  test('begins a day until the next window if it is outside the window at night', async () => {
    const time = freezeClock('2026-06-10T20:30:00Z');
    expect((await punch()).body.data.attendance).toMatchObject({
      local_date: '2026-06-10',
      state: 'open',
      flags: ['outside_shift'],
    });
    time.goTo('2026-06-11T00:30:00Z');
    expect((await punch()).body.data.attendance).toMatchObject({
      local_date: '2026-06-10',
      worked_minutes: 240,
      flags: ['outside_shift'],
    });
    time.goTo('2026-06-11T07:00:00Z');
    expect((await punch()).body.data.attendance).toMatchObject({ local_date: '2026-06-11' });
  });
});

describe('access to clocking', () => {
  test('checks networks and areas, except for work from home', async () => {
    await acme.owner.post('/api/hrm-settings/update', { clock_addresses: ['203.0.113.0/24'] });
    expect(await punch()).toMatchObject(faultResponse(422, 'address_not_allowed'));
    await acme.owner.post('/api/hrm-settings/update', {
      clock_addresses: [],
      geofences: [{ name: 'Quay', lat: 53.5413, lng: 9.9841, radius_m: 250 }],
    });
    expect(await punch()).toMatchObject(faultResponse(422, 'outside_geofence'));
    expect(await punch({ geo: { lat: 53.55, lng: 9.9841 } })).toMatchObject(faultResponse(422, 'outside_geofence'));
    expect(await punch({ work_from_home: true })).toMatchObject({
      status: 201,
      body: { data: { attendance: { status: 'work_from_home' } } },
    });
    const geo = { lat: 53.5421, lng: 9.985, accuracy_m: 12 };
    expect(await punch({ type: 'out', geo })).toMatchObject({ status: 201, body: { data: { event: { geo } } } });
  });

  test('requires an employee', async () => {
    const guest = acme.member({ can: ['attendance.view', 'attendance.update'] });
    for (const path of ['clock-in-out', 'attendence-history'])
      expect(await guest.post(`/api/hrm/${path}`, {})).toMatchObject(faultResponse(403, 'not_an_employee'));
    await serving.sql`UPDATE employees SET status = 'left' WHERE id = ${id}`;
    expect(await punch()).toMatchObject(faultResponse(403, 'not_an_employee'));
    expect(await acme.member({ kind: 'client' }).post('/api/hrm/clock-in-out', {})).toMatchObject({ status: 403 });
  });

  test('requires an employment on that day', async () => {
    const newcomer = acme.member({ can: [] });
    await acme.employ({ user_id: newcomer.caller.user_id, joining_date: '2999-01-01', status: 'onboarding' });
    expect(await punch({}, newcomer)).toMatchObject(faultResponse(422, 'not_employed'));
  });

  test('rejects employees whose payslip for the day is final', async () => {
    freezeClock('2026-06-10T07:00:00Z');
    await acme.write(async (db) => {
      const period = { period_start: '2026-06-01T00:00:00Z', period_end: '2026-06-30T00:00:00Z' };
      const { id: payroll_id } = await db.payroll.create({
        data: { title: 'June', pay_date: '2026-06-30T00:00:00Z', currency: 'EUR', ...period },
      });
      await db.payrollEntry.create({
        data: { payroll_id, employee_id: id, regular: true, status: 'finalised', ...period },
      });
    });
    expect(await punch()).toMatchObject(faultResponse(409, 'payroll_closed'));
  });
});
