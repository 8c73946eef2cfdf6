import pg from 'pg';

/** Any number that nothing else in the suite locks by: databases are made one at a time in a cluster. */
const MAKING_DATABASES = 7_370_001;

/** What a runaway statement, lock or transaction may cost at most; on the role, so that no code can forget it. */
const ROLE_SETTINGS = {
  statement_timeout: '15s',
  lock_timeout: '2s',
  idle_in_transaction_session_timeout: '10s',
  timezone: 'UTC',
};

/** The roles that business statements run as, in every database: what is true of a workspace, and what a caller may see. */
const SHARED_ROLES = ['suite_confined', 'suite_viewer'];

/**
 * Makes a service's own database and the role that owns it, and brings both to today's settings when they exist.
 * Returns the address that the service connects with.
 */
export async function createServiceDatabase(
  adminUrl: string,
  service: { name: string; password: string },
): Promise<string> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [MAKING_DATABASES]);
    await makeRoles(client, service);
    await makeDatabase(client, service.name);
  } finally {
    await client.end();
  }
  const url = new URL(adminUrl);
  url.username = encodeURIComponent(service.name);
  url.password = encodeURIComponent(service.password);
  url.pathname = `/${encodeURIComponent(service.name)}`;
  return url.href;
}

async function makeRoles(client: pg.Client, service: { name: string; password: string }): Promise<void> {
  const role = client.escapeIdentifier(service.name);
  for (const shared of SHARED_ROLES) {
    if (!(await exists(client, 'pg_roles', 'rolname', shared))) await client.query(`CREATE ROLE ${shared} NOLOGIN`);
  }
  if (!(await exists(client, 'pg_roles', 'rolname', service.name))) await client.query(`CREATE ROLE ${role}`);
  await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(service.password)}`);
  await client.query(`GRANT ${SHARED_ROLES.join(', ')} TO ${role}`);
  for (const [setting, value] of Object.entries(ROLE_SETTINGS)) {
    await client.query(`ALTER ROLE ${role} SET ${setting} = ${client.escapeLiteral(value)}`);
  }
}

async function makeDatabase(client: pg.Client, name: string): Promise<void> {
  const database = client.escapeIdentifier(name);
  if (!(await exists(client, 'pg_database', 'datname', name))) {
    await client.query(`CREATE DATABASE ${database} OWNER ${database}`);
  }
  // Otherwise every role of the cluster may connect, and one service could look into another's database.
  await client.query(`REVOKE ALL ON DATABASE ${database} FROM PUBLIC`);
}

async function exists(client: pg.Client, catalog: string, column: string, name: string): Promise<boolean> {
  const found = await client.query(`select 1 from ${catalog} where ${column} = $1`, [name]);
  return found.rowCount === 1;
}
