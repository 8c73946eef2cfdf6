/**
 * Searches for data changes that violate the rules of the auditor. A rule that no change violates would find no fault
 * either.
 */
import pg from 'pg';

/** Removes every constraint and trigger that rejects a wrong row, within a transaction that is rolled back. */
const UNGUARDED = `DO $$
  DECLARE guard record;
  BEGIN
    FOR guard IN SELECT conrelid::regclass AS place, conname FROM pg_constraint
      WHERE contype IN ('c', 'f', 'x') AND connamespace = 'public'::regnamespace AND conparentid = 0
    LOOP EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', guard.place, guard.conname); END LOOP;
    FOR guard IN SELECT indexrelid::regclass AS place FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
      WHERE indisunique AND relnamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid)
    LOOP EXECUTE format('DROP INDEX %s', guard.place); END LOOP;
    FOR guard IN SELECT DISTINCT tgrelid::regclass AS place FROM pg_trigger
      WHERE NOT tgisinternal AND tgrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace)
    LOOP EXECUTE format('ALTER TABLE %s DISABLE TRIGGER USER', guard.place); END LOOP;
  END $$`;

interface Column {
  table_name: string;
  column_name: string;
  data_type: string;
}

/** A database of a suite. */
export interface Database {
  service: string;
  url: string;
}

/** A rule that changes of one database can violate. */
interface Breakable {
  name: string;
  /** The query of the rule on this database. */
  sql: string;
  /** Returns true if the rows, by workspace and key, break the rule. By default any row does. */
  breaks?: (rows: ReadonlyMap<string, unknown>) => boolean;
}

/** Returns values that a column can be set to, as SQL. */
function wrongValues({ table_name, column_name: name, data_type }: Column): string[] {
  const same = `(SELECT ${name} FROM ${table_name} WHERE ${name} IS NOT NULL LIMIT 1)`;
  const byType: Record<string, string[]> = {
    boolean: [`NOT ${name}`],
    uuid: ['gen_random_uuid()', same],
    jsonb: [`'[]'`, `'{}'`],
    date: [`${name} - 1`, `${name} + 400`, same],
    'timestamp with time zone': [`${name} - interval '1 day'`, 'now()', same],
    text: [`${name} || '9'`, same, `''`],
  };
  const ofNumber = [`${name} + 1`, `${name} - 1`, '0', `- ${name}`];
  return [...(/int|numeric/.test(data_type) ? ofNumber : (byType[data_type] ?? [])), 'NULL'];
}

/** Returns the changes to try for a query: missing rows, and wrong values in the columns that it names. */
function changesFor(sql: string, columns: readonly Column[]): string[] {
  const words = new Set(sql.match(/\w+/g));
  const tables = [...new Set(columns.map(({ table_name }) => table_name))].filter((table) => words.has(table));
  const named = columns.filter(
    ({ table_name, column_name }) =>
      words.has(table_name) && words.has(column_name) && !['id', 'workspace_id'].includes(column_name),
  );
  const states = [...new Set(sql.match(/'[a-z_]+'/g))];
  const updates = named.flatMap((column) => {
    const { table_name, column_name, data_type } = column;
    const values = [...wrongValues(column), ...(data_type === 'text' ? states : [])];
    return values.map((value) => ({ table_name, statement: `UPDATE ${table_name} SET ${column_name} = ${value}` }));
  });
  const ofOne = (table: string) => `WHERE ctid = (SELECT min(ctid) FROM ${table})`;
  return [
    ...tables.flatMap((table) => [`DELETE FROM ${table} ${ofOne(table)}`, `DELETE FROM ${table}`]),
    ...updates.map(({ statement }) => statement),
    ...updates.map(({ table_name, statement }) => `${statement} ${ofOne(table_name)}`),
  ];
}

/** Runs a statement. @returns undefined if the database rejects it */
async function attempt(client: pg.Client, statement: string): Promise<pg.QueryResult | undefined> {
  await client.query('SAVEPOINT attempt');
  try {
    return await client.query(statement);
  } catch {
    await client.query('ROLLBACK TO SAVEPOINT attempt');
    return undefined;
  }
}

/** Runs `work` as the owner of a database and rolls its changes back. */
async function inRollback<T>({ service, url }: Database, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: `-c role=${service}_owner -c timezone=UTC` });
  await client.connect();
  try {
    await client.query('BEGIN');
    return await work(client);
  } finally {
    await client.query('ROLLBACK');
    await client.end();
  }
}

const byKey = (rows: readonly Record<string, unknown>[]) =>
  new Map(rows.map((row, at) => [`${String(row['workspace_id'])} ${String(row['key'] ?? at)}`, row['value']]));

/** Returns the rows of one side of a rule for two databases, by workspace and key. */
export const sideOf = (database: Database, sql: string): Promise<ReadonlyMap<string, unknown>> =>
  inRollback(database, async (client) => byKey((await client.query(sql)).rows));

/**
 * Returns a change that violates each rule. Returns undefined for a rule that no change violates or that is already
 * violated.
 * @param known changes to try first, by the names of the rules
 */
export const faultsIn = (
  database: Database,
  rules: readonly Breakable[],
  known: Readonly<Record<string, string>> = {},
): Promise<Map<string, string | undefined>> =>
  inRollback(database, async (client) => {
    await client.query(UNGUARDED);
    const { rows: columns } = await client.query<Column>(`
      SELECT table_name, column_name, data_type FROM information_schema.columns
      WHERE table_schema = 'public' AND is_generated = 'NEVER' ORDER BY table_name, ordinal_position`);
    const found = new Map<string, string | undefined>();
    for (const { name, sql, breaks = (rows: ReadonlyMap<string, unknown>) => rows.size > 0 } of rules) {
      const isBrokenBy = async (change: string): Promise<boolean> => {
        await client.query('SAVEPOINT clean');
        const answer = (await attempt(client, change)) && (await attempt(client, sql));
        await client.query('ROLLBACK TO SAVEPOINT clean');
        return answer !== undefined && breaks(byKey(answer.rows));
      };
      found.set(name, undefined);
      if (await isBrokenBy('SELECT 1')) continue;
      for (const change of [...(known[name] ? [known[name]] : []), ...changesFor(sql, columns)]) {
        if (!(await isBrokenBy(change))) continue;
        found.set(name, change);
        break;
      }
    }
    return found;
  });
