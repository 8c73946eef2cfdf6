/** Fills a database with copies of one workspace's records, in that workspace and in others, for query plan tests. */
import { randomUUID } from 'node:crypto';
import pg from 'pg';

export interface RecordCopies {
  /** The workspace whose records are copied. */
  workspace: string;
  /** One in this many copies stays in the workspace, and the others are in other workspaces. Defaults to 8. */
  step?: number;
  /**
   * True if partial unique indexes become plain ones, because copies in the same workspace break them: one default
   * pipeline, one open timer.
   */
  loosens_partial_keys?: boolean;
  /** Returns the number of rows that a table has afterwards. */
  rows: (table: string) => number;
  /** Tables with a few rows in every workspace: each copy is made for a workspace of its own. */
  few: readonly string[];
  /** Tables with fewer rows: the copies of other tables refer to each of their copies equally often. */
  small?: ReadonlySet<string>;
  /** The users who replace a user of the workspace in the copies, in rotation. */
  people: Readonly<Record<string, readonly string[]>>;
  /** Columns that refer to one of two hundred records, each with many rows: `sales_invoices.customer_id`. */
  shared: readonly string[];
  /** Columns that refer to a user in the first two hundred copies, and are null in the others: `customers.user_id`. */
  rare: readonly string[];
}

interface TableRows {
  table: string;
  count: number;
}

/** The copies to make, and how many copies of each row a table gets. */
interface CopyPlan extends RecordCopies {
  copies_of: ReadonlyMap<string, number>;
}

interface Column {
  name: string;
  type: string;
  /** The referenced table. Null for no reference. */
  target: string | null;
  is_unique: boolean;
}

const COLUMNS = `
  SELECT attname AS name, atttypid::regtype::text AS type,
    (SELECT confrelid::regclass::text FROM pg_constraint
      WHERE conrelid = attrelid AND contype = 'f' AND conkey[cardinality(conkey)] = attnum LIMIT 1) AS target,
    EXISTS (SELECT FROM pg_index WHERE indrelid = attrelid AND indisunique AND attnum = ANY (indkey) AND NOT EXISTS (
      SELECT FROM pg_attribute AS other WHERE other.attrelid = indrelid AND other.attnum = ANY (indkey)
        AND other.attnum <> a.attnum AND other.atttypid = 'uuid'::regtype AND other.attname <> 'workspace_id')) AS is_unique
  FROM pg_attribute AS a
  WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '' AND attidentity = ''
  ORDER BY attnum`;

/** Indexes that can be created in one step when the rows exist. */
const INDEXES = `
  SELECT format('DROP INDEX %s', indexrelid::regclass) AS away, pg_get_indexdef(indexrelid) AS back
  FROM pg_index WHERE indrelid = $1::regclass AND NOT indisunique`;

/** Rules that copies break: the spelling of codes, and exclusive work. */
const RULES = `
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS away
  FROM pg_constraint WHERE conrelid = $1::regclass AND contype IN ('c', 'x')`;

/** Partial unique indexes. */
const PARTIAL_KEYS = `
  SELECT format('DROP INDEX %s', indexrelid::regclass) AS away,
    replace(pg_get_indexdef(indexrelid), 'CREATE UNIQUE INDEX', 'CREATE INDEX') AS back
  FROM pg_index WHERE indrelid = $1::regclass AND indisunique AND indpred IS NOT NULL`;

/** Every eighth copy is in the workspace itself, unless the caller sets another step. */
const STEP = 8;
/** IDs of the workspaces for the other copies. */
const OTHERS = Array.from({ length: 40 }, () => randomUUID());
const SHARED = 200;
/** Number of tables that are filled concurrently. */
const AT_ONCE = 3;
const NAMES = /(name|subject|title|question|slug|email|number|code|sku|reference)$/;
const NUMBERS = ['integer', 'bigint', 'numeric'];
/**
 * Columns with a value of their own in copies. The key of a system role names permissions in the code, and copies have other
 * keys. The kind of a work item is in a unique index, but is not a name.
 */
const VALUES: Readonly<Record<string, string>> = { 'roles.system': 'FALSE', 'work_items.kind': 'original.kind' };

/**
 * Returns the ID of a copy. Its time rises with the number of the copy, as in IDs of services, and the rest is the
 * original's.
 */
const idOf = (original: string, copy: string): string =>
  `encode(substr(int8send(1767225600000 + ${copy} * 60000::bigint), 3) || substr(uuid_send(${original}), 7), 'hex')::uuid`;

const literals = (ids: readonly string[]): string => `ARRAY[${ids.map((id) => pg.escapeLiteral(id)).join()}]::uuid[]`;

