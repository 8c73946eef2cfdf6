/** Increases the databases of a drill to the size for which the time of a restore has a goal. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';

/** One row has about 1,000 bytes: the databases of an empty suite and these rows have 1 GB together. */
const ROWS = 900_000;

/** Adds a table to the database `postgres`, which no service uses. */
export async function growCluster(data: string): Promise<void> {
  const port = readFileSync(join(data, 'postgres/data/postmaster.pid'), 'utf8').split('\n')[3];
  const password = readFileSync(join(data, 'postgres/password'), 'utf8').trim();
  const client = new pg.Client({ connectionString: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` });
  await client.connect();
  try {
    await client.query(
      `CREATE TABLE ballast AS SELECT repeat(md5(random()::text), 29) FROM generate_series(1, ${ROWS})`,
    );
  } finally {
    await client.end();
  }
}
