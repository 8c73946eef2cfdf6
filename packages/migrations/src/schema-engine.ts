import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils';
import type { DiffTarget, SchemaEngine } from '@prisma/schema-engine-wasm';
import { clock } from './clock.ts';

/** The file with a service's schema at the time of its last migration. */
const snapshotFile = (directory: string) => join(directory, 'prisma/migrations/schema.snapshot.prisma');
const schemaFile = (directory: string) => join(directory, 'prisma/schema.prisma');

/**
 * Makes `prisma/migrations/<timestamp>_<name>/migration.sql` from what changed in `prisma/schema.prisma` since the last
 * migration. Returns the new file, or null when nothing changed.
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

/** Whether every change of the schema is in a migration; comments and spaces do not count. */
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
  // The schema "public" is always there, and is not for a service to make.
  const script = (result.stdout ?? '').replace('-- CreateSchema\nCREATE SCHEMA IF NOT EXISTS "public";\n\n', '');
  return script + confinement(script);
}

/** Confines each new table of workspaces, audits it and, where its rows have versions, counts them. */
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

/** The part of WebAssembly's types that is used here; its types belong to the browser's library, which has no place here. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: {
    instantiate(bytes: Uint8Array, imports: object): Promise<{ instance: { exports: { __wbindgen_start(): void } } }>;
  };
};

let loaded: Promise<typeof import('@prisma/schema-engine-wasm/schema_engine_bg')> | undefined;

/** Prisma's schema engine in WebAssembly, on a database: the native one would have to be downloaded. */
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
 * The engine wants a connection before it does anything, but comparing two schema files needs no database: this one
 * only answers which server it is.
 */
function noDatabase(): object {
  const refuse = () => Promise.reject(new Error('Comparing schemas touches no database.'));
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
