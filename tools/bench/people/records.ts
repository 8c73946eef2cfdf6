/**
 * Employees of one workspace, each with a login, an employment and a shift. The rows are written directly to the
 * databases.
 */
import type { Suite } from '@suite/local/suite';
import { waitUntil } from '@suite/testing/waiting';
import { readJson } from '../fixture/ask.ts';
import type { Business } from '../fixture/business.ts';
import { withConnection } from '../fixture/connect.ts';
import { idAt, withoutIndexes } from '../fixture/without-indexes.ts';

/** An employee who clocks in. */
export interface Colleague {
  employee_id: string;
  user_id: string;
}

/** A shift of nearly the whole day, on each weekday. Punches are then in its window at any time. */
const HOURS = { start: '00:00', end: '23:30', break_minutes: 0, days: [1, 2, 3, 4, 5, 6, 7] };

const MADE = `
  CREATE TEMP TABLE made AS
  SELECT n, ${idAt('at', `md5('employee' || n || $2::text)`)} AS id, ${idAt('at', `md5('login' || n || $2::text)`)} AS user_id,
    ${idAt('at', `md5('employment' || n || $2::text)`)} AS employment_id, at
  FROM generate_series(1, $1::int) AS n
    CROSS JOIN LATERAL (SELECT date_trunc('milliseconds', now() - interval '300 days' * (1 - n / $1::float)) AS at) AS times`;

const FILL = [
  `INSERT INTO users (id, workspace_id, name, kind) SELECT user_id, $1::uuid, 'Person ' || n, 'staff' FROM made`,
  `INSERT INTO employees (id, workspace_id, code, user_id, name, status, branch_id, department_id, designation_id, shift_id,
     employment_type, joining_date, dob, created_at, updated_at)
   SELECT made.id, $1::uuid, 'B-' || n, user_id, 'Person ' || n, 'active', departments.branch_id, departments.id, designations.id, shifts.id,
     'full', '2020-01-01', '1990-01-01'::date + n % 365, at, at
   FROM made, (SELECT * FROM designations WHERE workspace_id = $1::uuid ORDER BY id LIMIT 1) AS designations
     JOIN departments ON departments.id = designations.department_id
     JOIN shifts ON shifts.workspace_id = $1::uuid AND shifts.is_default`,
  // Written before the employments. Without these rows, a schedule would process all of them during the measurement,
  // and grant leave between two row counts.
  `INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
   SELECT $1::uuid, employment_id, now()::date + 30, now() FROM made`,
  `INSERT INTO employments (id, workspace_id, employee_id, joining_date) SELECT employment_id, $1::uuid, id, '2020-01-01' FROM made`,
  `INSERT INTO employee_history (id, workspace_id, employee_id, employment_id, field, effective_from, seq, value, cause)
   SELECT gen_random_uuid(), $1::uuid, employees.id, made.employment_id, term.field, '2020-01-01', 1, term.value, 'joining'
   FROM made JOIN employees ON employees.id = made.id
     CROSS JOIN LATERAL (VALUES ('branch_id', employees.branch_id::text), ('shift_id', employees.shift_id::text),
       ('employment_type', 'full')) AS term (field, value)`,
];
const TABLES = ['users', 'employees', 'employments', 'employee_history', 'leave_settlements'];

async function fillPeople(suite: Suite, business: Business, count: number): Promise<Colleague[]> {
  const { workspace_id } = business;
  const gateway = String(suite.processes['gateway']?.url);
  const ask = async (path: string, body?: object) => {
    const headers = { authorization: await business.authorization(), 'content-type': 'application/json' };
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
    return (await readJson(`${gateway}${path}`, request)).data as unknown as { id: string }[];
  };
  // The first shift exists when hr has received the event of the workspace.
  await waitUntil('a shift exists', async () => (await ask('/api/shifts')).length > 0);
  const [shift] = await ask('/api/shifts');
  await ask(`/api/shift/update/${shift?.id}`, HOURS);
  return await withConnection(String(suite.databases['hr']), async (client) => {
    await withoutIndexes(client, TABLES, async () => {
      await client.query(MADE, [count, workspace_id]);
      for (const statement of FILL) await client.query(statement, [workspace_id]);
    });
    const { rows } = await client.query<Colleague>('SELECT id AS employee_id, user_id FROM made ORDER BY n');
    await client.query('DROP TABLE made');
    return rows;
  });
}

const peopleByBusiness = new Map<Business, Promise<Colleague[]>>();

/** Adds the given number of employees to a business, once. */
export async function openPeople(suite: Suite, business: Business, count: number): Promise<Colleague[]> {
  const opening = peopleByBusiness.get(business) ?? fillPeople(suite, business, count);
  peopleByBusiness.set(business, opening);
  return await opening;
}

/**
 * Deletes all punches, so that the next punch of each employee is their first. A punch under way is written after the
 * deletion or deleted as well.
 */
export const deletePunches = (suite: Suite, { workspace_id }: Business): Promise<void> =>
  withConnection(String(suite.databases['hr']), async (client) => {
    await client.query('BEGIN; LOCK TABLE attendances IN SHARE ROW EXCLUSIVE MODE');
    for (const table of ['attendance_events', 'attendances'])
      await client.query(`DELETE FROM ${table} WHERE workspace_id = $1`, [workspace_id]);
    await client.query('COMMIT');
  });
