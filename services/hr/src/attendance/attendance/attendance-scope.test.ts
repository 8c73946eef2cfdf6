import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Member } from '@suite/testing';
import { day, openAttendance } from '../../../test/attendance.ts';

const { acme, ada, enter, serving } = await openAttendance();
let lead: Member;
let lead_id: string;
beforeEach(async () => {
  const can = ['attendance.view', 'attendance.create', 'attendance.update', 'employee.view'];
  // Manager with access to all employee records and to the attendance of their own team.
  lead = acme.member({ can, record_scopes: { attendance: 'team', employee: 'all' }, name: 'Lead' });
  lead_id = await acme.employ({ name: 'Lead', user_id: lead.caller.user_id });
});
const refused = { status: 422, body: { errors: { employee_id: ['Record not found.'] } } };
const month = (id: string, by: Member) => by.get(`/api/attendance/month?employee_id=${id}&month=2026-06`);

describe('a caller with team scope', () => {
  test('cannot enter days of other teams or see their months', async () => {
    expect(await enter(day, lead)).toMatchObject(refused);
    expect(await month(ada.id, lead)).toMatchObject({ status: 404 });
    await serving.sql`UPDATE employees SET manager_id = ${lead_id} WHERE id = ${ada.id}`;
    expect(await enter(day, lead)).toMatchObject({ status: 201 });
    expect((await month(ada.id, lead)).body.data.totals).toMatchObject({ present: 1 });
    expect(await enter({ employee_id: lead_id, ...day }, lead)).toMatchObject({
      status: 409,
      body: { code: 'own_record' },
    });
  });

  test('imports days of team members only, and not their own', async () => {
    await serving.sql`UPDATE employees SET code = 'ADA', manager_id = ${lead_id} WHERE id = ${ada.id}`;
    await serving.sql`UPDATE employees SET code = 'LEAD' WHERE id = ${lead_id}`;
    await acme.employ({ name: 'Stranger', code: 'STRANGER' });
    const rows = ['ADA', 'LEAD', 'STRANGER', 'NOBODY'].map((code) => `${code},2026-06-10T09:00:00+02:00,gate`);
    const form = new FormData();
    const text = ['employee_code,at,device_id', ...rows].join('\n');
    form.set('file', new Blob([text], { type: 'text/csv' }), 'log.csv');
    expect(await lead.upload('/api/attendance/import', form)).toMatchObject({
      status: 200,
      body: {
        data: {
          created: 1,
          failed: [
            { line: 3, code: 'own_record' },
            { line: 4, code: 'unknown_employee' },
            { line: 5, code: 'unknown_employee' },
          ],
        },
      },
    });
  });
});
