/** Fills the tables of a workspace by copying its rows, until each has as many as asked for. */
import pg from 'pg';

interface Table {
  name: string;
  rows: number;
  columns: Column[];
}

interface Column {
  name: string;
  type: string;
  /** The table that a foreign key leads to. */
  refers_to: string | null;
  /** Whether a unique index other than the primary key contains the column. */
  is_unique: boolean;
}

/** Tables of the machinery, whose rows no list shows. */
const MACHINERY =
  /^(_|outbox|inbox|dead_letters|event_|idempotency|audit|given_numbers|leases|turns|counters|schedules)/;

const TABLES = `
  SELECT relname AS name FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'workspace_id' AND NOT attisdropped)
    AND EXISTS (SELECT FROM pg_attribute WHERE attrelid = pg_class.oid AND attname = 'id' AND atttypid = 'uuid'::regtype)
  ORDER BY relname`;

const COLUMNS = `
  SELECT attname AS name, format_type(atttypid, NULL) AS type,
    EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND NOT indisprimary AND attnum = ANY (indkey)) AS is_unique,
    (SELECT confrelid::regclass::text FROM pg_constraint
      WHERE conrelid = attrelid AND contype = 'f' AND conkey[cardinality(conkey)] = attnum LIMIT 1) AS refers_to
  FROM pg_attribute
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
  ORDER BY attnum`;

/** Constraints that copies may break: formats of numbers, sums of other rows. They say nothing about the speed of a list. */
const CHECKS = `
  SELECT conrelid::regclass::text AS table_name, conname AS name FROM pg_constraint
  WHERE contype = 'c' AND connamespace = 'public'::regnamespace AND conrelid <> 0`;

async function readTables(client: pg.Client, workspace_id: string): Promise<Table[]> {
  const { rows } = await client.query<{ name: string }>(TABLES);
  const tables: Table[] = [];
  for (const { name } of rows.filter((table) => !MACHINERY.test(table.name))) {
    const { rows: columns } = await client.query<Column>(COLUMNS, [name]);
    const { rows: counted } = await client.query<{ rows: number }>(
      `SELECT count(*)::int AS rows FROM ${client.escapeIdentifier(name)} WHERE workspace_id = $1`,
      [workspace_id],
    );
    tables.push({ name, columns, rows: counted[0]!.rows });
  }
  return tables;
}

const copiesOf = ({ rows }: Table, wanted: number): number => (rows === 0 ? 0 : Math.ceil(wanted / rows) - 1);

/** The ID of a copy: as many minutes earlier as its number, so that IDs still rise with the time of creation. */
const idOfCopy = (id: string, copy: string): string => `(CASE WHEN ${copy} = 0 THEN ${id} ELSE (
  lpad(to_hex(('x' || left(replace(${id}::text, '-', ''), 12))::bit(48)::bigint - ${copy} * 60000), 12, '0')
  || '7' || substr(md5(${id}::text || ${copy}), 1, 3) || '8' || substr(md5(${id}::text || ${copy}), 4, 15))::uuid END)`;

/** The value of a column in the copy number `n` of a row. */
function valueOf({ name, type, refers_to, is_unique }: Column, copies: ReadonlyMap<string, number>): string {
  const column = `o.${pg.escapeIdentifier(name)}`;
  if (name === 'workspace_id') return column;
  if (name === 'id') return idOfCopy(column, 'n');
  const copies_of_target = copies.get(refers_to ?? '');
  if (type === 'uuid' && copies_of_target !== undefined) return idOfCopy(column, `(n % ${copies_of_target + 1})`);
  if (name === 'created_at' || name === 'updated_at') return `${column} - n * interval '1 minute'`;
  if (type === 'boolean' && name.startsWith('is_default')) return 'FALSE';
  if (!is_unique) return column;
  if (type === 'uuid') return idOfCopy(column, 'n');
  if (type === 'text' || type === 'character varying' || type === 'citext') return `n || '.' || ${column}`;
  return column;
}

/**
 * Copies the rows of a workspace until each of its tables that has any has at least `wanted`. References between tables of the
 * database lead to copies, too; references to other databases stay as they are.
 * @param admin_url the database as its superuser: triggers and foreign keys are off meanwhile
 * @returns the tables that have no row to copy
 */
export async function multiplyRows(admin_url: string, workspace_id: string, wanted: number): Promise<string[]> {
  const client = new pg.Client({ connectionString: admin_url, options: '-c statement_timeout=0 -c work_mem=256MB' });
  await client.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const { rows: checks } = await client.query<{ table_name: string; name: string }>(CHECKS);
    for (const { table_name, name } of checks)
      await client.query(`ALTER TABLE ${table_name} DROP CONSTRAINT ${client.escapeIdentifier(name)}`);
    const tables = await readTables(client, workspace_id);
    const copies = new Map(tables.map((table) => [table.name, copiesOf(table, wanted)]));
    for (const table of tables.filter(({ name }) => copies.get(name)! > 0)) {
      const names = table.columns.map(({ name }) => client.escapeIdentifier(name));
      const values = table.columns.map((column) => valueOf(column, copies));
      await client.query(
        `INSERT INTO ${client.escapeIdentifier(table.name)} (${names.join(', ')}) SELECT ${values.join(', ')}
         FROM ${client.escapeIdentifier(table.name)} AS o CROSS JOIN generate_series(1, $2::int) AS n
         WHERE o.workspace_id = $1 ON CONFLICT DO NOTHING`,
        [workspace_id, copies.get(table.name)],
      );
    }
    await client.query('VACUUM (ANALYZE)');
    return tables.filter(({ rows }) => rows === 0).map(({ name }) => name);
  } finally {
    await client.end();
  }
}