/** Returns the ID in a column of copy `n`: a user, or a copy of a record. */
function idIn(table: string, { name, target, is_unique }: Column, tables: readonly string[], copies: CopyPlan): string {
  const { few, people, shared, rare, step = STEP, small, copies_of } = copies;
  const [column, path] = [`original.${name}`, `${table}.${name}`];
  if (shared.includes(path)) return idOf(column, `(${step} + ${step} * (n / ${step} % ${SHARED}))`);
  const hasCopies = target && tables.includes(target) && few.includes(target) === few.includes(table);
  if (hasCopies && !is_unique && small?.has(target) && !small.has(table))
    return idOf(
      column,
      `(${step} + n / ${step} % ${Math.max(1, Math.floor(copies_of.get(target)! / step))} * ${step})`,
    );
  const isCopied = name === 'id' || (target ? hasCopies : is_unique);
  const otherwise = isCopied ? idOf(column, 'n') : column;
  const turns = Object.entries(people).map(
    ([one, all], at) =>
      `WHEN ${pg.escapeLiteral(one)} THEN (${literals(all)})[1 + (n / ${step} + ${at}) % ${all.length}]`,
  );
  if (name === 'id' || few.includes(table) || turns.length === 0) return otherwise;
  const person = `CASE ${column} ${turns.join(' ')} ELSE ${otherwise} END`;
  return rare.includes(path) ? `CASE WHEN n <= ${step * SHARED} THEN ${person} END` : person;
}

/** Returns the value of a column in copy `n`. */
function valueOf(table: string, column: Column, tables: readonly string[], copies: CopyPlan): string {
  const { name, type, is_unique } = column;
  const { step = STEP } = copies;
  const original = `original.${name}`;
  const isFew = copies.few.includes(table);
  if (name === 'workspace_id') {
    if (isFew) return `md5('few' || n)::uuid`;
    return `CASE WHEN n % ${step} = 0 THEN ${original} ELSE (${literals(OTHERS)})[1 + n / ${step} % ${OTHERS.length}] END`;
  }
  const value = VALUES[`${table}.${name}`];
  if (value !== undefined) return value;
  if (type === 'uuid') return idIn(table, column, tables, copies);
  if (type === 'timestamp with time zone') return `${original} - interval '2 days' + n * interval '1 second'`;
  // Terms without a beginning are valid from the first day of year 1, before which no date is valid.
  if (type === 'date') return `greatest(${original} - n % 300, DATE '0001-01-01')`;
  if (isFew) return original;
  if (type === 'text' && (is_unique || NAMES.test(name))) return `${original} || ' n' || n`;
  if (type === 'bytea' && is_unique) return `${original} || int4send(n)`;
  return is_unique && NUMBERS.includes(type) ? `${original} + n * 1000` : original;
}

/** Returns the number of rows that a workspace has in each table, without empty tables. */
async function countRows(admin: pg.Pool, tables: readonly string[], workspace: string): Promise<TableRows[]> {
  const filled: TableRows[] = [];
  for (const table of tables) {
    const { rows } = await admin.query<{ id: string | null }>(
      `SELECT to_jsonb(t) ->> 'workspace_id' AS id FROM ${table} AS t`,
    );
    const count = rows.filter(({ id }) => id === workspace).length;
    if (count > 0) filled.push({ table, count });
  }
  return filled;
}

/** Copies the rows of one table, then rebuilds its indexes. */
async function multiplyTable(client: pg.PoolClient, { table, count }: TableRows, tables: string[], copies: CopyPlan) {
  const { rows: rules } = await client.query<{ away: string }>(RULES, [table]);
  for (const { away } of rules) await client.query(away);
  if (copies.loosens_partial_keys) {
    const { rows: keys } = await client.query<{ away: string; back: string }>(PARTIAL_KEYS, [table]);
    for (const { away, back } of keys) await client.query(`${away}; ${back}`);
  }
  const { rows: indexes } = await client.query<{ away: string; back: string }>(INDEXES, [table]);
  const { rows: columns } = await client.query<Column>(COLUMNS, [table]);
  const names = columns.map(({ name }) => `"${name}"`).join();
  const values = columns.map((column) => valueOf(table, column, tables, copies)).join();
  for (const { away } of indexes) await client.query(away);
  await client.query(
    `INSERT INTO ${table} (${names}) SELECT ${values} FROM generate_series(1, $2::int) AS n, ${table} AS original
     WHERE original.workspace_id = $1`,
    [copies.workspace, Math.ceil(copies.rows(table) / count)],
  );
  for (const { back } of indexes) await client.query(back);
}

/** Copies the rows of tables until each has enough, several tables at a time. @returns the tables */
export async function multiplyRecords(admin: pg.Pool, all: readonly string[], copies: RecordCopies): Promise<string[]> {
  const filled = await countRows(admin, all, copies.workspace);
  const tables = filled.map(({ table }) => table);
  const copies_of = new Map(filled.map(({ table, count }) => [table, Math.ceil(copies.rows(table) / count)]));
  const waiting = filled.values();
  const work = async () => {
    const client = await admin.connect();
    try {
      // Disables triggers and foreign keys: a copy may refer to a record of another workspace.
      await client.query(`SET session_replication_role = replica; SET maintenance_work_mem = '256MB'`);
      for (const table of waiting) await multiplyTable(client, table, tables, { ...copies, copies_of });
    } finally {
      client.release(true);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // Must run last: VACUUM marks rows as visible to all only when no older transaction is running.
  await Promise.all(tables.map((table) => admin.query(`VACUUM (ANALYZE) ${table}`)));
  return tables;
}
