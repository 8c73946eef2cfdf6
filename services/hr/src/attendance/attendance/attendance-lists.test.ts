import { describe, expect, test } from '@jest/globals';
import { freezeClock } from '@suite/testing';
import { day, openAttendance } from '../../../test/attendance.ts';

const { serving, company, acme, ada, enter, list } = await openAttendance();

describe('the list of attendance days', () => {
  test('filters by flags, places and status', async () => {
    await enter({ first_in: day.first_in });
    await enter({ local_date: '2026-06-11', status: 'present' });
    const [employee] = (await acme.owner.get('/api/employees')).body.data;
    const count = async (query: string) => (await list(query)).length;
    expect(await count('flag=missing_out')).toBe(1);
    expect(await count('flag[ne]=missing_out')).toBe(1);
    expect(await count('flag[in]=missing_out,late_out')).toBe(1);
    expect(await count(`department_id=${employee.department_id}&branch_id=${employee.branch_id}`)).toBe(2);
    expect(await count(`department_id[ne]=${employee.department_id}`)).toBe(0);
    expect(await count('manual=true&status=present')).toBe(1);
    expect((await list('sort=local_date&expand=employee'))[0]).toMatchObject({
      local_date: '2026-06-10',
      employee: { id: ada.id, name: expect.any(String) },
    });
    expect(await acme.owner.get('/api/attendances?flag=tired')).toMatchObject({ status: 422 });
  });

  test('shows managers only their team without punches, and no other workspace', async () => {
    await enter(day);
    const lead = acme.member({
      can: ['attendance.view', 'employee.view'],
      record_scopes: { attendance: 'team', employee: 'team' },
    });
    const lead_id = await acme.employ({ user_id: lead.caller.user_id, name: 'Lead' });
    expect(await list('', lead)).toEqual([]);
    await serving.sql`UPDATE employees SET manager_id = ${lead_id} WHERE id = ${ada.id}`;
    const [seen] = await list('', lead);
    expect(seen).toMatchObject({ employee_id: ada.id });
    expect(seen).not.toHaveProperty('punches');
    const rival = await company();
    expect(await list('', rival.owner)).toEqual([]);
    expect(await rival.owner.delete(`/api/attendance/delete/${seen.id}`)).toMatchObject({ status: 404 });
  });

  test('returns a month with its totals', async () => {
    freezeClock('2026-06-12T20:00:00Z');
    await enter(day);
    const { body } = await acme.owner.get(`/api/attendance/month?employee_id=${ada.id}&month=2026-06`);
    expect(body.data.days).toHaveLength(30);
    expect(body.data.totals).toMatchObject({ present: 1, absent: 0, unmarked: 9, worked_minutes: 480 });
    const rival = await company();
    expect(await rival.owner.get(`/api/attendance/month?employee_id=${ada.id}&month=2026-06`)).toMatchObject({
      status: 404,
    });
    expect(await acme.owner.get(`/api/attendance/month?employee_id=${ada.id}&month=2026-6`)).toMatchObject({
      status: 422,
    });
  });
});
