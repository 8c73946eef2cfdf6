import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { LeadLost } from '@suite/proto/crm/v1/events';
import { openFixture } from '../../test/fixture.ts';
import { execute } from '../database/running.ts';
import { prune } from './retention.ts';

const fixture = await openFixture();
const { pool, workspace_id } = fixture;
afterAll(() => fixture.close());
beforeEach(async () => {
  await pool.query('TRUNCATE journal');
});

const config = { JOURNAL_CHANGES_DAYS: 3_650, JOURNAL_EVENTS_DAYS: 30 };
const runPrune = (changed: Partial<typeof config> = {}) =>
  prune.work({ database: fixture.database, config: { ...config, ...changed } });

/** Creates the partition of the month some months ago, and returns the middle of that month. */
async function openMonth(months_ago: number): Promise<string> {
  const month = `(date_trunc('month', now()) - interval '${months_ago} months')`;
  const { rows } = await pool.query(
    `SELECT suite_journal_partition(${month}::date), ${month} + interval '14 days' AS middle`,
  );
  return rows[0].middle.toISOString();
}

const CHANGE = JSON.stringify([{ table: 'notes', id: randomUUID(), new: { text: 'a' } }]);
const EVENT = JSON.stringify([
  { id: randomUUID(), type: 'crm.lead.lost', schema_version: 'v1', aggregate_id: randomUUID(), data: {} },
]);

const insert = (at: string, operation: string, changes: string | null, events: string | null) =>
  pool.query('INSERT INTO journal (workspace_id, at, operation, changes, events) VALUES ($1, $2, $3, $4, $5)', [
    workspace_id,
    at,
    operation,
    changes,
    events,
  ]);

const settle = () => pool.query('UPDATE journal_relay SET settled = pg_snapshot_xmax(pg_current_snapshot())');

const stored = async () =>
  (
    await pool.query(
      'SELECT operation, changes IS NOT NULL AS changes, events IS NOT NULL AS events FROM journal ORDER BY position',
    )
  ).rows;

