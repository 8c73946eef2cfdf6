import { createHash, randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import pg from 'pg';
import { migrationDatabaseUrl } from './migration-config.ts';
import { becomeOwner } from './owner.ts';

export { type AccessState, checkAccess } from './access.ts';

/** A service's folder (`services/crm`) and the database that belongs to it. */
export interface MigrationTarget {
  databaseUrl: string;
  directory: string;
}

/** How a database stands to the migrations of the code that wants to use it. */
export interface MigrationState {
  /** Not applied yet, in order. */
  missing: string[];
  /** Applied with another content than the file has today. */
  edited: string[];
  /** Begun by another tool and never finished. */
  failed: string[];
  /** One sentence about what is wrong, or null. A database that is ahead of the code is fine: a newer replica is at work. */
  problem: string | null;
}

interface Script {
  name: string;
  sql: string;
  checksum: string;
}

/** The lock that Prisma's own `migrate deploy` takes too, so that the two never work at the same time. */
const MIGRATING = 72_707_369;
const FOUNDATION = new URL('../sql/foundation.sql', import.meta.url);
/** The limits of a service's role are for requests; a migration may take as long as it needs. */
const UNLIMITED = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=0 -c timezone=UTC';

/**
 * Brings a service's database up to date: the foundation of the chassis first, then each migration that is missing. Several
 * replicas may call it at once; one works, the others wait and find nothing left to do. Returns what was applied.
 */
export async function migrate(target: MigrationTarget): Promise<string[]> {
  return withClient(target.databaseUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [MIGRATING]);
    // Waiting longer for a table would hold up every request that queues behind the migration.
    await client.query("set lock_timeout = '10s'");
    await becomeOwner(client);
    const foundation = await applyFoundation(client);
    await client.query(HISTORY_TABLE);
    const scripts = readScripts(target.directory);
    const state = describe(target, scripts, await readHistory(client));
    if (state.edited.length > 0 || state.failed.length > 0) throw new Error(state.problem ?? '');
    for (const script of scripts.filter(({ name }) => state.missing.includes(name))) await apply(client, script);
    await client.query('SELECT suite_force_all_policies()');
    return [...foundation, ...state.missing, ...(await applyVisibility(client, target.directory))];
  });
}

/** Compares a database with the migrations of a service, at start: a service does not run on a schema it does not know. */
export async function checkMigrations(target: MigrationTarget): Promise<MigrationState> {
  return withClient(target.databaseUrl, async (client) => {
    const scripts = readScripts(target.directory);
    const known = await hasTable(client, '_suite_foundation');
    const parts = { foundation: readFoundation(), visibility: readVisibility(target.directory) };
    const missing: string[] = [];
    for (const [name, sql] of Object.entries(parts)) {
      if (sql !== undefined && !(known && (await isApplied(client, sql)))) missing.push(name);
    }
    return describe(target, scripts, await readHistory(client), missing);
  });
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: UNLIMITED, connectionTimeoutMillis: 10_000 });
  // A connection that breaks fails the running statement as well; without a listener it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The foundation may be applied again at any time; each edition of it is applied once. */
