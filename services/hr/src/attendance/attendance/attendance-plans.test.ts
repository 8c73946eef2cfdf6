import { beforeAll, describe, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start } from '@suite/testing';
import { everything, openHr } from '../../../test/fixture.ts';
import { employMany, withoutTriggers } from '../../../test/many-people.ts';
import { hr } from '../../hr.ts';

const { serving, company } = await openHr();
const acme = await company();
const ada = acme.member({ can: [], name: 'Ada' });
const employee_id = await acme.employ({ user_id: ada.caller.user_id });
const rare_id = await acme.employ({ name: 'Zuleika' });
const DAYS = 1_096;
const PEOPLE = 5_000;
const VETERANS = 40;
const WEEKS = 3;

let explained: ReturnType<typeof collectPlans>;
let owner: Member;
let self: Member;

beforeAll(async () => {
  await withoutTriggers(serving.admin, async (client) => {
    await employMany(client, employee_id, PEOPLE - 2);
    // Three years for some employees and the last weeks for all.
    await client.query(
      `INSERT INTO attendances (id, workspace_id, employee_id, local_date, timezone, state, status, worked_minutes, created_at, updated_at)
       SELECT gen_random_uuid(), workspace_id, id, day, 'UTC', 'closed', CASE WHEN serial % 50 = 0 THEN 'absent' ELSE 'present' END, 480,
         day + interval '9 hours', day + interval '9 hours'
       FROM (SELECT *, row_number() OVER (ORDER BY code) AS place FROM employees WHERE workspace_id = $2) AS employees
         CROSS JOIN generate_series(0, $1::int - 1) AS serial CROSS JOIN LATERAL (SELECT '2024-01-01'::date + serial AS day) AS days
       WHERE id = $3 OR (id = $4 AND serial < 2) OR (id <> $4 AND (place <= ${VETERANS} OR serial >= $1::int - ${WEEKS * 7}))`,
      [DAYS, acme.workspace, employee_id, rare_id],
    );
    await client.query(
      `INSERT INTO attendance_events (id, workspace_id, employee_id, attendance_id, type, at, timezone, source)
       SELECT gen_random_uuid(), workspace_id, employee_id, id, type, local_date + hours, 'UTC', 'web'
       FROM attendances, (VALUES ('in', interval '9 hours'), ('out', interval '17 hours')) AS punches (type, hours) WHERE workspace_id = $1`,
      [acme.workspace],
    );
  });
  await serving.admin.query('ANALYZE');
  await enableExplain(serving.admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  const rights = { workspace: acme.workspace, modules: ['hrm'] };
  owner = replica.member({ can: everything, kind: 'owner', ...rights });
  self = replica.member({
    can: ['attendance.view'],
    record_scopes: { attendance: 'own' },
    user_id: ada.caller.user_id,
    ...rights,
  });
}, 600_000);

/** Returns the highest number of attendance rows that one statement read. */
async function readRows(): Promise<number> {
  const scans = (await explained()).map(({ scans: all }) => all.filter(({ table }) => table.startsWith('attendance')));
  return Math.max(0, ...scans.map((all) => all.reduce((sum, { rows }) => sum + rows, 0)));
}

describe('the attendance of 5,000 employees over three years', () => {
  test.each([
    ['a page', () => owner.get('/api/attendances')],
    ['the newest days', () => owner.get('/api/attendances?sort=-local_date')],
    ['an employee page', () => owner.get(`/api/attendances?employee_id=${employee_id}&sort=-local_date`)],
    ['a day of all', () => owner.get('/api/attendances?local_date=2025-03-03')],
    ['a page of absences', () => owner.get('/api/attendances?status=absent')],
    ['a search for an employee with few days', () => owner.get('/api/attendances?q=Zuleika')],
    ['a search without a match', () => owner.get('/api/attendances?q=Nemo')],
    ['an employee month', () => owner.get(`/api/attendance/month?employee_id=${employee_id}&month=2025-03`)],
    ['the page of the caller', () => self.get('/api/attendances')],
    ['the month of the caller', () => self.post('/api/hrm/attendence-history', { month: '2025-03' })],
  ])('reads only the rows it returns for %s', async (_, ask) => {
    await ask();
    await explained();
    expect((await ask()).status).toBe(200);
    // Twenty days with their punches. The first request already counted the total, by an index.
    expect(await readRows()).toBeLessThan(DAYS * 2);
  });
});
