import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { addMigration, query, targetOfEachTest } from '../test/target.ts';
import { migrate } from './migrate.ts';
import { readFoundation } from './repeatable.ts';

const target = targetOfEachTest();
const FORMER = readFileSync(new URL('../test/former-journal.sql', import.meta.url), 'utf8');
const WORKSPACE = '01900000-0000-7000-8000-00000000000a';
const RECORD = '01900000-0000-7000-8000-00000000000b';

beforeEach(async () => {
  addMigration(target, '20260101000000_init', 'CREATE TABLE prices (amount int)');
  await query(target, FORMER, `SET ROLE ${target.name}_owner`);
});

describe('the upgrade to the journal', () => {
  test('moves the events that are not published, once', async () => {
    await migrate(target);
    const moved = await query(target, 'SELECT id, type, aggregate_id, data FROM journal_events');
    expect(moved).toEqual([
      {
        id: '01900000-0000-7000-8000-000000000002',
        type: 'shop.price.updated',
        aggregate_id: RECORD,
        data: { amount: '1.00' },
      },
    ]);
    expect(await query(target, 'SELECT id FROM journal_waiting')).toHaveLength(1);
    for (const { sql } of readFoundation()) await query(target, sql, `SET ROLE ${target.name}_owner`);
    expect(await query(target, 'SELECT id FROM journal_events')).toHaveLength(1);
  });

  test('continues the positions after all versions of records', async () => {
    await migrate(target);
    const [event] = await query(target, 'SELECT position FROM journal_events');
    expect(Number(event!['position'])).toBeGreaterThan(7000);
  });

  test('keeps the recorded changes readable', async () => {
    await migrate(target);
    expect(await query(target, 'SELECT table_name, record_id, action, after FROM journal_changes')).toEqual([
      { table_name: 'prices', record_id: RECORD, action: 'insert', after: { amount: '1.00' } },
    ]);
  });

  test('redirects the events of running processes of the previous release', async () => {
    await migrate(target);
    await query(
      target,
      `INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, data) VALUES
        ('01900000-0000-7000-8000-000000000003', '${WORKSPACE}', 'shop.price.deleted', '1', '${RECORD}', 7001, '{}')`,
    );
    expect(await query(target, 'SELECT type FROM journal_events ORDER BY position')).toEqual([
      { type: 'shop.price.updated' },
      { type: 'shop.price.deleted' },
    ]);
    expect(await query(target, 'SELECT FROM outbox WHERE published_at IS NULL')).toEqual([]);
  });
});
