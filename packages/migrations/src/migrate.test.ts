import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { checkMigrations, migrate } from './migrate.ts';
import { newMigration, openEngine, snapshotIsCurrent } from './schema-engine.ts';

const SCHEMA = `datasource db {
  provider = "postgresql"
}

model Lead {
  id           String @id @db.Uuid
  workspace_id String @db.Uuid
  name         String
  version      Int    @default(1)

  @@map("leads")
}
`;

/** What a splitter at semicolons would break, and what only PostgreSQL can judge. */
const BY_HAND = `
-- by hand; with a semicolon in a comment
DO $$ BEGIN PERFORM 1; PERFORM 2; END $$;
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE plpgsql AS $body$ DECLARE y int := 2; BEGIN RETURN x * y; END $body$;
INSERT INTO leads (id, workspace_id, name) VALUES (gen_random_uuid(), gen_random_uuid(), 'a;b');
ALTER TABLE leads ADD COLUMN created_by uuid, ADD COLUMN created_at timestamptz, ADD COLUMN updated_by uuid, ADD COLUMN updated_at timestamptz;
SELECT suite_record('leads');
`;

let directory: string;
let databaseUrl: string;
let adminUrl: string;
let admin: pg.Client;
let name: string;

/** The roles that a superuser makes: the login of the service, and the owner of its database. */
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

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'suite-migrate-'));
  mkdirSync(join(directory, 'prisma'));
  writeFileSync(join(directory, 'prisma/schema.prisma'), SCHEMA);
  const url = new URL(process.env['SUITE_TEST_ADMIN_URL'] ?? '');
  name = `migrate_${randomUUID().replaceAll('-', '')}`;
  admin = new pg.Client({ connectionString: url.href });
  await admin.connect();
  await admin.query(ROLES(name));
  await admin.query(`create database ${name} owner ${name}_owner`);
  adminUrl = Object.assign(url, { pathname: name }).href;
  databaseUrl = Object.assign(url, { username: name, password: 'test' }).href;
});

afterEach(async () => {
  await admin.query(`drop database ${name} with (force)`);
  await admin.query(`drop role ${name}, ${name}_owner`);
  await admin.end();
  rmSync(directory, { recursive: true, force: true });
});

async function ask(statement: string, first = 'SELECT'): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(first);
    return (await client.query(statement)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

function addMigration(folder: string, sql: string): string {
  mkdirSync(join(directory, 'prisma/migrations', folder), { recursive: true });
  const file = join(directory, 'prisma/migrations', folder, 'migration.sql');
  writeFileSync(file, sql);
  return file;
}

describe('a new migration', () => {
  test('is what changed in the schema since the last one', async () => {
    const first = String(await newMigration(directory, 'Leads at first'));
    expect(first).toMatch(/\/prisma\/migrations\/\d{14}_leads_at_first\/migration\.sql$/);
    expect(readFileSync(first, 'utf8')).toMatch(/^-- CreateTable\nCREATE TABLE "leads"/);
    expect(await newMigration(directory, 'nothing')).toBeNull();
    const changed = SCHEMA.replace('  version ', '  // a note\n  phone        String?\n  version ');
    writeFileSync(join(directory, 'prisma/schema.prisma'), changed);
    expect(await snapshotIsCurrent(directory)).toBe(false);
    const second = String(await newMigration(directory, 'phone'));
    expect(readFileSync(second, 'utf8')).toContain('ALTER TABLE "leads" ADD COLUMN     "phone" TEXT');
  });

  test('is not needed for a comment', async () => {
    await newMigration(directory, 'init');
    appendFileSync(join(directory, 'prisma/schema.prisma'), '\n// only a note\n');
    expect(await snapshotIsCurrent(directory)).toBe(true);
  });
});

describe('migrating', () => {
  test('applies functions, blocks and quoted text as one script, once, however many replicas start', async () => {
    const file = String(await newMigration(directory, 'init'));
    appendFileSync(file, BY_HAND);
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate({ databaseUrl, directory })));
    expect(runs.flat()).toEqual(['foundation', expect.stringMatching(/_init$/)]);
    expect(await ask('select twice(4), (select name from leads)')).toEqual([{ twice: 8, name: 'a;b' }]);
    expect(await ask('select count(*)::int from _prisma_migrations')).toEqual([{ count: 1 }]);
    expect(await migrate({ databaseUrl, directory })).toEqual([]);
  });

  test('is recorded as Prisma records it', async () => {
    addMigration('20260101000000_init', BY_HAND.replaceAll('leads', 'deals').replace(/INSERT.*|ALTER.*|SELECT.*/g, ''));
    await migrate({ databaseUrl, directory });
    const engine = await openEngine(
      bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: databaseUrl })),
    );
    const folder = join(directory, 'prisma/migrations');
    const diagnosis = await engine.diagnoseMigrationHistory({
      migrationsList: {
        baseDir: folder,
        lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
        shadowDbInitScript: '',
        migrationDirectories: [
          {
            path: '20260101000000_init',
            migrationFile: {
              path: 'migration.sql',
              content: { tag: 'ok', value: readFileSync(join(folder, '20260101000000_init/migration.sql'), 'utf8') },
            },
          },
        ],
      },
      optInToShadowDatabase: false,
      filters: { externalTables: [], externalEnums: [] },
    });
    expect(diagnosis).toEqual({
      editedMigrationNames: [],
      failedMigrationNames: [],
      hasMigrationsTable: true,
      history: null,
    });
  });

  test('leaves nothing behind when a script fails, and names its line', async () => {
    const file = addMigration('20260101000000_bad', 'create table half (x int);\nselect nothing_such();\n');
    const failing = migrate({ databaseUrl, directory });
    await expect(failing).rejects.toThrow(
      'Migration 20260101000000_bad failed and left nothing behind: function nothing_such() does not exist (line 2)',
    );
    expect(await ask("select to_regclass('half') as half")).toEqual([{ half: null }]);
    writeFileSync(file, 'create table half (x int);');
    expect(await migrate({ databaseUrl, directory })).toEqual(['20260101000000_bad']);
  });

  test('applies a script and records it together, or neither', async () => {
    addMigration('20260101000000_init', 'select 1;');
    await migrate({ databaseUrl, directory });
    await ask("alter table _prisma_migrations add check (migration_name not like '%_unwelcome')");
    addMigration('20260102000000_unwelcome', 'create table alone (x int);');
    await expect(migrate({ databaseUrl, directory })).rejects.toThrow('left nothing behind');
    expect(await ask("select to_regclass('alone') as alone")).toEqual([{ alone: null }]);
  });

  test('is refused when an applied script was changed', async () => {
    const file = addMigration('20260101000000_init', 'select 1;');
    await migrate({ databaseUrl, directory });
    appendFileSync(file, '\nselect 2;');
    await expect(migrate({ databaseUrl, directory })).rejects.toThrow(
      'was changed after it was applied: 20260101000000_init.',
    );
  });
});

