import { describe, expect, test } from '@jest/globals';
import { day, openAttendance } from '../../../test/attendance.ts';

const { serving, acme, ada, enter, list } = await openAttendance();

const actions = async (by = acme.owner) => (await list('', by))[0].allowed_actions;
const createPaidRun = () =>
  acme.write(async (db) => {
    const period = { period_start: '2026-06-01T00:00:00Z', period_end: '2026-06-30T00:00:00Z' };
    const { id: payroll_id } = await db.payroll.create({
      data: { title: 'June', pay_date: period.period_end, currency: 'EUR', ...period },
    });
    await db.payrollEntry.create({
      data: { payroll_id, employee_id: ada.id, regular: true, status: 'finalised', ...period },
    });
  });

describe('the allowed actions of attendance days', () => {
  test('follow from the permissions, in lists and in replies of commands', async () => {
    expect((await enter(day)).body.data.allowed_actions).toEqual(['update', 'delete']);
    expect(await actions()).toEqual(['update', 'delete']);
    expect(await actions(acme.member({ can: ['attendance.view', 'attendance.update'] }))).toEqual(['update']);
    expect(await actions(acme.member({ can: ['attendance.view'] }))).toEqual([]);
  });

  test('are empty for the day of the caller', async () => {
    await enter(day);
    const can = ['attendance.view', 'attendance.update', 'attendance.delete'];
    expect(await actions(acme.member({ user_id: ada.user.caller.user_id, can }))).toEqual([]);
  });

  test('exclude the deletion of a day on which the employee clocked in', async () => {
    await enter(day);
    await serving.sql`UPDATE attendance_events SET source = 'web' WHERE workspace_id = ${acme.workspace}`;
    expect(await actions()).toEqual(['update']);
  });

  test('require the permission to run the payroll for a paid day', async () => {
    await enter(day);
    await createPaidRun();
    expect(await actions()).toEqual(['update']);
    expect(await actions(acme.member({ can: ['attendance.view', 'attendance.update', 'attendance.delete'] }))).toEqual(
      [],
    );
  });
});
