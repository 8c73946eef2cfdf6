import pg from 'pg';

/** How a service gets at its database. */
export interface AccessState {
  /** One sentence about why requests could leave their workspace, or null. */
  problem: string | null;
  /** Weak points that only a superuser can mend. */
  warnings: string[];
}

/** Tables that requests can read or write, and whose policies somebody gets past: they are not forced, or a login owns them. */
const TABLES = `
  SELECT relname AS name, pg_get_userbyid(relowner) AS owner, relrowsecurity AND relforcerowsecurity AS is_forced, rolcanlogin AS is_login
  FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND (rolcanlogin OR NOT (relrowsecurity AND relforcerowsecurity))
    AND (has_any_column_privilege('suite_confined', pg_class.oid, 'SELECT, INSERT, UPDATE') OR has_any_column_privilege('suite_viewer', pg_class.oid, 'SELECT'))
  ORDER BY relname LIMIT 1`;

/** The rights of the login of requests, and the roles that it may take. */
const LOGIN = `
  WITH RECURSIVE roles AS (
    SELECT oid, rolname, rolsuper OR rolbypassrls OR rolcreaterole AS is_mighty FROM pg_roles WHERE rolname = session_user
    UNION SELECT pg_roles.oid, pg_roles.rolname, rolsuper OR rolbypassrls OR rolcreaterole
    FROM roles JOIN pg_auth_members ON member = roles.oid JOIN pg_roles ON pg_roles.oid = roleid)
  SELECT session_user AS login, bool_or(is_mighty) AS is_mighty,
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
  is_mighty: boolean;
  others: string[] | null;
  is_member: boolean;
  owns: boolean;
  has_rights: boolean;
  makes: boolean;
  sets: boolean;
}

const WHERE = 'see docs/operating.md, "PostgreSQL"';

async function ask<Row>(url: string, statement: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows[0] as Row | undefined;
  } finally {
    await client.end();
  }
}

function problemOf({ login, is_mighty, others, is_member, owns, has_rights, makes }: Login): string | null {
  const of = `The login "${login}", which requests come in by,`;
  if (is_mighty) return `${of} may pass row-level security: ${WHERE}.`;
  if (others)
    return `${of} may become ${others.join(', ')}, and only suite_confined and suite_viewer are allowed: ${WHERE}.`;
  if (!is_member) return `${of} is no member of suite_confined and suite_viewer: ${WHERE}.`;
  if (owns) return `${of} owns something in the database: ${WHERE}.`;
  if (has_rights) return `${of} has rights on tables of its own, and must have none: ${WHERE}.`;
  if (makes) return `${of} may make tables and functions: ${WHERE}.`;
  return null;
}

/**
 * Finds out whether an injected statement could leave its workspace.
 * @param databaseUrl the login of the machinery
 * @param requestsUrl the login that requests come in by
 */
export async function checkAccess(databaseUrl: string, requestsUrl: string): Promise<AccessState> {
  const table = await ask<{ name: string; owner: string; is_login: boolean }>(databaseUrl, TABLES);
  if (table?.is_login)
    return {
      problem: `The table ${table.name} belongs to the login "${table.owner}": migrate the database.`,
      warnings: [],
    };
  if (table)
    return { problem: `Nothing forces the policies of the table ${table.name}: migrate the database.`, warnings: [] };
  const login = (await ask<Login>(requestsUrl, LOGIN))!;
  const warnings = login.sets
    ? [
        `The login "${login.login}" may call set_config, by which an injected query could name another workspace: ${WHERE}.`,
      ]
    : [];
  return { problem: problemOf(login), warnings };
}
