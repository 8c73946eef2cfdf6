import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';

/** An advisory lock number that the suite uses nowhere else. Databases are created one at a time in a cluster. */
const MAKING_DATABASES = 7_370_001;

/** Limits on a runaway statement, lock or transaction, in seconds. They are set on the role, so that no code can omit them. */
const ROLE_LIMITS = { statement_timeout: 15, lock_timeout: 2, idle_in_transaction_session_timeout: 10 };

/** The roles that run statements: within a workspace, within the records that a caller sees, and across workspaces. */
const SHARED_ROLES = ['suite_confined', 'suite_viewer', 'suite_everywhere'];

/** A service's database and the roles that may use it. */
export interface ServiceDatabase {
  /** The login of the service. The two other roles have the suffixes `_requests` and `_owner`. */
  name: string;
  password: string;
  /** Name of the database. Defaults to the name of the login. */
  database?: string;
  /** Factor for the limits of a statement, lock and transaction on a slow machine. Defaults to 1. */
  deadline_factor?: number;
}

/**
 * Creates a service's own database and its three roles, or updates the settings of existing ones. The owner of the
 * tables has no login. The service's login works across workspaces, and becomes the owner to migrate. Requests use a
 * login without permissions of its own. Returns the address that the service connects with.
 */
export async function createServiceDatabase(adminUrl: string, service: ServiceDatabase): Promise<string> {
  const { name, password, database = name } = service;
  await withConnection(adminUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MAKING_DATABASES]);
    await makeRoles(client, service);
    await makeDatabase(client, { ...service, database });
    await withConnection(addressOf(adminUrl, { database }), (inside) => secureDatabase(inside, name));
  });
  return addressOf(adminUrl, { name, password, database });
}

/** Longest wait for a server that starts, and the time between two attempts. */
const START_MS = 300_000;
const RETRY_MS = 1_000;

/**
 * Waits until a server that starts at the same time accepts connections. Other errors, such as a wrong password, are
 * thrown immediately.
 * @throws the error of the last attempt after five minutes
 */
export async function awaitServer(adminUrl: string): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      return await withConnection(adminUrl, async () => undefined);
    } catch (error) {
      if (!isStarting(error) || performance.now() > end) throw error;
      await pause(RETRY_MS);
    }
  }
}

