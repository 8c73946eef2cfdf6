import pg from 'pg';

const CURRENT_LOGIN = `
  SELECT current_user AS login, pg_get_userbyid(datdba) AS owner, rolsuper AS is_superuser
  FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user`;

interface CurrentLogin {
  login: string;
  owner: string;
  is_superuser: boolean;
}

/**
 * Continues as the owner of the database, a role without login.
 * @throws an Error with the steps for a superuser
 */
export async function becomeOwner(client: pg.Client): Promise<void> {
  const { login, owner, is_superuser } = (await client.query<CurrentLogin>(CURRENT_LOGIN)).rows[0]!;
  if (is_superuser) throw new Error(`"${login}" is a superuser. Set DATABASE_URL to the service's own login.`);
  if (owner === login) {
    throw new Error(
      `The login "${login}" owns its database: one injected statement could read all workspaces. ` +
        'Run the statements of docs/operating.md, "PostgreSQL", as a superuser, and migrate again.',
    );
  }
  await client.query(`SET ROLE ${pg.escapeIdentifier(owner)}`);
}
