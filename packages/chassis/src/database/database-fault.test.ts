import { afterAll, expect, test } from '@jest/globals';
import { openFixture } from '../../test/fixture.ts';
import { Zone } from '../schema/fields.ts';
import { databaseFault, isTimeout } from './database-fault.ts';

const fixture = await openFixture();
afterAll(() => fixture.close());

/** Returns the faults that a caller receives when PostgreSQL rejects a statement. */
const told = async (statement: string, values: unknown[] = []) => {
  const error = await fixture.pool.query(statement, values).then(
    () => 'accepted',
    (refused: unknown) => refused,
  );
  const fault = databaseFault(error);
  return fault && { status: fault.status, errors: fault.errors };
};

test.each([
  ['a day that is none', "SELECT 'never'::date", 'body'],
  ['a year that no calendar has', "SELECT '0000-01-01'::date", 'body'],
  ['an offset beyond a day', "SELECT '2026-11-21T05:11:37+23:00'::timestamptz", 'body'],
  ['a date beyond the calendar', "SELECT '294277-01-01'::timestamptz", 'body'],
  ['an id that is none', "SELECT 'x'::uuid", 'body'],
  ['half a surrogate pair in JSON', String.raw`SELECT '"\ud800"'::jsonb`, 'body'],
  ['a zone that it does not know', "SELECT now() AT TIME ZONE 'Mars/Olympus'", 'timezone'],
])('maps %s to 422, not to an internal error', async (_, statement, field) => {
  expect(await told(statement)).toEqual({ status: 422, errors: { [field]: [expect.stringMatching(/^[A-Z].*\.$/)] } });
});

test.each([
  ['a lock that did not come', '55P03', true],
  ['a statement that ran too long', '57014', true],
  ['a transaction whose process stood still', '25P03', true],
  ['a transaction that ran too long', '25P04', true],
  ['a shutdown', '57P01', false],
  ['an end of an idle session', '57P05', false],
  ['a lost connection', '08006', false],
  ['a server that PgBouncer has lost', '08P01', false],
])('maps %s to 503, and marks whether the work itself may have taken too long', async (_, code, long) => {
  const raised = fixture.pool.query(`DO $$ BEGIN RAISE EXCEPTION 'raised' USING ERRCODE = '${code}'; END $$`);
  const fault = databaseFault(await raised.catch((refused: unknown) => refused))!;
  expect([fault.status, isTimeout(fault)]).toEqual([503, long]);
});

test('treats any other invalid function argument as a bug', async () => {
  expect(await told("SELECT encode('x', 'nonsense')")).toBeUndefined();
});

test('reports a taken value by its field name, however the constraint is named', async () => {
  await fixture.pool.query(`
    CREATE TABLE parcels (workspace_id int, external_id int, code int, UNIQUE (workspace_id, external_id));
    CREATE UNIQUE INDEX parcels_code_key ON parcels (workspace_id, code);
    INSERT INTO parcels VALUES (1, 1, 1)`);
  expect(await told('INSERT INTO parcels VALUES (1, 1, 2)')).toMatchObject({
    status: 409,
    errors: { external_id: [expect.any(String)] },
  });
  expect(await told('INSERT INTO parcels VALUES (1, 2, 1)')).toMatchObject({
    status: 409,
    errors: { code: [expect.any(String)] },
  });
});

test('PostgreSQL knows every time zone that we accept, including aliases', async () => {
  const aliases = [
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'Europe/Kiev',
    'Etc/UTC',
    'UTC',
    'US/Eastern',
    'GMT',
  ];
  const zones = [...new Set([...Intl.supportedValuesOf('timeZone'), ...aliases])];
  expect(zones.filter((zone) => !Zone.safeParse(zone).success)).toEqual([]);
  const { rows } = await fixture.pool.query('SELECT name FROM pg_timezone_names WHERE name = ANY($1)', [zones]);
  const known = new Set(rows.map(({ name }) => name));
  expect(zones.filter((zone) => !known.has(zone))).toEqual([]);
});