describe('a migrated database', () => {
  test('belongs to a role that nobody logs in as, and shows its rows past no policy', async () => {
    const file = String(await newMigration(directory, 'init'));
    appendFileSync(file, BY_HAND);
    addMigration('29990101000000_bare', 'CREATE TABLE bare (workspace_id uuid); CREATE TABLE shared (x int);');
    await migrate({ databaseUrl, directory });
    const tables = await ask(`
      SELECT relname, rolname, rolcanlogin FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND (rolcanlogin OR rolname <> '${name}_owner' OR NOT (relrowsecurity AND relforcerowsecurity))`);
    expect(tables).toEqual([]);
    await ask(`INSERT INTO bare VALUES (gen_random_uuid()); INSERT INTO shared VALUES (1);
      GRANT SELECT ON bare, shared TO suite_confined`);
    const seen = `SET ROLE suite_confined; SET suite.workspace_id = '${randomUUID()}'`;
    const count = (table: string) => ask(`SELECT count(*)::int FROM ${table}`, seen);
    expect([await count('leads'), await count('bare'), await count('shared')]).toEqual(
      [0, 0, 1].map((rows) => [{ count: rows }]),
    );
  });

  test('is not made for a login that owns it, nor by a superuser: each is told what to do', async () => {
    await expect(migrate({ databaseUrl: adminUrl, directory })).rejects.toThrow(
      /^"postgres" is a superuser: let DATABASE_URL name the service's own login/,
    );
    await admin.query(`ALTER DATABASE ${name} OWNER TO ${name}`);
    await expect(migrate({ databaseUrl, directory })).rejects.toThrow(
      `The login "${name}" owns its database, so that one injected statement could read all workspaces`,
    );
  });
});

describe('a service at start', () => {
  test('is told which migration its database lacks', async () => {
    addMigration('20260101000000_init', 'select 1;');
    expect((await checkMigrations({ databaseUrl, directory })).problem).toContain(
      'lacks the migration foundation, 20260101000000_init.',
    );
    await migrate({ databaseUrl, directory });
    expect((await checkMigrations({ databaseUrl, directory })).problem).toBeNull();
    addMigration('20260102000000_next', 'select 2;');
    expect((await checkMigrations({ databaseUrl, directory })).missing).toEqual(['20260102000000_next']);
  });

  test('is told that the foundation is of another edition', async () => {
    await migrate({ databaseUrl, directory });
    await ask("update _suite_foundation set checksum = 'of another edition'");
    expect((await checkMigrations({ databaseUrl, directory })).missing).toEqual(['foundation']);
  });

  test('may run on a database that a newer replica has brought further', async () => {
    addMigration('20260101000000_init', 'select 1;');
    addMigration('20260102000000_next', 'select 2;');
    await migrate({ databaseUrl, directory });
    rmSync(join(directory, 'prisma/migrations/20260102000000_next'), { recursive: true });
    expect((await checkMigrations({ databaseUrl, directory })).problem).toBeNull();
  });
});
