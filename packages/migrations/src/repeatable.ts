/**
 * Repeatable migrations: SQL that is applied again whenever its file changes. Every text is applied once. A replica of the
 * previous version that starts later finds its own text recorded and keeps the newer one. A function that returns to an
 * earlier text therefore needs another comment.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { checksum } from './checksum.ts';
import { applyTogether, type Script } from './transaction.ts';

const FOUNDATION = ['foundation', 'journal', 'copies']
  .map((name) => readFileSync(new URL(`../sql/${name}.sql`, import.meta.url), 'utf8'))
  .join('\n');

/** Internal tables of the previous release, which its running processes still use. */
const FORMER_TABLES = ['outbox', 'aggregate_versions', 'audit_log'];
const CREATED = /^ *CREATE (?:TABLE IF NOT EXISTS|OR REPLACE VIEW) (\w+)/gm;

/** Internal tables and views, which the foundation creates. Services declare no visibility rules for these tables. */
export const machineryTables: readonly string[] = [
  ...[...FOUNDATION.matchAll(CREATED)].map(([, name]) => name!),
  ...FORMER_TABLES,
];

const MACHINERY_TABLES = `
CREATE OR REPLACE FUNCTION suite_machinery_tables() RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT ARRAY['${machineryTables.join("', '")}'] $$;
`;

/** Returns the foundation of every service's database, which is applied before the service's own migrations. */
export const readFoundation = (): Script[] => [{ name: 'foundation', sql: MACHINERY_TABLES + FOUNDATION }];

/** Returns the SQL functions of a service, which are applied after its migrations. */
export function readFunctions(directory: string): Script[] {
  const folder = join(directory, 'prisma/functions');
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  return files.toSorted().map((file) => ({ name: `functions/${file}`, sql: readFileSync(join(folder, file), 'utf8') }));
}

/** Returns the visibility rules, which are applied after the migrations because they name their tables. */
export function readVisibility(directory: string): Script[] {
  const file = join(directory, 'prisma/visibility.sql');
  return existsSync(file) ? [{ name: 'visibility', sql: readFileSync(file, 'utf8') }] : [];
}

/** Returns the references to other services' records, which are applied after the migrations. */
export function readReferences(directory: string): Script[] {
  const file = join(directory, 'prisma/references.sql');
  return existsSync(file) ? [{ name: 'references', sql: readFileSync(file, 'utf8') }] : [];
}

/** Returns the names of scripts whose text was never applied. */
export async function missingOf(client: pg.Client, scripts: readonly Script[]): Promise<string[]> {
  const { rows } = await client.query<{ checksum: string }>('select checksum from _suite_foundation');
  const applied = new Set(rows.map((row) => row.checksum));
  return scripts.filter(({ sql }) => !applied.has(checksum(sql))).map(({ name }) => name);
}

/** Applies the scripts whose text was never applied, in one transaction. Returns their names. */
export async function applyRepeatable(client: pg.Client, scripts: readonly Script[]): Promise<string[]> {
  await client.query(
    'CREATE TABLE IF NOT EXISTS _suite_foundation (checksum text PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())',
  );
  const missing = await missingOf(client, scripts);
  if (missing.length === 0) return [];
  const wanted = scripts.filter(({ name }) => missing.includes(name));
  await applyTogether(client, wanted, ({ sql }) => ({
    statement: 'insert into _suite_foundation (checksum) values ($1)',
    values: [checksum(sql)],
  }));
  return missing;
}
