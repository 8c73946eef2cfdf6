import pg from 'pg';

const BECOME_OWNER = `SELECT format('SET ROLE %I', pg_get_userbyid(datdba)) AS sql FROM pg_database WHERE datname = current_database()`;

/** Works on a connection of its own, as the owner of the tables, for as long as a statement takes. */
export async function connected<T>(database_url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database_url, options: '-c statement_timeout=0' });
  await client.connect();
  try {
    await client.query((await client.query<{ sql: string }>(BECOME_OWNER)).rows[0]!.sql);
    return await work(client);
  } finally {
    await client.end();
  }
}
