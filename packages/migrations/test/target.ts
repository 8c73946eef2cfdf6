/** Fixture for tests of migrations: the folder of a service, and a database with its roles. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from '@jest/globals';
import pg from 'pg';

/** Statements for the roles that a superuser creates: the login of the service, and the owner of its database. */
const ROLES = (of: string) => `
  SELECT pg_advisory_xact_lock(7370001);
  DO $$
  DECLARE
    shared text;
  BEGIN
    FOREACH shared IN ARRAY ARRAY['suite_confined', 'suite_viewer', 'suite_everywhere'] LOOP
      IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = shared) THEN EXECUTE 'CREATE ROLE ' || shared; END IF;
    END LOOP;
  END
  $$;
  CREATE ROLE ${of} LOGIN PASSWORD 'test';
  CREATE ROLE ${of}_owner;
  GRANT suite_everywhere TO ${of}, ${of}_owner;
  GRANT ${of}_owner TO ${of};`;

/** Folder and database of one test. */
export interface TestTarget {
  directory: string;
  databaseUrl: string;
  /** URL of the same database for a superuser. `admin` is connected to another database. */
  adminUrl: string;
  admin: pg.Client;
  /** Name of the database and of its login. */
  name: string;
}

/** Creates an empty folder and an empty database before each test of a file, and removes them after the test. */
export function targetOfEachTest(): TestTarget {
  const target = {} as TestTarget;
  beforeEach(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'suite-migrate-'));
    mkdirSync(join(directory, 'prisma'));
    const url = new URL(process.env['SUITE_TEST_ADMIN_URL'] ?? '');
    const name = `migrate_${randomUUID().replaceAll('-', '')}`;
    const admin = new pg.Client({ connectionString: url.href });
    await admin.connect();
    await admin.query(ROLES(name));
    await admin.query(`create database ${name} owner ${name}_owner`);
    const adminUrl = Object.assign(url, { pathname: name }).href;
    const databaseUrl = Object.assign(url, { username: name, password: 'test' }).href;
    Object.assign(target, { directory, databaseUrl, adminUrl, admin, name });
  });
  afterEach(async () => {
    const { admin, name, directory } = target;
    await admin.query(`drop database ${name} with (force)`);
    await admin.query(`drop role ${name}, ${name}_owner`);
    await admin.end();
    rmSync(directory, { recursive: true, force: true });
  });
  return target;
}

/** Queries the database as a superuser. */
export async function query(
  { adminUrl }: TestTarget,
  statement: string,
  first = 'SELECT',
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(first);
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** Writes a migration into the folder. Returns the file. */
export function addMigration({ directory }: TestTarget, folder: string, sql: string): string {
  mkdirSync(join(directory, 'prisma/migrations', folder), { recursive: true });
  const file = join(directory, 'prisma/migrations', folder, 'migration.sql');
  writeFileSync(file, sql);
  return file;
}
