import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { addMigration, query, targetOfEachTest } from '../test/target.ts';
import { checkMigrations, machineryTables, migrate } from './migrate.ts';

const target = targetOfEachTest();
const functionOf = (body: string) => `CREATE OR REPLACE FUNCTION price() RETURNS int LANGUAGE sql AS $$ ${body} $$;\n`;
const fileOf = (name: string) => join(target.directory, 'prisma/functions', `${name}.sql`);
const write = (name: string, sql: string) => {
  mkdirSync(join(target.directory, 'prisma/functions'), { recursive: true });
  writeFileSync(fileOf(name), sql);
};
const price = async (): Promise<unknown> => (await query(target, 'SELECT price()'))[0]!['price'];
const INIT = `CREATE TABLE prices (amount int); INSERT INTO prices VALUES (7);
  CREATE FUNCTION price() RETURNS int LANGUAGE sql AS $$ SELECT 1 $$;`;

beforeEach(() => {
  addMigration(target, '20260101000000_init', INIT);
});

describe('a function in its own file', () => {
  test('replaces the function of a migration once, with any number of replicas', async () => {
    await migrate(target);
    expect(await price()).toBe(1);
    write('price', functionOf('SELECT amount FROM prices'));
    expect((await checkMigrations(target)).problem).toContain('lacks the migration functions/price.sql.');
    const runs = await Promise.all([1, 2, 3, 4].map(() => migrate(target)));
    expect(runs.flat()).toEqual(['functions/price.sql']);
    expect(await price()).toBe(7);
    expect((await checkMigrations(target)).problem).toBeNull();
  });

  test('can use the newest tables, and belongs to the owner of the database', async () => {
    addMigration(target, '20260102000000_rates', 'CREATE TABLE rates AS SELECT 3 AS amount');
    write('price', functionOf('SELECT amount FROM rates'));
    expect(await migrate(target)).toEqual([
      'foundation',
      '20260101000000_init',
      '20260102000000_rates',
      'functions/price.sql',
    ]);
    expect(await price()).toBe(3);
    const owner = `SELECT pg_get_userbyid(proowner) AS owner FROM pg_proc WHERE proname = 'price'`;
    expect(await query(target, owner)).toEqual([{ owner: `${target.name}_owner` }]);
  });

  test('is applied again when it changes, and only then', async () => {
    write('price', functionOf('SELECT 2'));
    await migrate(target);
    expect(await migrate(target)).toEqual([]);
    write('price', functionOf('SELECT 3'));
    expect(await migrate(target)).toEqual(['functions/price.sql']);
    expect(await price()).toBe(3);
  });

  test('is not overwritten by a replica of the previous release', async () => {
    const [former, newer] = [functionOf('SELECT 2'), functionOf('SELECT 3')];
    for (const text of [former, newer]) {
      write('price', text);
      await migrate(target);
    }
    write('price', former);
    expect((await checkMigrations(target)).problem).toBeNull();
    expect(await migrate(target)).toEqual([]);
    expect(await price()).toBe(3);
    write('price', `-- As it was before.\n${former}`);
    await migrate(target);
    expect(await price()).toBe(2);
  });

  test('can change its parameters if its file drops the old function', async () => {
    write('price', functionOf('SELECT 2'));
    await migrate(target);
    const dearer =
      'CREATE OR REPLACE FUNCTION price(more int DEFAULT 5) RETURNS int LANGUAGE sql AS $$ SELECT more $$;';
    write('price', `DROP FUNCTION IF EXISTS price();\n${dearer}\n`);
    await migrate(target);
    expect(await price()).toBe(5);
  });

  test('changes no function if PostgreSQL rejects it, and the error names its file', async () => {
    await migrate(target);
    write('a_price', functionOf('SELECT 2').replace('price', 'a_price'));
    write('price', functionOf('SELECT 2\n FROM nowhere'));
    await expect(migrate(target)).rejects.toThrow(
      'Migration functions/price.sql failed and was rolled back: relation "nowhere" does not exist (line 2)',
    );
    expect(await query(target, "SELECT to_regproc('a_price') AS made")).toEqual([{ made: null }]);
    rmSync(fileOf('price'));
    expect(await migrate(target)).toEqual(['functions/a_price.sql']);
  });
});

describe('the visibility of a service', () => {
  const declare = (table: string) =>
    writeFileSync(
      join(target.directory, 'prisma/visibility.sql'),
      `SELECT suite_assert_visibility(ARRAY['prices', '${table}']);`,
    );

  test('rejects a workspace table without a policy', async () => {
    addMigration(target, '20260102000000_rates', 'CREATE TABLE rates (id uuid, workspace_id uuid)');
    declare('rates');
    await expect(migrate(target)).rejects.toThrow('The table rates is not confined to workspaces.');
    addMigration(target, '20260103000000_confine', `SELECT suite_member('rates')`);
    expect(await migrate(target)).toEqual(['20260103000000_confine', 'visibility']);
  });

  test('rejects a record without a version trigger', async () => {
    const columns = 'id uuid, workspace_id uuid, updated_by uuid, version int';
    addMigration(target, '20260102000000_rates', `CREATE TABLE rates (${columns}); SELECT suite_member('rates')`);
    declare('rates');
    await expect(migrate(target)).rejects.toThrow('The table rates has no version trigger.');
  });
});

test('the list of internal tables contains the tables of this and the previous release', async () => {
  await migrate(target);
  const created = await query(
    target,
    `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v')
       AND NOT starts_with(relname, '_') AND relname <> 'prices'
     UNION ALL VALUES ('aggregate_versions'), ('audit_log'), ('outbox') ORDER BY name`,
  );
  expect(await query(target, 'SELECT unnest(suite_machinery_tables()) AS name ORDER BY name')).toEqual(created);
  expect(machineryTables.toSorted()).toEqual(created.map(({ name }) => name));
});
