/** The size of the databases of a drill, for which the time of a restore has a goal. */
import { runningAddress } from '@suite/local/backup';
import pg from 'pg';

/** One row has about 1,000 bytes: the databases of an empty suite and these rows have 1 GB together. */
const ROWS = 900_000;

/** Queries the database `postgres` of a running suite, as its superuser. */
async function queryCluster(data: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: runningAddress(data) });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Adds a table to the database `postgres`, which no service uses. */
export const growCluster = (data: string): Promise<unknown> =>
  queryCluster(data, `CREATE TABLE ballast AS SELECT repeat(md5(random()::text), 29) FROM generate_series(1, ${ROWS})`);

/** Returns the size of all databases, in megabytes of 1,000,000 bytes. */
export async function measureCluster(data: string): Promise<number> {
  const [row] = await queryCluster(data, 'SELECT sum(pg_database_size(oid))::float AS size FROM pg_database');
  return Math.round((row!['size'] as number) / 1_000_000);
}