const partitions = async () =>
  (
    await pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
      WHERE inhparent = 'journal'::regclass ORDER BY relname`,
    )
  ).rows.map(({ name }) => name);

test('deletes expired inbox entries and keys', async () => {
  await pool.query(
    `INSERT INTO inbox SELECT consumer, gen_random_uuid(), at
    FROM (VALUES ('old', now() - interval '15 days'), ('new', now() - interval '13 days')) AS i (consumer, at)`,
  );
  await pool.query(
    `INSERT INTO idempotency_keys (workspace_id, caller_id, operation, key, body_hash, status, body, created_at)
    SELECT $1, $1, 'o', key, 'h', 200, '{}', at
    FROM (VALUES ('old', now() - interval '25 hours'), ('new', now() - interval '23 hours')) AS k (key, at)`,
    [workspace_id],
  );
  await runPrune();
  const { rows } = await pool.query(
    `SELECT (SELECT string_agg(consumer, ',') FROM inbox) AS inbox, (SELECT string_agg(key, ',') FROM idempotency_keys) AS keys`,
  );
  expect(rows[0]).toEqual({ inbox: 'new', keys: 'new' });
});

test('deletes the known states of deleted records with their expired fences', async () => {
  const ids = { deleted: randomUUID(), fenced: randomUUID(), kept: randomUUID() };
  await pool.query(`INSERT INTO known_records SELECT $1, 'crm.deal', id, 1, '{}' FROM unnest($2::uuid[]) AS id`, [
    workspace_id,
    Object.values(ids),
  ]);
  await pool.query(
    `INSERT INTO deletion_fences SELECT $1, 'crm.deal', id, gen_random_uuid(), until
    FROM (VALUES ($2::uuid, now() - interval '1 second'), ($3::uuid, now() + interval '1 hour')) AS fence (id, until)`,
    [workspace_id, ids.deleted, ids.fenced],
  );
  await runPrune();
  const { rows } = await pool.query('SELECT record_id FROM known_records WHERE workspace_id = $1', [workspace_id]);
  expect(new Set(rows.map(({ record_id }) => record_id))).toEqual(new Set([ids.fenced, ids.kept]));
});

describe('the partitions of the journal', () => {
  test('exist for the next months, even if they were missing', async () => {
    const before = await partitions();
    await pool.query(`DROP TABLE ${before.at(-1)}`);
    await runPrune();
    expect(await partitions()).toEqual(before);
  });

  test('lose published events after their retention, and keep the changes', async () => {
    const [old, recent] = [await openMonth(3), await openMonth(0)];
    await insert(old, 'both', CHANGE, EVENT);
    await insert(old, 'event', null, EVENT);
    await insert(old, 'change', CHANGE, null);
    await insert(recent, 'recent', CHANGE, EVENT);
    await settle();
    await runPrune();
    expect(await stored()).toEqual([
      { operation: 'both', changes: true, events: false },
      { operation: 'change', changes: true, events: false },
      { operation: 'recent', changes: true, events: true },
    ]);
    await insert(old, 'later', CHANGE, null);
    expect(await stored()).toHaveLength(4);
  });

  test('keep the events of a relay that has not published them', async () => {
    await pool.query('UPDATE journal_relay SET settled = pg_snapshot_xmin(pg_current_snapshot())');
    await insert(await openMonth(3), 'old', CHANGE, EVENT);
    await insert(new Date().toISOString(), 'waiting', null, EVENT);
    await runPrune();
    expect(await stored()).toEqual([
      { operation: 'old', changes: true, events: true },
      { operation: 'waiting', changes: false, events: true },
    ]);
  });

  test('are dropped after the retention of changes', async () => {
    await insert(await openMonth(5), 'old', CHANGE, null);
    await insert(await openMonth(2), 'kept', CHANGE, null);
    await settle();
    await runPrune({ JOURNAL_CHANGES_DAYS: 100 });
    expect(await stored()).toEqual([{ operation: 'kept', changes: true, events: false }]);
  });
});

test('a missing partition rejects the command, and nothing is changed', async () => {
  const context = { workspace_id, caller: null, operation: 'test', request_id: 'r' };
  const names = await partitions();
  for (const name of names) await pool.query(`ALTER TABLE journal DETACH PARTITION ${name}`);
  const writing = fixture.database.write(context, async (_, emit) => {
    await execute("INSERT INTO notes (text) VALUES ('x')", []);
    emit(LeadLost, LeadLost.fromPartial({ lead_id: randomUUID() }));
  });
  await expect(writing).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  expect((await pool.query('SELECT FROM notes')).rowCount).toBe(0);
  for (const name of names) await pool.query(`DROP TABLE ${name}`);
  await runPrune();
  expect((await partitions()).length).toBeGreaterThanOrEqual(4);
});

describe('the events of a restored database', () => {
  const waiting = async () => (await pool.query('SELECT FROM journal_waiting')).rowCount;
  const daysAgo = async (days: number) =>
    (await pool.query('SELECT (now() - make_interval(days => $1))::text AS at', [days])).rows[0].at;
  const begin = (epoch: number) => pool.query('SELECT suite_begin_epoch($1)', [epoch]);
  beforeEach(async () => {
    for (const months of [1, 2]) await openMonth(months);
    await pool.query(
      "UPDATE journal_relay SET epoch = 1, settled = '0', floor = 0, next_floor = 0, next_settled = '0'",
    );
    await pool.query('TRUNCATE inbox');
  });

  test('are published again in a higher epoch, from 7 days before the newest one', async () => {
    for (const days of [50, 37, 32, 30]) await insert(await daysAgo(days), String(days), null, EVENT);
    await settle();
    expect(await waiting()).toBe(0);
    await begin(5);
    expect(await waiting()).toBe(2);
    expect((await pool.query('SELECT epoch FROM journal_relay')).rows).toEqual([{ epoch: '5' }]);
    await expect(begin(5)).rejects.toThrow('The new epoch must be higher than the current one, 5.');
  });

  test('are published again even if a part of them never was', async () => {
    for (const days of [20, 19]) await insert(await daysAgo(days), String(days), null, EVENT);
    await settle();
    for (const days of [18, 0]) await insert(await daysAgo(days), String(days), null, EVENT);
    await begin(2);
    expect(await waiting()).toBe(2);
  });

  test('are published again with transaction IDs of another server', async () => {
    await insert(await daysAgo(0), 'recent', null, EVENT);
    await settle();
    await pool.query("UPDATE journal SET transaction_id = '18000000000000000000'");
    await begin(2);
    expect(await waiting()).toBe(1);
  });

  test('are recognised by consumers for two weeks after the restore', async () => {
    await insert(await daysAgo(30), 'newest', null, EVENT);
    await pool.query("INSERT INTO inbox SELECT 'a.reader', gen_random_uuid(), now() - interval '36 days'");
    await begin(2);
    await runPrune();
    expect((await pool.query('SELECT FROM inbox')).rowCount).toBe(1);
  });

  test('can be published again by the login of the service, as the owner', async () => {
    await insert(await daysAgo(0), 'recent', null, EVENT);
    await settle();
    const login = await fixture.database.pool.connect();
    await expect(login.query('SELECT suite_begin_epoch(2)')).rejects.toThrow('permission denied');
    await login.query(`SET ROLE ${new URL(fixture.url).username}_owner`);
    await login.query('SELECT suite_begin_epoch(2)');
    await login.query('RESET ROLE');
    login.release();
    expect(await waiting()).toBe(1);
  });
});
