import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start } from '@suite/testing';
import { everything } from '../../../test/fixture.ts';
import { openPayroll } from '../../../test/payroll.ts';
import { hr } from '../../hr.ts';

const { serving, payroll } = await openPayroll();
const acme = await payroll();
const PEOPLE = 300;
const MONTHS = 24;
const user_id = randomUUID();
const employee_id = await acme.hire();
let explained: ReturnType<typeof collectPlans>;
let owner: Member;
let self: Member;
let payroll_id: string;

beforeAll(async () => {
  await serving.sql`INSERT INTO users (id, workspace_id, name, kind) VALUES (${user_id}, ${acme.workspace}, 'Ada', 'staff')`;
  await serving.sql`UPDATE employees SET user_id = ${user_id} WHERE id = ${employee_id}`;
  for (let at = 1; at < PEOPLE; at += 1) await acme.employ({ name: `Colleague ${at}` });
  const of = [MONTHS, acme.workspace];
  await serving.admin.query(
    `INSERT INTO payrolls (id, workspace_id, title, period_start, period_end, pay_date, currency, status, employee_count)
     SELECT gen_random_uuid(), $2, 'Payroll', month, month + 27, month + 27, 'EUR', 'approved', 0
     FROM (SELECT ('2024-01-01'::date + make_interval(months => at))::date AS month FROM generate_series(0, $1::int - 1) AS at) AS months`,
    of,
  );
  await serving.admin.query(
    `INSERT INTO payroll_entries (id, workspace_id, payroll_id, employee_id, regular, period_start, period_end, pay_date, currency, status)
     SELECT gen_random_uuid(), run.workspace_id, run.id, person.id, TRUE, run.period_start, run.period_end, run.pay_date, 'EUR', 'finalised'
     FROM payrolls AS run JOIN employees AS person ON person.workspace_id = run.workspace_id WHERE run.workspace_id = $1`,
    [acme.workspace],
  );
  await serving.admin.query('ANALYZE');
  [{ id: payroll_id }] = (await serving.sql<{ id: string }>`
    SELECT id FROM payrolls WHERE workspace_id = ${acme.workspace} ORDER BY period_start LIMIT 1`) as [{ id: string }];
  await enableExplain(serving.admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  const rights = { workspace: acme.workspace, modules: ['hrm'] };
  owner = replica.member({ can: everything, kind: 'owner', ...rights });
  self = replica.member({ can: [], user_id, ...rights });
}, 600_000);

/** Returns the highest number of payslip rows that one statement read. */
async function readRows(): Promise<number> {
  const scans = (await explained()).map(({ scans: all }) => all.filter(({ table }) => table === 'payroll_entries'));
  return Math.max(0, ...scans.map((all) => all.reduce((sum, { rows }) => sum + rows, 0)));
}

test.each<[string, () => ReturnType<Member['get']>, number]>([
  ['a page of runs', () => owner.get('/api/payrolls'), 0],
  ['a page of a run', () => owner.get(`/api/payroll/entries/${payroll_id}`), PEOPLE],
  ['an employee in a run', () => owner.get(`/api/payroll/entries/${payroll_id}?employee_id=${employee_id}`), MONTHS],
  ['own payslips', () => self.get('/api/hrm/payslips'), MONTHS],
])('reads only the rows it returns for %s, of 7,000 payslips', async (_, ask, most) => {
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  expect(await readRows()).toBeLessThanOrEqual(most);
});
