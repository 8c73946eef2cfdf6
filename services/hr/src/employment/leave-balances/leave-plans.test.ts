/** Query plans for the employees, leave, balances and ledger of 5,000 employees over three years. */
import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from '@jest/globals';
import { collectPlans, enableExplain, type Member, start, freezeClock } from '@suite/testing';
import { everything, openHr } from '../../../test/fixture.ts';
import { employMany, inDepartments, withoutTriggers } from '../../../test/many-people.ts';
import { hr } from '../../hr.ts';
import { settleAllLeave } from '../../leave/leave-jobs/settle-leave.ts';

const { serving, company } = await openHr();
const PEOPLE = 5_000;
const acme = await company();
const ada = acme.member({ can: [], name: 'Ada' });
const { user_id } = ada.caller;
const employee_id = await acme.employ({ joining_date: '2024-01-01', name: 'Person 00000', user_id });
const leave_type_id = await acme.leaveType();

let explained: ReturnType<typeof collectPlans>;
let scheduled: ReturnType<typeof collectPlans>;
let database: typeof serving.database;
let owner: Member;
let self: Member;

beforeAll(async () => {
  await withoutTriggers(serving.admin, async (client) => {
    await employMany(client, employee_id, PEOPLE - 1);
    await inDepartments(client, acme.workspace, 100);
    const of = [leave_type_id, acme.workspace];
    await client.query(
      `INSERT INTO leave_ledger (id, workspace_id, employee_id, employment_id, leave_type_id, kind, days, valid_from, valid_to, source_key)
       SELECT gen_random_uuid(), workspace_id, employee_id, id, $1, 'accrual', 2, '2024-01-01'::date + month * interval '1 month',
         '2026-12-31', id || ' ' || $1::uuid || ' ' || (2024 + month / 12) || ' ' || (month % 12 + 1)
       FROM employments, generate_series(0, 35) AS month WHERE workspace_id = $2`,
      of,
    );
    // Nine requests an employee in three years. Some of the last ones are pending.
    await client.query(
      `INSERT INTO leave_applications (id, workspace_id, employee_id, leave_type_id, "from", "to", days, status, created_at, updated_at)
       SELECT gen_random_uuid(), workspace_id, id, $1, first, first + 2, 3, CASE WHEN nth = 8 AND random() < 0.1 THEN 'pending' ELSE 'approved' END,
         first - interval '20 days', first - interval '20 days'
       FROM employees, generate_series(0, 8) AS nth
         CROSS JOIN LATERAL (SELECT '2024-01-08'::date + nth * 120 + (random() * 60)::int AS first) AS days WHERE workspace_id = $2`,
      of,
    );
    await client.query(
      `INSERT INTO leave_days (workspace_id, application_id, employee_id, day, days)
       SELECT workspace_id, id, employee_id, "from" + nth, 1 FROM leave_applications, generate_series(0, 2) AS nth WHERE workspace_id = $1`,
      [acme.workspace],
    );
  });
  await serving.admin.query('ANALYZE');
  await enableExplain(serving.admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = collectPlans(replica.database.requests);
  scheduled = collectPlans(replica.database.pool);
  ({ database } = replica);
  const rights = { workspace: acme.workspace, modules: ['hrm'] };
  owner = replica.member({ can: everything, kind: 'owner', ...rights });
  self = replica.member({ can: ['leave.view'], record_scopes: { leave: 'own' }, user_id, ...rights });
}, 240_000);

/** Returns the highest number of rows that one statement read from some tables. */
async function readRows(...tables: string[]): Promise<number> {
  return await mostRows(explained, tables);
}

async function mostRows(statements: typeof explained, tables: readonly string[]): Promise<number> {
  const scans = (await statements()).map(({ scans: all }) => all.filter(({ table }) => tables.includes(table)));
  return Math.max(0, ...scans.map((all) => all.reduce((sum, { rows }) => sum + rows, 0)));
}

test.each([
  ['a page of balances', () => owner.get('/api/leave-balances')],
  ['balances of an employee', () => owner.get(`/api/leave-balances?employee_id=${employee_id}&expand=lots`)],
  ['balances of a type', () => owner.get(`/api/leave-balances?leave_type_id=${leave_type_id}`)],
  ['a page of the ledger', () => owner.get('/api/leave-ledger')],
  ['the ledger of an employee', () => owner.get(`/api/leave-ledger?employee_id=${employee_id}&sort=-valid_from`)],
])('reads only the rows it returns for %s', async (_, ask) => {
  freezeClock('2026-11-10T12:00:00Z');
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  // Twenty accounts of 36 lines each. The first request already counted the total.
  expect(await readRows('leave_ledger', 'line')).toBeLessThan(40 * 36);
  expect(await readRows('employees', 'employments')).toBeLessThan(200);
});

test.each([
  ['a page of employees', () => owner.get('/api/employees')],
  ['the last page of employees', () => owner.get('/api/employees?page=250&sort=-name')],
  ['employees by their names', () => owner.get('/api/employees?sort=name&status=active')],
  ['an employee by code', () => owner.get('/api/employees?code=P4711')],
  ['the newest employees', () => owner.get('/api/employees?sort=-created_at')],
])('reads only the rows it returns for %s', async (name, ask) => {
  freezeClock('2026-11-10T12:00:00Z');
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  // A deep page skips index entries.
  expect(await readRows('employees')).toBeLessThan(name.includes('last') ? PEOPLE * 2 : 200);
});

test.each([
  ['a page of leave', () => owner.get('/api/leave-applications')],
  ['leave of an employee', () => owner.get(`/api/leave-applications?employee_id=${employee_id}&sort=-from`)],
  ['leave that waits', () => owner.get('/api/leave-applications?status=pending')],
  ['leave by its first day', () => owner.get('/api/leave-applications?sort=-from')],
  ['leave of a day', () => owner.get('/api/leave-applications?from=2026-03-02')],
  ['own leave', () => self.get('/api/hrm/get-leaves')],
  ['the leave that one sees', () => self.get('/api/leave-applications')],
])('reads only the rows it returns for %s', async (_, ask) => {
  freezeClock('2026-11-10T12:00:00Z');
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  expect(await readRows('leave_applications')).toBeLessThan(600);
});

test('decides on long leave with as many statements as on short leave', async () => {
  freezeClock('2026-11-10T12:00:00Z');
  const unpaid = await acme.leaveType({ code: 'long', name: 'Long', days_per_year: '0', paid: false });
  const createDecidedLeave = async (from: string, to: string) => {
    const body = { employee_id, leave_type_id: unpaid, from, to };
    const { id } = (await acme.owner.post('/api/leave-application/create', body)).body.data;
    await explained();
    const reply = await owner.post(`/api/leave-application/update-status/${id}`, { action: 'approve' });
    expect(reply.status).toBe(200);
    const statements = await explained();
    // Foreign key checks and triggers run for each row.
    return {
      days: reply.body.data.attendance_days.length,
      statements: statements.filter(({ text }) => !text.includes('FROM ONLY')).length,
    };
  };
  const short = await createDecidedLeave('2027-02-01', '2027-02-02');
  const long = await createDecidedLeave('2027-03-01', '2027-06-30');
  expect([short.days, long.days]).toEqual([2, 88]);
  expect(long.statements - short.statements).toBeLessThanOrEqual(long.days - short.days);
});

test('reads only the employees with due settlements', async () => {
  freezeClock('2026-11-10T12:00:00Z');
  await withoutTriggers(serving.admin, async (client) => {
    await client.query(
      `INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
       SELECT workspace_id, id, '2026-12-01', '2026-11-10' FROM employments WHERE workspace_id = $1
       ON CONFLICT (workspace_id, employment_id) DO UPDATE SET due_on = EXCLUDED.due_on, settled_at = EXCLUDED.settled_at`,
      [acme.workspace],
    );
    await client.query(`UPDATE leave_types SET updated_at = '2026-11-09' WHERE workspace_id = $1`, [acme.workspace]);
    await client.query(
      `UPDATE leave_settlements SET due_on = '-infinity' FROM employments WHERE employments.id = employment_id AND employee_id = $1`,
      [employee_id],
    );
  });
  await serving.admin.query('ANALYZE');
  await scheduled();
  await settleAllLeave({ database: database as never, log: undefined as never });
  const read = await mostRows(scheduled, ['leave_settlements', 'employments', 'employees']);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(20);
  const [row] = await serving.sql`
    SELECT due_on::text FROM leave_settlements JOIN employments ON employments.id = employment_id WHERE employee_id = ${employee_id}`;
  expect(row).toEqual({ due_on: '2026-12-01' });
});

test('finds employees by word with the search index, among other workspaces', async () => {
  const others = Array.from({ length: 12 }, () => randomUUID());
  await withoutTriggers(serving.admin, async (client) => {
    for (const workspace_id of others)
      await client.query(
        `INSERT INTO employees (id, workspace_id, code, name, status, joining_date, employment_type, branch_id, department_id, designation_id, shift_id)
         SELECT gen_random_uuid(), $1, code, name, status, joining_date, employment_type, branch_id, department_id, designation_id, shift_id
         FROM employees WHERE workspace_id = $2`,
        [workspace_id, acme.workspace],
      );
  });
  await serving.admin.query('ANALYZE employees');
  for (const [word, found] of [
    ['P4711', 1],
    ['person 0471', 10],
  ] as const) {
    await explained();
    const reply = await owner.get(`/api/employees?q=${encodeURIComponent(word)}`);
    expect([reply.status, reply.body.meta.total]).toEqual([200, found]);
    // The query scans the start of the list first: a common word has a match there.
    expect(await readRows('employees')).toBeLessThan(600);
  }
}, 240_000);
