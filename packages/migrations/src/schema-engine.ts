import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm';
import { clock } from './clock.ts';

/** Returns the file with a service's schema at the time of its last migration. */
const snapshotFile = (directory: string) => join(directory, 'prisma/migrations/schema.snapshot.prisma');
const schemaFile = (directory: string) => join(directory, 'prisma/schema.prisma');

/**
 * Writes `prisma/migrations/<timestamp>_<name>/migration.sql` with the changes of `prisma/schema.prisma` since the last
 * migration. Returns the new file, or null if nothing has changed.
 */
export async function newMigration(directory: string, name: string): Promise<string | null> {
  const script = await changes(directory);
  if (!script) return null;
  const timestamp = clock.now().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(directory, 'prisma/migrations', `${timestamp}_${name.replace(/\W+/g, '_').toLowerCase()}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), script);
  writeFileSync(snapshotFile(directory), readFileSync(schemaFile(directory)));
  writeFileSync(join(directory, 'prisma/migrations/migration_lock.toml'), 'provider = "postgresql"\n');
  return join(folder, 'migration.sql');
}

/** Returns true if every change of the schema is in a migration. Ignores comments and spaces. */
export async function snapshotIsCurrent(directory: string): Promise<boolean> {
  return (await changes(directory)) === null;
}

async function changes(directory: string): Promise<string | null> {
  const engine = await openEngine(noDatabase());
  const snapshot = snapshotFile(directory);
  const result = await engine.diff({
    from: existsSync(snapshot) ? schema(snapshot) : { tag: 'empty' },
    to: schema(schemaFile(directory)),
    script: true,
    exitCode: true,
    filters: { externalTables: [], externalEnums: [] },
  });
  if (result.exitCode === 0) return null;
  // The schema "public" always exists. Services do not create it.
  const script = (result.stdout ?? '').replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', '');
  return script + confinement(script);
}

/** Returns calls that confine and audit each new workspace table, and count versions if its rows have a version. */
function confinement(script: string): string {
  const calls = [...script.matchAll(/^CREATE TABLE "(\w+)" \((.*?)^\);$/gms)].flatMap(([, table, columns = '']) => {
    const has = (name: string) => columns.includes(`"${name}"`);
    if (!has('workspace_id')) return [];
    return [`SELECT ${has('version') && has('updated_by') ? 'suite_record' : 'suite_member'}('${table}');\n`];
  });
  return calls.length > 0 ? `\n-- Workspace, audit and version\n${calls.join('')}` : '';
}

function schema(file: string): DiffTarget {
  return { tag: 'schemaDatamodel', files: [{ path: file, content: readFileSync(file, 'utf8') }] };
}

/** Used part of WebAssembly's types. TypeScript declares them only in its library for browsers. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
  };
};

let loaded: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined;

/** Opens Prisma's schema engine on a database. The WebAssembly engine needs no download, unlike the native engine. */
export async function openEngine(database: object): Promise<SchemaEngine> {
  loaded ??= load();
  const { SchemaEngine } = await loaded;
  return SchemaEngine.new({ datamodels: undefined }, () => {}, database);
}

async function load(): Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> {
  const engine = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const wasm = createRequire(import.meta.url)
    .resolve('@prisma/schema-engine-wasm')
    .replace(/schema_engine\.js$/, 'schema_engine_bg.wasm');
  const { instance } = await WebAssembly.instantiate(await readFile(wasm), { './schema_engine_bg.js': engine });
  engine.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start();
  return engine;
}

/**
 * Returns a connection that only reports the version of a server. The engine requires a connection, but comparing two
 * schema files needs no database.
 */
function noDatabase(): object {
  const refuse = () => Promise.reject(new Error('A comparison of schemas uses no database.'));
  const identity = {
    columnNames: ['exists', 'version', 'numeric_version'],
    columnTypes: [ColumnTypeEnum.Boolean, ColumnTypeEnum.Text, ColumnTypeEnum.Int32],
    rows: [[true, 'PostgreSQL 15.0', 150_000]],
  };
  const connection = {
    provider: 'postgres' as const,
    adapterName: 'none',
    queryRaw: () => Promise.resolve(identity),
    executeRaw: refuse,
    executeScript: refuse,
    startTransaction: refuse,
    dispose: () => Promise.resolve(),
    getConnectionInfo: () => ({ schemaName: 'public', supportsRelationJoins: true }),
  };
  const connect = () => Promise.resolve(connection);
  return bindMigrationAwareSqlAdapterFactory({
    provider: 'postgres',
    adapterName: 'none',
    connect,
    connectToShadowDb: connect,
  });
}
