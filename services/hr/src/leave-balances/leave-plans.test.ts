/** Balances and the ledger of five thousand people in three years. */
import { beforeAll, expect, test } from '@jest/globals';
import { explainedOn, explainFromNowOn, type Member, start, stillClock } from '@suite/testing';
import { everything, openHr } from '../../test/fixture.ts';
import { hr } from '../hr.ts';

const { serving, company } = await openHr();
const PEOPLE = 5_000;
const acme = await company();
const employee_id = await acme.employ({ joining_date: '2024-01-01', name: 'Person 00000' });
const leave_type_id = await acme.leaveType();

let explained: ReturnType<typeof explainedOn>;
let owner: Member;

beforeAll(async () => {
  const client = await serving.admin.connect();
  await client.query(`SET session_replication_role = replica`);
  await client.query(
    `CREATE TEMP TABLE people AS SELECT employees.*, number FROM employees, generate_series(1, ${PEOPLE - 1}) AS number WHERE id = $1`,
    [employee_id],
  );
  await client.query(`ALTER TABLE people DROP COLUMN search`);
  await client.query(`
    UPDATE people SET id = gen_random_uuid(), code = 'P' || number, name = 'Person ' || lpad(number::text, 5, '0'), user_id = NULL`);
  await client.query(`ALTER TABLE people DROP COLUMN number`);
  const { rows } = await client.query<{ names: string }>(`
    SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
    WHERE attrelid = 'people'::regclass AND attnum > 0 AND NOT attisdropped`);
  await client.query(`INSERT INTO employees (${rows[0]!.names}) SELECT ${rows[0]!.names} FROM people`);
  await client.query(`
    INSERT INTO employments (id, workspace_id, employee_id, joining_date, created_at)
    SELECT gen_random_uuid(), workspace_id, id, joining_date, joining_date FROM people`);
  await client.query(
    `INSERT INTO leave_ledger (id, workspace_id, employee_id, employment_id, leave_type_id, kind, days, valid_from, valid_to, source_key)
     SELECT gen_random_uuid(), workspace_id, employee_id, id, $1, 'accrual', 2, '2024-01-01'::date + month * interval '1 month',
       '2026-12-31', id || ' ' || $1::uuid || ' ' || (2024 + month / 12) || ' ' || (month % 12 + 1)
     FROM employments, generate_series(0, 35) AS month WHERE workspace_id = $2`,
    [leave_type_id, acme.workspace],
  );
  await client.query(`SET session_replication_role = origin`);
  client.release();
  await serving.admin.query('ANALYZE');
  await explainFromNowOn(serving.admin);
  const replica = await start(hr, { replicaOf: serving });
  explained = explainedOn(replica.database.requests);
  owner = replica.member({ can: everything, kind: 'owner', workspace: acme.workspace, modules: ['hrm'] });
}, 240_000);

/** The most rows of some tables that one statement read. */
async function readRows(...tables: string[]): Promise<number> {
  const scans = (await explained()).map(({ scans: all }) => all.filter(({ table }) => tables.includes(table)));
  return Math.max(0, ...scans.map((all) => all.reduce((sum, { rows }) => sum + rows, 0)));
}

test.each([
  ['a page of balances', () => owner.get('/api/leave-balances')],
  ['balances of somebody', () => owner.get(`/api/leave-balances?employee_id=${employee_id}&expand=lots`)],
  ['balances of a type', () => owner.get(`/api/leave-balances?leave_type_id=${leave_type_id}`)],
  ['a page of the ledger', () => owner.get('/api/leave-ledger')],
  ['the ledger of somebody', () => owner.get(`/api/leave-ledger?employee_id=${employee_id}&sort=-valid_from`)],
])('%s reads what it shows', async (_, ask) => {
  stillClock('2026-11-10T12:00:00Z');
  await ask();
  await explained();
  expect((await ask()).status).toBe(200);
  // Twenty accounts of thirty-six lines each. How many there are was counted with the first question.
  expect(await readRows('leave_ledger', 'line')).toBeLessThan(40 * 36);
  expect(await readRows('employees', 'employments')).toBeLessThan(200);
});