/** Checks for errors of a server that starts (57P03), or whose name or port does not exist yet. */
function isStarting(error: unknown): boolean {
  const { code = '', errors = [] } = error as { code?: string; errors?: unknown[] };
  return ['57P03', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(code) || errors.some(isStarting);
}

/**
 * Copies a database of the same service, for tests. The roles already exist, and all objects inside have the right
 * owner. Returns the address for the service.
 */
export async function copyServiceDatabase(
  adminUrl: string,
  { name, password, database, template }: Required<Omit<ServiceDatabase, 'deadline_factor'>> & { template: string },
): Promise<string> {
  await withConnection(adminUrl, async (client) => {
    const { owner } = rolesOf(name);
    const copied = pg.escapeIdentifier(template);
    await client.query(
      `CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${owner} TEMPLATE ${copied} STRATEGY FILE_COPY`,
    );
    await allowConnections(client, name, database);
  });
  return addressOf(adminUrl, { name, password, database });
}

async function withConnection(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function addressOf(adminUrl: string, of: { name?: string; password?: string; database: string }): string {
  const url = new URL(adminUrl);
  if (of.name !== undefined) url.username = encodeURIComponent(of.name);
  if (of.password !== undefined) url.password = encodeURIComponent(of.password);
  url.pathname = `/${encodeURIComponent(of.database)}`;
  return url.href;
}

const rolesOf = (name: string) => {
  const [login, requests, owner] = [name, `${name}_requests`, `${name}_owner`].map((role) => pg.escapeIdentifier(role));
  return { login: login!, requests: requests!, owner: owner! };
};

async function makeRoles(client: pg.Client, { name, password, deadline_factor = 1 }: ServiceDatabase): Promise<void> {
  const { login, requests, owner } = rolesOf(name);
  const make = async (role: string) => {
    if (!(await exists(client, 'pg_roles', 'rolname', role)))
      await client.query(`CREATE ROLE ${pg.escapeIdentifier(role)}`);
  };
  for (const role of [...SHARED_ROLES, name, `${name}_requests`, `${name}_owner`]) await make(role);
  await client.query(`ALTER ROLE ${owner} NOLOGIN`);
  await client.query(`ALTER ROLE ${login} LOGIN PASSWORD ${pg.escapeLiteral(password)}`);
  // NOINHERIT before any grant: the roles of this login give it no permissions until it switches to one.
  await client.query(`ALTER ROLE ${requests} LOGIN NOINHERIT PASSWORD ${pg.escapeLiteral(password)}`);
  await client.query(`GRANT suite_confined, suite_viewer TO ${requests}`);
  await client.query(`GRANT suite_everywhere TO ${login}, ${owner}`);
  // Earlier releases granted the roles of requests to the login.
  for (const role of ['suite_confined', 'suite_viewer'])
    if (await isMember(client, login, role)) await client.query(`REVOKE ${role} FROM ${login}`);
  // The login has the owner's permissions only after SET ROLE.
  await client.query(`GRANT ${owner} TO ${login} WITH INHERIT FALSE, SET TRUE`);
  const limits = Object.entries(ROLE_LIMITS).map(([limit, seconds]) => [limit, `${seconds * deadline_factor}s`]);
  for (const [setting, value] of [...limits, ['timezone', 'UTC']] as [string, string][]) {
    for (const role of [login, requests])
      await client.query(`ALTER ROLE ${role} SET ${setting} = ${pg.escapeLiteral(value)}`);
  }
}

async function isMember(client: pg.Client, member: string, role: string): Promise<boolean> {
  const { rowCount } = await client.query(
    'SELECT FROM pg_auth_members WHERE roleid = to_regrole($1) AND member = to_regrole($2)',
    [role, member],
  );
  return Boolean(rowCount);
}

async function makeDatabase(client: pg.Client, { name, database }: { name: string; database: string }): Promise<void> {
  const { owner } = rolesOf(name);
  const named = pg.escapeIdentifier(database);
  if (!(await exists(client, 'pg_database', 'datname', database)))
    await client.query(`CREATE DATABASE ${named} OWNER ${owner}`);
  await client.query(`ALTER DATABASE ${named} OWNER TO ${owner}`);
  await allowConnections(client, name, database);
}

/** Without this, every role of the cluster may connect, and a service could read another's database. */
async function allowConnections(client: pg.Client, name: string, database: string): Promise<void> {
  const { login, requests } = rolesOf(name);
  const named = pg.escapeIdentifier(database);
  await client.query(`REVOKE ALL ON DATABASE ${named} FROM PUBLIC`);
  await client.query(`GRANT CONNECT ON DATABASE ${named} TO ${login}, ${requests}`);
}

/** Revokes the default access inside the database. Requires a superuser. */
async function secureDatabase(client: pg.Client, name: string): Promise<void> {
  const { login, owner } = rolesOf(name);
  // The tables of earlier releases belong to the login.
  await client.query(`REASSIGN OWNED BY ${login} TO ${owner}`);
  // PostgreSQL before 15 allowed all users to create tables and functions there.
  await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
  // A query with an injected call must change neither its workspace nor its role.
  await client.query('REVOKE EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) FROM PUBLIC');
  await client.query('GRANT EXECUTE ON FUNCTION pg_catalog.set_config(text, text, boolean) TO suite_everywhere');
}

async function exists(client: pg.Client, catalog: string, column: string, name: string): Promise<boolean> {
  const found = await client.query(`select 1 from ${catalog} where ${column} = $1`, [name]);
  return found.rowCount === 1;
}
