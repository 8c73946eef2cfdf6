import { describe, expect, test } from '@jest/globals';
import { sortedStatuses, freezeClock, runConcurrently } from '@suite/testing';
import { day, openAttendance } from '../../../test/attendance.ts';

const { serving, acme, ada, enter, list } = await openAttendance();

const faultResponse = (status: number, code: string) => ({ status, body: { code } });
const correct = (attendance_id: string, body: object, by = acme.owner) =>
  by.post(`/api/attendance/update/${attendance_id}`, { reason: 'Asked the foreman', ...body });
const createRun = (status: string, from = '2026-06-01', to = '2026-06-30') =>
  acme.write(async (db) => {
    const period = { period_start: `${from}T00:00:00Z`, period_end: `${to}T00:00:00Z` };
    const { id: payroll_id } = await db.payroll.create({
      data: { title: 'June', pay_date: period.period_end, currency: 'EUR', ...period },
    });
    await db.payrollEntry.create({ data: { payroll_id, employee_id: ada.id, regular: true, status, ...period } });
  });
const closedEvents = () => serving.sql`
  SELECT data FROM journal_events WHERE workspace_id = ${acme.workspace} AND type = 'hr.attendance.closed' ORDER BY position`;

describe('entering an attendance day', () => {
  test('accepts the first and last punch, with the break in the middle', async () => {
    expect(await enter({ ...day, break_minutes: 45 })).toMatchObject({
      status: 201,
      body: {
        data: {
          local_date: '2026-06-10',
          status: 'present',
          state: 'closed',
          worked_minutes: 465,
          break_minutes: 45,
          manual: false,
          reason: 'Forgot the card',
          shift: { start: '09:00', timezone: 'Europe/Berlin' },
          punches: [{ type: 'in', source: 'admin' }, { type: 'break_start' }, { type: 'break_end' }, { type: 'out' }],
          flags: [],
        },
      },
    });
  });

  test('accepts punches over midnight', async () => {
    const { body } = await acme.owner.post('/api/shift/create', {
      name: 'Late',
      start: '18:00',
      end: '02:00',
      break_minutes: 30,
      days: [1, 2, 3],
      timezone: 'Asia/Kolkata',
    });
    const employee_id = await acme.employ({ shift_id: body.data.id, name: 'Eve' });
    const punches = [
      ['in', '2026-06-10T17:52:00+05:30'],
      ['break_start', '2026-06-10T21:30:00+05:30'],
      ['break_end', '2026-06-10T22:05:00+05:30'],
      ['out', '2026-06-11T02:31:00+05:30'],
    ].map(([type, at]) => ({ type, at }));
    expect((await enter({ employee_id, punches })).body.data).toMatchObject({
      worked_minutes: 484,
      expected_minutes: 450,
      overtime_minutes: 34,
    });
  });

  test.each([
    ['present', 480],
    ['work_from_home', 480],
    ['half_day', 240],
    ['absent', 0],
  ])('accepts %s without clock times, which counts %i minutes', async (status, worked_minutes) => {
    expect((await enter({ status })).body.data).toMatchObject({
      status,
      worked_minutes,
      manual: true,
      first_in: null,
      punches: [],
    });
  });

  test('creates one day for concurrent requests', async () => {
    const replies = await runConcurrently(10, () => enter({ status: 'present' }));
    expect(sortedStatuses(replies).toSorted((a, b) => a - b)).toEqual([201, ...Array(9).fill(409)]);
    const [{ id: attendance_id }] = await list();
    expect(await enter(day)).toMatchObject({
      status: 409,
      body: { code: 'attendance_exists', details: { attendance_id } },
    });
  });

  test('rejects days that cannot be entered', async () => {
    freezeClock('2026-06-15T10:00:00Z');
    const early = { local_date: '2025-12-31', first_in: '2025-12-31T09:00:00+01:00' };
    for (const [body, code] of [
      [early, 'before_joining'],
      [{ local_date: '2026-06-16', status: 'present' }, 'in_the_future'],
      [{ local_date: '2026-06-15', first_in: '2026-06-15T12:30:00+02:00' }, 'in_the_future'],
      [{ first_in: '2026-06-10T09:00:00' }, 'ambiguous_time'],
      [{ ...day, last_out: '2026-06-10T08:00:00+02:00' }, 'punches_out_of_order'],
      [{ ...day, break_minutes: 600 }, 'punches_out_of_order'],
      [{ ...day, first_in: '2026-06-09T09:00:00+02:00' }, 'punches_overlap'],
      [{ ...day, last_out: '2026-06-11T09:00:00+02:00' }, 'punches_overlap'],
      [{ punches: [{ type: 'out', at: day.last_out }] }, 'punches_out_of_order'],
    ] as const)
      expect(await enter(body)).toMatchObject(faultResponse(422, code));
    for (const body of [
      {},
      { status: 'present', ...day },
      { last_out: day.last_out },
      { ...day, reason: '' },
      { status: 'on_leave' },
    ])
      expect(await enter(body)).toMatchObject({ status: 422, body: { errors: expect.any(Object) } });
    expect(await list()).toEqual([]);
    await serving.sql`UPDATE employments SET exit_date = '2026-06-05' WHERE employee_id = ${ada.id}`;
    expect(await enter(day)).toMatchObject(faultResponse(422, 'after_exit'));
  });

  test('is rejected in a finalised month, and for own days unless settings allow it', async () => {
    await createRun('finalised');
    expect(await enter(day)).toMatchObject(faultResponse(409, 'payroll_closed'));
    const manager = acme.member();
    const own = await acme.employ({ user_id: manager.caller.user_id, name: 'Boss' });
    expect(await enter({ employee_id: own, ...day }, manager)).toMatchObject(faultResponse(409, 'own_record'));
    await acme.owner.post('/api/hrm-settings/update', { four_eyes: false });
    expect(await enter({ employee_id: own, ...day }, manager)).toMatchObject({ status: 201 });
  });

  test('stores nothing in a dry run', async () => {
    expect(await enter(day, acme.owner, '?dry_run=true')).toMatchObject({ body: { data: { worked_minutes: 480 } } });
    expect([await list(), await closedEvents()]).toEqual([[], []]);
  });
});

