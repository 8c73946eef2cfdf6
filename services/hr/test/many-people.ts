/** Creates very many employees and records without triggers, because read tests need no audit log. */
import type { ServiceUnderTest } from '@suite/testing';

type Admin = ServiceUnderTest['admin'];

/** Database connection of the administrator. */
interface AdminConnection {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Writes rows with triggers and foreign keys disabled. */
export async function withoutTriggers(
  admin: Admin,
  write: (client: AdminConnection) => Promise<unknown>,
): Promise<void> {
  const client = await admin.connect();
  await client.query('SET session_replication_role = replica');
  await write(client);
  await client.query('SET session_replication_role = origin');
  client.release();
}

/** Creates further employees with the terms of an existing one: `Person 00001` and so on, without a login. */
export async function employMany(client: AdminConnection, employee_id: string, count: number): Promise<void> {
  await client.query(
    `CREATE TEMP TABLE people AS SELECT employees.*, number FROM employees, generate_series(1, ${count}) AS number WHERE id = $1`,
    [employee_id],
  );
  await client.query('ALTER TABLE people DROP COLUMN search');
  await client.query(`
    UPDATE people SET id = gen_random_uuid(), code = 'P' || number, name = 'Person ' || lpad(number::text, 5, '0'), user_id = NULL`);
  await client.query('ALTER TABLE people DROP COLUMN number');
  const { rows } = await client.query<{ names: string }>(`
    SELECT string_agg(quote_ident(attname), ', ') AS names FROM pg_attribute
    WHERE attrelid = 'people'::regclass AND attnum > 0 AND NOT attisdropped`);
  await client.query(`INSERT INTO employees (${rows[0]!.names}) SELECT ${rows[0]!.names} FROM people`);
  await client.query(`
    INSERT INTO employments (id, workspace_id, employee_id, joining_date, created_at)
    SELECT gen_random_uuid(), workspace_id, id, joining_date, joining_date FROM people`);
  await client.query('DROP TABLE people');
}

/** Distributes the employees of a workspace among a number of departments. */
export async function inDepartments(client: AdminConnection, workspace_id: string, count: number): Promise<void> {
  await client.query(
    `INSERT INTO departments (id, workspace_id, name, branch_id)
     SELECT gen_random_uuid(), workspace_id, 'Department ' || serial, branch_id
     FROM (SELECT * FROM departments WHERE workspace_id = $1 LIMIT 1) AS one, generate_series(1, ${count}) AS serial`,
    [workspace_id],
  );
  await client.query(
    `UPDATE employees SET department_id = places.ids[1 + abs(hashtext(employees.code)) % ${count}]
     FROM (SELECT array_agg(id) AS ids FROM departments WHERE workspace_id = $1 AND name LIKE 'Department %') AS places
     WHERE employees.workspace_id = $1`,
    [workspace_id],
  );
}
