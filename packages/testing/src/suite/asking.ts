/** Looks into the databases of a running suite. */
import pg from 'pg';

export interface Asking {
  /** Asks a service's database as the owner of its tables, over all workspaces. */
  sql<Row extends pg.QueryResultRow = Record<string, ReturnType<typeof JSON.parse>>>(
    service: string,
    statement: string,
    values?: unknown[],
  ): Promise<Row[]>;
  end(): Promise<unknown>;
}

/** Asks the databases of a suite, on a few connections each, until `end`. */
export function asking(databases: Record<string, string>): Asking {
  const pools = new Map<string, pg.Pool>();
  const poolOf = (service: string): pg.Pool => {
    const known = pools.get(service);
    if (known) return known;
    const pool = new pg.Pool({ connectionString: String(databases[service]), max: 2, options: '-c timezone=UTC' });
    // A server that a test kills takes the idle connections with it; the next question opens new ones.
    pool.on('error', () => {});
    pools.set(service, pool);
    return pool;
  };
  return {
    sql: async (service, statement, values = []) => (await poolOf(service).query(statement, values)).rows as never,
    end: () => Promise.all([...pools.values()].map((pool) => pool.end())),
  };
}