describe('correcting an attendance day', () => {
  test('preserves the original punches as voided', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await ada.user.post('/api/hrm/clock-in-out', {});
    time.goTo('2026-06-10T11:00:00Z');
    await ada.user.post('/api/hrm/clock-in-out', {});
    const [{ id: attendance_id, version }] = await list();
    time.goTo('2026-06-11T07:00:00Z');
    const { body } = await correct(attendance_id, { ...day, version });
    expect(body.data).toMatchObject({
      worked_minutes: 480,
      flags: ['auto_break', 'corrected'],
      corrected_by: acme.owner.caller.user_id,
      reason: 'Asked the foreman',
      punches: [
        { type: 'in', source: 'web', voided: true },
        { type: 'in', source: 'admin', voided: false },
        { type: 'out', source: 'web', voided: true },
        { type: 'out', source: 'admin', voided: false },
      ],
    });
    expect(await closedEvents()).toHaveLength(2);
    expect(await correct(attendance_id, { ...day, version })).toMatchObject({ status: 412 });
    expect((await correct(attendance_id, { status: 'half_day' })).body.data).toMatchObject({
      manual: true,
      worked_minutes: 240,
      flags: ['corrected'],
    });
    expect(await acme.owner.delete(`/api/attendance/delete/${attendance_id}`)).toMatchObject(
      faultResponse(409, 'has_punches'),
    );
  });

  test('approves only the overtime and leaves the rest unchanged', async () => {
    const { body } = await enter({ ...day, last_out: '2026-06-10T19:30:00+02:00' });
    expect(body.data).toMatchObject({ overtime_minutes: 120, overtime_approved: null });
    expect((await correct(body.data.id, { overtime_approved: true })).body.data).toMatchObject({
      overtime_minutes: 120,
      overtime_approved: true,
      flags: ['auto_break'],
      corrected_by: null,
    });
  });

  test('requires payroll.run in a month with final payslips', async () => {
    const { body } = await enter(day);
    await createRun('paid');
    expect(await correct(body.data.id, { status: 'absent' })).toMatchObject(faultResponse(409, 'payroll_closed'));
    expect(await acme.owner.delete(`/api/attendance/delete/${body.data.id}`)).toMatchObject(
      faultResponse(409, 'payroll_closed'),
    );
    const override = { status: 'absent', override: 'payroll_closed' };
    const hrUser = acme.member({ can: ['attendance.view', 'attendance.update'] });
    expect(await correct(body.data.id, override, hrUser)).toMatchObject({
      status: 403,
      body: { details: { permission: 'payroll.run' } },
    });
    const payer = acme.member({ can: ['attendance.view', 'attendance.update', 'payroll.run'] });
    expect((await correct(body.data.id, override, payer)).body.data).toMatchObject({
      status: 'absent',
      payroll_locked: true,
    });
  });

  test('is rejected for own days, as is deleting them', async () => {
    const manager = acme.member();
    const own = await acme.employ({ user_id: manager.caller.user_id, name: 'Boss' });
    const { body } = await enter({ employee_id: own, ...day });
    expect(await correct(body.data.id, { status: 'present' }, manager)).toMatchObject(faultResponse(409, 'own_record'));
    expect(await manager.delete(`/api/attendance/delete/${body.data.id}`)).toMatchObject(
      faultResponse(409, 'own_record'),
    );
    expect(await acme.owner.delete(`/api/attendance/delete/${body.data.id}`)).toMatchObject({ status: 200 });
    expect(await list()).toEqual([]);
  });
});
