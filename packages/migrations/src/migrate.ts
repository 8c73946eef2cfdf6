import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import pg from 'pg';
import { checksum } from './checksum.ts';
import { migrationDatabaseUrl } from './migration-config.ts';
import { becomeOwner } from './owner.ts';
import {
  applyRepeatable,
  missingOf,
  readFoundation,
  readFunctions,
  readReferences,
  readVisibility,
} from './repeatable.ts';
import { applyTogether, type Script } from './transaction.ts';
import { serverProblem } from './version.ts';

export { type AccessState, checkAccess } from './access.ts';
export { machineryTables } from './repeatable.ts';

/** A service's folder (`services/crm`) and the database that belongs to it. */
export interface MigrationTarget {
  databaseUrl: string;
  directory: string;
}

/** State of a database relative to the migrations of the code. */
export interface MigrationState {
  /** Migrations that are not applied yet, in order. */
  missing: string[];
  /** Applied migrations whose file has changed since. */
  edited: string[];
  /** Migrations that another tool started and did not complete. */
  failed: string[];
  /** One sentence about the problem, or null. Newer migrations are allowed, because newer replicas may be running. */
  problem: string | null;
}

interface Migration extends Script {
  checksum: string;
}

/** Lock that Prisma's own `migrate deploy` acquires as well, so that the two never run at the same time. */
const MIGRATING = 72_707_369;
/** The limits of a service's role are for requests. A migration has no time limit. */
const UNLIMITED = '-c statement_timeout=0 -c idle_in_transaction_session_timeout=0 -c lock_timeout=0 -c timezone=UTC';

/**
 * Migrates a service's database: first the foundation of the chassis, then each missing migration, then the changed
 * functions, visibility and references of the service. Several replicas may call it concurrently. One migrates, and the
 * others wait. Returns the names of the applied scripts.
 */
export async function migrate(target: MigrationTarget): Promise<string[]> {
  return withClient(target.databaseUrl, async (client) => {
    const problem = await serverProblem(client);
    if (problem) throw new Error(problem);
    await client.query('select pg_advisory_lock($1)', [MIGRATING]);
    // A longer wait for a table would delay every request behind the migration.
    await client.query("set lock_timeout = '10s'");
    await becomeOwner(client);
    const foundation = await applyRepeatable(client, readFoundation());
    await client.query(HISTORY_TABLE);
    const scripts = readScripts(target.directory);
    const state = describe(target, scripts, await readHistory(client));
    if (state.edited.length > 0 || state.failed.length > 0) throw new Error(state.problem ?? '');
    for (const script of scripts.filter(({ name }) => state.missing.includes(name))) await apply(client, script);
    await client.query('SELECT suite_force_all_policies(), suite_make_searchable(again => false)');
    const functions = await applyRepeatable(client, readFunctions(target.directory));
    const visibility = await applyRepeatable(client, readVisibility(target.directory));
    const references = await applyRepeatable(client, readReferences(target.directory));
    return [...foundation, ...state.missing, ...functions, ...visibility, ...references];
  });
}

/** Compares a database with the migrations of a service at its start. A service does not run on an unknown schema. */
export async function checkMigrations(target: MigrationTarget): Promise<MigrationState> {
  return withClient(target.databaseUrl, async (client) => {
    const unsupported = await serverProblem(client);
    if (unsupported) return { missing: [], edited: [], failed: [], problem: unsupported };
    const scripts = readScripts(target.directory);
    const { directory } = target;
    const repeatable = [
      ...readFoundation(),
      ...readFunctions(directory),
      ...readVisibility(directory),
      ...readReferences(directory),
    ];
    const isKnown = await hasTable(client, '_suite_foundation');
    const missing = isKnown ? await missingOf(client, repeatable) : repeatable.map(({ name }) => name);
    return describe(target, scripts, await readHistory(client), missing);
  });
}

async function withClient<T>(databaseUrl: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, options: UNLIMITED, connectionTimeoutMillis: 10_000 });
  // A broken connection fails the running statement as well. Without a listener, it would end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function hasTable(client: pg.Client, name: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name]);
  return rows[0]?.found === true;
}

/**
 * Applies a migration and records it in one transaction, so that a failed migration changes nothing. Prisma's WebAssembly
 * engine is not used, because it splits a script at every semicolon. That breaks function bodies, DO blocks and quoted
 * text. The row is the same as from `prisma migrate deploy`, so that Prisma's other commands can read it.
 */
async function apply(client: pg.Client, migration: Migration): Promise<void> {
  const statement =
    'insert into _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count) ' +
    'values ($1, $2, $3, now(), clock_timestamp(), 1)';
  await applyTogether(client, [migration], (applied) => ({
    statement,
    values: [randomUUID(), applied.checksum, applied.name],
  }));
}

/** The table of Prisma's own migrations. */
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

function readScripts(directory: string): Migration[] {
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
  scripts: Migration[],
  history: HistoryRow[],
  before: string[] = [],
): MigrationState {
  const applied = new Map(history.filter((row) => row.finished).map((row) => [row.migration_name, row.checksum]));
  const names = (chosen: Migration[]) => chosen.map(({ name }) => name);
  const missing = [...before, ...names(scripts.filter(({ name }) => !applied.has(name)))];
  const edited = names(scripts.filter((script) => (applied.get(script.name) ?? script.checksum) !== script.checksum));
  const failed = history.filter((row) => !row.finished).map((row) => row.migration_name);
  const service = basename(resolve(target.directory));
  let problem: string | null = null;
  if (failed.length > 0) problem = `The database of ${service} has an incomplete migration: ${failed.join(', ')}.`;
  else if (edited.length > 0)
    problem = `A migration of ${service} was changed after it was applied: ${edited.join(', ')}.`;
  else if (missing.length > 0) problem = `The database of ${service} lacks the migration ${missing.join(', ')}.`;
  return { missing, edited, failed, problem };
}

/** Applies the missing migrations of a service: `node migrate.ts services/crm`. */
async function program([directory]: string[]): Promise<string> {
  if (!directory) throw new Error(`Usage: node ${basename(process.argv[1]!)} <service folder>`);
  if (!existsSync(join(directory, 'prisma/migrations')))
    throw new Error(`${directory} contains no migrations. Enter the folder of a service.`);
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
