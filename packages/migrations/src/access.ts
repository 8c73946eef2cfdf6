import pg from 'pg';

/** Access of a service to its database. */
export interface AccessState {
  /** One sentence about why requests could leave their workspace, or null. */
  problem: string | null;
  /** Weaknesses that only a superuser can correct. */
  warnings: string[];
}

/** Query for a table that requests can access and whose policies can be bypassed: not forced, or owned by a login. */
const TABLES = `
  SELECT relname AS name, pg_get_userbyid(relowner) AS owner, relrowsecurity AND relforcerowsecurity AS is_forced, rolcanlogin AS is_login
  FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND (rolcanlogin OR NOT (relrowsecurity AND relforcerowsecurity))
    AND (has_any_column_privilege('suite_confined', pg_class.oid, 'SELECT, INSERT, UPDATE') OR has_any_column_privilege('suite_viewer', pg_class.oid, 'SELECT'))
  ORDER BY relname LIMIT 1`;

/** Privileges and roles of the login for requests. */
const LOGIN = `
  WITH RECURSIVE roles AS (
    SELECT oid, rolname, rolsuper OR rolbypassrls OR rolcreaterole AS is_privileged FROM pg_roles WHERE rolname = session_user
    UNION SELECT pg_roles.oid, pg_roles.rolname, rolsuper OR rolbypassrls OR rolcreaterole
    FROM roles JOIN pg_auth_members ON member = roles.oid JOIN pg_roles ON pg_roles.oid = roleid)
  SELECT session_user AS login, bool_or(is_privileged) AS is_privileged,
    array_agg(rolname::text) FILTER (WHERE rolname NOT IN (session_user, 'suite_confined', 'suite_viewer')) AS others,
    count(*) FILTER (WHERE rolname IN ('suite_confined', 'suite_viewer')) = 2 AS is_member,
    EXISTS (SELECT FROM pg_shdepend WHERE refobjid = session_user::regrole AND deptype = 'o') AS owns,
    EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
      AND has_table_privilege(session_user, oid, 'SELECT, INSERT, UPDATE, DELETE, TRUNCATE')) AS has_rights,
    has_schema_privilege(session_user, 'public', 'CREATE') AS makes,
    has_function_privilege(session_user, 'pg_catalog.set_config(text, text, boolean)', 'EXECUTE') AS sets
  FROM roles`;

interface Login {
  login: string;
  is_privileged: boolean;
  others: string[] | null;
  is_member: boolean;
  owns: boolean;
  has_rights: boolean;
  makes: boolean;
  sets: boolean;
}

const LOCATION = 'see docs/operating.md, "PostgreSQL"';

async function queryAccess<Row>(url: string, statement: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows[0] as Row | undefined;
  } finally {
    await client.end();
  }
}

function problemOf({ login, is_privileged, others, is_member, owns, has_rights, makes }: Login): string | null {
  const of = `The login "${login}" for requests`;
  if (is_privileged) return `${of} can bypass row-level security: ${LOCATION}.`;
  if (others)
    return `${of} has the roles ${others.join(', ')}. Only suite_confined and suite_viewer are allowed: ${LOCATION}.`;
  if (!is_member) return `${of} is not a member of suite_confined and suite_viewer: ${LOCATION}.`;
  if (owns) return `${of} owns objects in the database: ${LOCATION}.`;
  if (has_rights) return `${of} has privileges of its own on tables, and must have none: ${LOCATION}.`;
  if (makes) return `${of} can create tables and functions: ${LOCATION}.`;
  return null;
}

/**
 * Checks whether an injected statement could leave its workspace.
 * @param databaseUrl the login for work across workspaces
 * @param requestsUrl the login for requests
 */
export async function checkAccess(databaseUrl: string, requestsUrl: string): Promise<AccessState> {
  const table = await queryAccess<{ name: string; owner: string; is_login: boolean }>(databaseUrl, TABLES);
  if (table?.is_login)
    return {
      problem: `The table ${table.name} belongs to the login "${table.owner}": migrate the database.`,
      warnings: [],
    };
  if (table)
    return { problem: `The policies of the table ${table.name} are not forced: migrate the database.`, warnings: [] };
  const login = (await queryAccess<Login>(requestsUrl, LOGIN))!;
  const warnings = login.sets
    ? [`The login "${login.login}" can call set_config: an injected query could select another workspace: ${LOCATION}.`]
    : [];
  return { problem: problemOf(login), warnings };
}
