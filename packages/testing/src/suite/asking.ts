/** Queries the databases of a running suite. */
import pg from 'pg';

export interface DatabaseAccess {
  /** Queries a service's database as the table owner, across all workspaces. */
  sql<Row extends pg.QueryResultRow = Record<string, ReturnType<typeof JSON.parse>>>(
    service: string,
    statement: string,
    values?: unknown[],
  ): Promise<Row[]>;
  end(): Promise<unknown>;
}

/** Queries the databases of a suite over a few connections each, until `end`. */
export function openDatabases(databases: Record<string, string>): DatabaseAccess {
  const pools = new Map<string, pg.Pool>();
  const poolOf = (service: string): pg.Pool => {
    const known = pools.get(service);
    if (known) return known;
    const pool = new pg.Pool({ connectionString: String(databases[service]), max: 2, options: '-c timezone=UTC' });
    // A server killed by a test also drops its idle connections. The next query opens new ones.
    pool.on('error', () => {});
    pools.set(service, pool);
    return pool;
  };
  return {
    sql: async (service, statement, values = []) => (await poolOf(service).query(statement, values)).rows as never,
    end: () => Promise.all([...pools.values()].map((pool) => pool.end())),
  };
}
