import { randomUUID } from 'node:crypto';
import { appendFileSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import { PrismaPg } from '@prisma/adapter-pg';
import { addMigration as addMigrationTo, query as askTarget, targetOfEachTest } from '../test/target.ts';
import { checkMigrations, migrate } from './migrate.ts';
import { newMigration, openEngine, snapshotIsCurrent } from './schema-engine.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

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

/** Script that breaks if it is split at semicolons. */
const BY_HAND = `
-- by hand; with a semicolon in a comment
DO $$ BEGIN PERFORM 1; PERFORM 2; END $$;
CREATE FUNCTION twice(x int) RETURNS int LANGUAGE plpgsql AS $body$ DECLARE y int := 2; BEGIN RETURN x * y; END $body$;
INSERT INTO leads (id, workspace_id, name) VALUES (gen_random_uuid(), gen_random_uuid(), 'a;b');
ALTER TABLE leads ADD COLUMN created_by uuid, ADD COLUMN created_at timestamptz, ADD COLUMN updated_by uuid, ADD COLUMN updated_at timestamptz;
SELECT suite_record('leads');
`;

const target = targetOfEachTest();
beforeEach(() => writeFileSync(join(target.directory, 'prisma/schema.prisma'), SCHEMA));
const ask = (statement: string, first?: string) => askTarget(target, statement, first);
const addMigration = (folder: string, sql: string) => addMigrationTo(target, folder, sql);

describe('a new migration', () => {
  test('contains all schema changes since the previous migration', async () => {
    const first = String(await newMigration(target.directory, 'Leads at first'));
    expect(first).toMatch(/\/prisma\/migrations\/\d{14}_leads_at_first\/migration\.sql$/);
    expect(readFileSync(first, 'utf8')).toMatch(/^-- CreateTable\nCREATE TABLE "leads"/);
    expect(await newMigration(target.directory, 'nothing')).toBeNull();
    const changed = SCHEMA.replace('  version ', '  // a note\n  phone        String?\n  version ');
    writeFileSync(join(target.directory, 'prisma/schema.prisma'), changed);
    expect(await snapshotIsCurrent(target.directory)).toBe(false);
    const second = String(await newMigration(target.directory, 'phone'));
    expect(readFileSync(second, 'utf8')).toContain('ALTER TABLE "leads" ADD COLUMN     "phone" TEXT');
  });

  test('confines each new workspace table, and counts the versions of records', async () => {
    const record = SCHEMA.replace('  version ', '  updated_by   String? @db.Uuid\n  version ');
    const plain = '\nmodel Currency {\n  code String @id\n\n  @@map("currencies")\n}\n';
    const part =
      '\nmodel Part {\n  id           String @id @db.Uuid\n  workspace_id String @db.Uuid\n\n  @@map("parts")\n}\n';
    writeFileSync(join(target.directory, 'prisma/schema.prisma'), record + plain + part);
    const script = readFileSync(String(await newMigration(target.directory, 'init')), 'utf8');
    expect([...script.matchAll(/^SELECT .*$/gm)].flat()).toEqual([
      "SELECT suite_record('leads');",
      "SELECT suite_member('parts');",
    ]);
  });

  test('ignores changed comments', async () => {
    await newMigration(target.directory, 'init');
    appendFileSync(join(target.directory, 'prisma/schema.prisma'), '\n// only a note\n');
    expect(await snapshotIsCurrent(target.directory)).toBe(true);
  });
});

/** The folders with a database of this repository. */
const folders = globSync('{services,packages}/*/prisma/migrations', { cwd: ROOT }).map((path) =>
  join(ROOT, path, '../..'),
);

test('the schemas of all databases are in migrations', async () => {
  expect(folders.length).toBeGreaterThan(7);
  const behind: string[] = [];
  for (const folder of folders) if (!(await snapshotIsCurrent(folder))) behind.push(basename(folder));
  expect(behind).toEqual([]);
});

describe('migrating', () => {
  test('applies a script with functions and quoted text once for several replicas', async () => {
    const file = String(await newMigration(target.directory, 'init'));
    appendFileSync(file, BY_HAND);
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(target)));
    expect(runs.flat()).toEqual(['foundation', expect.stringMatching(/_init$/)]);
    expect(await ask('select twice(4), (select name from leads)')).toEqual([{ twice: 8, name: 'a;b' }]);
    expect(await ask('select count(*)::int from _prisma_migrations')).toEqual([{ count: 1 }]);
    expect(await migrate(target)).toEqual([]);
  });

  test('writes the same row as Prisma', async () => {
    addMigration('20260101000000_init', BY_HAND.replaceAll('leads', 'deals').replace(/INSERT.*|ALTER.*|SELECT.*/g, ''));
    await migrate(target);
    const engine = await openEngine(
      bindMigrationAwareSqlAdapterFactory(new PrismaPg({ connectionString: target.databaseUrl })),
    );
    const folder = join(target.directory, 'prisma/migrations');
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

  test('rolls back a failing script and reports its line', async () => {
    const file = addMigration('20260101000000_bad', 'create table half (x int);\nselect nothing_such();\n');
    const failing = migrate(target);
    await expect(failing).rejects.toThrow(
      'Migration 20260101000000_bad failed and was rolled back: function nothing_such() does not exist (line 2)',
    );
    expect(await ask("select to_regclass('half') as half")).toEqual([{ half: null }]);
    writeFileSync(file, 'create table half (x int);');
    expect(await migrate(target)).toEqual(['20260101000000_bad']);
  });

  test('applies a script and records it together, or neither', async () => {
    addMigration('20260101000000_init', 'select 1;');
    await migrate(target);
    await ask("alter table _prisma_migrations add check (migration_name not like '%_unwelcome')");
    addMigration('20260102000000_unwelcome', 'create table alone (x int);');
    await expect(migrate(target)).rejects.toThrow('was rolled back');
    expect(await ask("select to_regclass('alone') as alone")).toEqual([{ alone: null }]);
  });

  test('rejects a changed applied script', async () => {
    const file = addMigration('20260101000000_init', 'select 1;');
    await migrate(target);
    appendFileSync(file, '\nselect 2;');
    await expect(migrate(target)).rejects.toThrow('was changed after it was applied: 20260101000000_init.');
  });
});

describe('a migrated database', () => {
  test('belongs to a role without login, and cannot bypass policies', async () => {
    const file = String(await newMigration(target.directory, 'init'));
    appendFileSync(file, BY_HAND);
    addMigration('29990101000000_bare', 'CREATE TABLE bare (workspace_id uuid); CREATE TABLE shared (x int);');
    await migrate(target);
    const tables = await ask(`
      SELECT relname, rolname, rolcanlogin FROM pg_class JOIN pg_roles ON pg_roles.oid = relowner
      WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND (rolcanlogin OR rolname <> '${target.name}_owner' OR NOT (relrowsecurity AND relforcerowsecurity))`);
    expect(tables).toEqual([]);
    await ask(`INSERT INTO bare VALUES (gen_random_uuid()); INSERT INTO shared VALUES (1);
      GRANT SELECT ON bare, shared TO suite_confined`);
    const seen = `SET ROLE suite_confined; SET suite.workspace_id = '${randomUUID()}'`;
    const count = (table: string) => ask(`SELECT count(*)::int FROM ${table}`, seen);
    expect([await count('leads'), await count('bare'), await count('shared')]).toEqual(
      [0, 0, 1].map((rows) => [{ count: rows }]),
    );
  });

  test('rejects an owning login and a superuser, with instructions', async () => {
    await expect(migrate({ ...target, databaseUrl: target.adminUrl })).rejects.toThrow(
      /^"postgres" is a superuser\. Set DATABASE_URL to the service's own login/,
    );
    await target.admin.query(`ALTER DATABASE ${target.name} OWNER TO ${target.name}`);
    await expect(migrate(target)).rejects.toThrow(
      `The login "${target.name}" owns its database: one injected statement could read all workspaces`,
    );
  });
});

describe('a generated search column', () => {
  const TABLE = `CREATE TABLE people (id uuid DEFAULT gen_random_uuid(), workspace_id uuid, name text, email text,
    search tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', coalesce(name, '') || ' ' || coalesce(email, '')), 'A')) STORED);
    CREATE INDEX people_search_idx ON people USING gin (search);`;
  const workspace = randomUUID();
  const found = async (typed: string) =>
    (
      await ask(
        `SELECT name FROM people WHERE id IN (SELECT suite_search('people', '${typed}')) ORDER BY name`,
        `SET suite.workspace_id = '${workspace}'`,
      )
    ).map((row) => row['name']);

  beforeEach(async () => {
    await migrate(target);
    addMigration('20260101000000_people', TABLE);
    await migrate(target);
    await ask(`INSERT INTO people (workspace_id, name, email) VALUES ('${workspace}', 'Müller', 'anna@ax.example'),
      ('${workspace}', 'Zoë Øre-Straße', NULL), ('${workspace}', 'Łukasz', 'l.nowak+shop@mail.example.org')`);
  });

  test.each([
    ['muller', ['Müller']],
    ['zoe', ['Zoë Øre-Straße']],
    ['strasse', ['Zoë Øre-Straße']],
    ['lukasz', ['Łukasz']],
    ['ax.example', ['Müller']],
    ['anna@ax.example', ['Müller']],
    ['example', ['Müller', 'Łukasz']],
    ['absent', []],
  ])('finds "%s" without accents, and parts of e-mail addresses', async (typed, names) => {
    expect(await found(typed)).toEqual(names);
  });

  test('has one index, and is converted once', async () => {
    const index = await ask("SELECT indexdef FROM pg_indexes WHERE indexname = 'people_search_idx'");
    expect(index).toHaveLength(1);
    const [column] =
      await ask(`SELECT pg_get_expr(adbin, adrelid) AS expression FROM pg_attrdef WHERE adrelid = 'people'::regclass
      AND pg_get_expr(adbin, adrelid) LIKE '%suite_document%'`);
    expect(column!['expression']).not.toContain('to_tsvector');
    expect(await migrate(target)).toEqual([]);
  });
});

describe('a service at start', () => {
  test('reports a missing migration', async () => {
    addMigration('20260101000000_init', 'select 1;');
    expect((await checkMigrations(target)).problem).toContain('lacks the migration foundation, 20260101000000_init.');
    await migrate(target);
    expect((await checkMigrations(target)).problem).toBeNull();
    addMigration('20260102000000_next', 'select 2;');
    expect((await checkMigrations(target)).missing).toEqual(['20260102000000_next']);
  });

  test('reports a foundation of another release', async () => {
    await migrate(target);
    await ask("update _suite_foundation set checksum = 'of another release'");
    expect((await checkMigrations(target)).missing).toEqual(['foundation']);
  });

  test('runs on a database with newer migrations', async () => {
    addMigration('20260101000000_init', 'select 1;');
    addMigration('20260102000000_next', 'select 2;');
    await migrate(target);
    rmSync(join(target.directory, 'prisma/migrations/20260102000000_next'), { recursive: true });
    expect((await checkMigrations(target)).problem).toBeNull();
  });
});
