import pg from 'pg';

/** Works on a connection of its own, as the owner of the tables, for as long as a statement takes. */
export async function connected<T>(database_url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: database_url, options: '-c statement_timeout=0' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
