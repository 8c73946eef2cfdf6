import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { day, openAttendance } from '../../../test/attendance.ts';
import { applyLeave, withdrawLeave } from '../attendance-days/leave-days.ts';

const { acme, ada, enter, list } = await openAttendance();

const faultResponse = (status: number, code: string) => ({ status, body: { code } });

describe('leave', () => {
  const grantLeaveDay = (more: object = {}) =>
    acme.write(async (db) => {
      const { id: leave_type_id } = await db.leaveType.findFirstOrThrow();
      const from = '2026-06-10T00:00:00Z';
      const { id: application_id } = await db.leaveApplication.create({
        data: { employee_id: ada.id, leave_type_id, from, to: from, days: 1, status: 'approved', ...more },
      });
      await db.leaveDay.create({
        data: { application_id, employee_id: ada.id, day: from, days: 'half_day' in more ? 0.5 : 1 },
      });
      await applyLeave({ db, emit: () => undefined }, { employee_id: ada.id, days: ['2026-06-10'] });
      return application_id;
    });
  const cancelLeave = (application_id: string) =>
    acme.write(async (db) => {
      await db.leaveApplication.updateMany({ where: { id: application_id }, data: { status: 'cancelled' } });
      await withdrawLeave({ db, emit: () => undefined }, { employee_id: ada.id, days: ['2026-06-10'] });
    });

  test('creates a day and rejects clock-ins unless they are allowed on leave', async () => {
    freezeClock('2026-06-10T07:00:00Z');
    const application_id = await grantLeaveDay();
    expect(await list()).toMatchObject([{ status: 'on_leave', leave_id: application_id }]);
    expect(await enter(day)).toMatchObject(faultResponse(409, 'on_leave'));
    expect(await ada.user.post('/api/hrm/clock-in-out', {})).toMatchObject(faultResponse(409, 'on_leave'));
    await acme.owner.post('/api/hrm-settings/update', { clock_on_leave: true });
    expect((await ada.user.post('/api/hrm/clock-in-out', {})).body.data).toMatchObject({
      warnings: ['on_leave'],
      attendance: { status: 'on_leave' },
    });
  });

  test('removes the day when it is withdrawn and pay follows leave', async () => {
    const time = freezeClock('2026-06-09T07:00:00Z');
    const application_id = await grantLeaveDay();
    time.goTo('2026-06-11T07:00:00Z');
    await cancelLeave(application_id);
    expect(await list()).toEqual([]);
  });

  test('removes future days and marks past days absent when withdrawn', async () => {
    await acme.payByAttendance();
    const time = freezeClock('2026-06-09T07:00:00Z');
    await cancelLeave(await grantLeaveDay());
    expect(await list()).toEqual([]);
    const application_id = await grantLeaveDay();
    time.goTo('2026-06-11T07:00:00Z');
    await cancelLeave(application_id);
    expect(await list()).toMatchObject([{ status: 'absent', leave_id: null }]);
  });

  test('results in a half day if it is half a day and the other half is worked', async () => {
    const time = freezeClock('2026-06-10T07:00:00Z');
    await grantLeaveDay({ half_day: 'second', days: 0.5 });
    expect(await list()).toMatchObject([{ status: 'half_day' }]);
    await ada.user.post('/api/hrm/clock-in-out', {});
    time.goTo('2026-06-10T11:00:00Z');
    expect((await ada.user.post('/api/hrm/clock-in-out', {})).body.data.attendance).toMatchObject({
      status: 'half_day',
      worked_minutes: 240,
    });
  });
});
