import pg from 'pg';

const WHO = `
  SELECT current_user AS login, pg_get_userbyid(datdba) AS owner, rolsuper AS is_superuser
  FROM pg_database, pg_roles WHERE datname = current_database() AND rolname = current_user`;

interface Who {
  login: string;
  owner: string;
  is_superuser: boolean;
}

/**
 * Goes on as the owner of the database, as whom nobody logs in.
 * @throws an Error that says what a superuser has to do first
 */
export async function becomeOwner(client: pg.Client): Promise<void> {
  const { login, owner, is_superuser } = (await client.query<Who>(WHO)).rows[0]!;
  if (is_superuser)
    throw new Error(
      `"${login}" is a superuser: let DATABASE_URL name the service's own login to migrate its database.`,
    );
  if (owner === login) {
    throw new Error(
      `The login "${login}" owns its database, so that one injected statement could read all workspaces: have a superuser ` +
        'run the statements of docs/operating.md, "PostgreSQL", and migrate again.',
    );
  }
  await client.query(`SET ROLE ${pg.escapeIdentifier(owner)}`);
}
