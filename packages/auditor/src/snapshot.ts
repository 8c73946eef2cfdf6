/** Read-only snapshots of the audited databases. */
import pg from 'pg';

/** A row that violates a rule. */
export interface Violation {
  check: string;
  row: Record<string, unknown>;
}

/** The databases to audit, by service. */
export type Databases = Readonly<Record<string, string>>;

const STATEMENT_MS = 60_000;

/** Runs `work` on one read-only snapshot of a database. */
export async function inSnapshot<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, statement_timeout: STATEMENT_MS, options: '-c timezone=UTC' });
  // A connection may end between two statements. The next statement then fails with an error.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Returns the rows of one statement. */
export const readRows = <Row extends object>(
  databases: Databases,
  service: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> =>
  inSnapshot(String(databases[service]), async (client) => (await client.query<Row>(sql, [...values])).rows);

/** Runs a statement, in one workspace or in all. */
export async function select(client: pg.Client, sql: string, workspace_id: string | undefined) {
  const { rows } = await client.query(
    `SELECT * FROM (${sql}) AS found WHERE $1::uuid IS NULL OR workspace_id = $1::uuid`,
    [workspace_id ?? null],
  );
  return rows as Record<string, unknown>[];
}
