/** Rules about large sets of IDs: each ID of a set is in another one. */
import { type Databases, readRows, type Violation } from './snapshot.ts';

/** A set of UUIDs that contains only IDs of the earlier set. */
export interface LaterSet {
  name: string;
  service: string;
  /** Selects `id`, also several times. */
  sql: string;
  /** Selects what to report about the IDs in `$1`, an array of UUIDs. */
  report: string;
}

/** Sets of UUIDs, of services that act later than the service of the earlier set. */
export interface Inclusion {
  later: readonly LaterSet[];
  /** Queries for `id`, by the table that they need. A query whose table does not exist is left out. */
  earlier: { service: string; sql: Readonly<Record<string, string>> };
}

/** Bytes of a UUID. */
const SIZE = 16;

/**
 * Returns the query for sorted IDs as one value. Rows would take ten times as long: there may be millions of IDs.
 * @param sql selects `id`
 */
const idsOf = (sql: string): string => `SELECT string_agg(uuid_send(id), '' ORDER BY id) AS ids FROM (${sql}) AS found`;

/** Reads sorted IDs. */
async function readIds(databases: Databases, service: string, sql: string): Promise<Buffer> {
  const [row] = await readRows<{ ids: Buffer | null }>(databases, service, idsOf(sql));
  return row?.ids ?? Buffer.alloc(0);
}

/** Reads sorted IDs with the queries whose tables exist. */
async function readEarlierIds(databases: Databases, { service, sql }: Inclusion['earlier']): Promise<Buffer> {
  const existing = 'SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL';
  const tables = await readRows<{ name: string }>(databases, service, existing, [Object.keys(sql)]);
  return await readIds(databases, service, tables.map(({ name }) => sql[name]).join(' UNION ALL '));
}

/** Returns the IDs of a sorted list that are not in another one. */
function missingFrom(ids: Buffer, others: Buffer): string[] {
  const missing: string[] = [];
  let other = 0;
  for (let place = 0; place < ids.length; place += SIZE) {
    const compare = () => others.compare(ids, place, place + SIZE, other, other + SIZE);
    while (other < others.length && compare() < 0) other += SIZE;
    if (other >= others.length || compare() !== 0) missing.push(ids.toString('hex', place, place + SIZE));
  }
  return missing;
}

/**
 * Compares the later sets with the earlier one. The later sets are read first: an ID in one of them has been in the earlier
 * set before.
 */
export async function checkInclusion(databases: Databases, { later, earlier }: Inclusion): Promise<Violation[]> {
  const sets = [];
  for (const { service, sql } of later) sets.push(await readIds(databases, service, sql));
  const known = await readEarlierIds(databases, earlier);
  const found: Violation[] = [];
  for (const [place, { name: check, service, report }] of later.entries()) {
    const missing = missingFrom(sets[place]!, known);
    if (missing.length === 0) continue;
    const rows = await readRows<Violation['row']>(databases, service, report, [missing]);
    found.push(...rows.map((row) => ({ check, row })));
  }
  return found;
}