async function applyFoundation(client: pg.Client): Promise<string[]> {
  const sql = readFoundation();
  await client.query(
    'CREATE TABLE IF NOT EXISTS _suite_foundation (checksum text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  return await applyOnce(client, 'foundation', sql);
}

/** Who may see which rows, as the service declares it: after the migrations, since it speaks of their tables. */
async function applyVisibility(client: pg.Client, directory: string): Promise<string[]> {
  const sql = readVisibility(directory);
  return sql === undefined ? [] : await applyOnce(client, 'visibility', sql);
}

/** Applies SQL that may be applied again at any time, unless this edition of it has been. */
async function applyOnce(client: pg.Client, name: string, sql: string): Promise<string[]> {
  if (await isApplied(client, sql)) return [];
  await inTransaction(client, name, sql, 'insert into _suite_foundation (checksum) values ($1)', [checksum(sql)]);
  return [name];
}

const readFoundation = () => readFileSync(FOUNDATION, 'utf8');

function readVisibility(directory: string): string | undefined {
  const file = join(directory, 'prisma/visibility.sql');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

async function isApplied(client: pg.Client, sql: string): Promise<boolean> {
  const known = await client.query('select 1 from _suite_foundation where checksum = $1', [checksum(sql)]);
  return known.rowCount === 1;
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

/**
 * Applied here and not by Prisma's WebAssembly engine: its connection splits a script at every semicolon, which breaks
 * function bodies, DO blocks and quoted text. One transaction holds the script and its row, so that a failed migration
 * leaves nothing behind; the row is what `prisma migrate deploy` writes, and its other commands understand it.
 */
async function apply(client: pg.Client, script: Script): Promise<void> {
  const record =
    'insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) ' +
    'values ($1, $2, $3, now(), clock_timestamp(), 1)';
  await inTransaction(client, script.name, script.sql, record, [randomUUID(), script.checksum, script.name]);
}

async function inTransaction(
  client: pg.Client,
  name: string,
  sql: string,
  record: string,
  values: string[],
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(sql);
    await client.query(record, values);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new Error(`Migration ${name} failed and left nothing behind: ${explain(error, sql)}`, { cause: error });
  }
}

function explain(error: unknown, sql: string): string {
  if (!(error instanceof pg.DatabaseError)) return String(error);
  const line = error.position ? ` (line ${sql.slice(0, Number(error.position)).split('\n').length})` : '';
  return `${error.message}${line}`;
}

/** As Prisma makes it. */
const HISTORY_TABLE = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

interface HistoryRow {
  migration_name: string;
  checksum: string;
  finished: boolean;
}

async function readHistory(client: pg.Client): Promise<HistoryRow[]> {
  if (!(await hasTable(client, '_prisma_migrations'))) return [];
  const history = await client.query<HistoryRow>(
    'select migration_name, checksum, finished_at is not null as finished from _prisma_migrations where rolled_back_at is null',
  );
  return history.rows;
}

function readScripts(directory: string): Script[] {
  const folder = join(directory, 'prisma/migrations');
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return entries
    .map(({ name }) => ({ name, sql: readFileSync(join(folder, name, 'migration.sql'), 'utf8') }))
    .map((script) => ({ ...script, checksum: checksum(script.sql) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function describe(
  target: MigrationTarget,
  scripts: Script[],
  history: HistoryRow[],
  before: string[] = [],
): MigrationState {
  const applied = new Map(history.filter((row) => row.finished).map((row) => [row.migration_name, row.checksum]));
  const names = (chosen: Script[]) => chosen.map(({ name }) => name);
  const missing = [...before, ...names(scripts.filter(({ name }) => !applied.has(name)))];
  const edited = names(scripts.filter((script) => (applied.get(script.name) ?? script.checksum) !== script.checksum));
  const failed = history.filter((row) => !row.finished).map((row) => row.migration_name);
  const service = basename(resolve(target.directory));
  let problem: string | null = null;
  if (failed.length > 0) problem = `The database of ${service} holds a half-applied migration: ${failed.join(', ')}.`;
  else if (edited.length > 0)
    problem = `A migration of ${service} was changed after it was applied: ${edited.join(', ')}.`;
  else if (missing.length > 0) problem = `The database of ${service} lacks the migration ${missing.join(', ')}.`;
  return { missing, edited, failed, problem };
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** `node migrate.ts services/crm` applies; `node migrate.ts services/crm --new add_labels` writes a new migration. */
async function program([directory, flag, name]: string[]): Promise<string> {
  if (!directory || (flag && (flag !== '--new' || !name)))
    return 'Usage: node migrate.ts <service folder> [--new <name>]';
  if (name) {
    // Only here: a service that asks for the state of its database must not load the engine.
    const { newMigration } = await import('./schema-engine.ts');
    const file = await newMigration(directory, name);
    if (!file) throw new Error(`Change ${directory}/prisma/schema.prisma first: the last migration has all of it.`);
    return file;
  }
  const applied = await migrate({ databaseUrl: migrationDatabaseUrl(), directory });
  return applied.length > 0 ? `Applied: ${applied.join(', ')}` : 'Nothing to apply.';
}

if (import.meta.main) {
  try {
    console.log(await program(process.argv.slice(2)));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}
