/**
 * The common parts of the baselines: pools, transactions with the settings that the services' triggers need, events,
 * and lists.
 */
import { randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { childSettings } from '../load/child-process.ts';

/** The workspace and the user of a baseline. */
export interface Settings {
  workspace_id: string;
  user_id: string;
}

export const { workspace_id, user_id } = childSettings<Settings>();
// A day has no zone: by default pg converts it to a timestamp.
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
export const poolOf = (connectionString: string) =>
  new pg.Pool({ connectionString, max: 8, idleTimeoutMillis: 300_000, options: '-c timezone=UTC' });
const actor = JSON.stringify({ user_id });

/** Runs one transaction with the settings that triggers and defaults expect. */
export async function transaction<T>(
  pool: pg.Pool,
  operation: string,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    await client.query(
      `SELECT set_config('suite.workspace_id', $1, true), set_config('suite.actor', $2, true),
         set_config('suite.actor_id', $3, true), set_config('suite.operation', $4, true)`,
      [workspace_id, actor, user_id, operation],
    );
    const done = await work(client);
    await client.query('COMMIT');
    return done;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

interface Event {
  type: string;
  aggregate_id: string;
  data: object;
}

/** Marked as published: this program does not publish events, and the services must not publish them instead. */
const ANNOUNCE = `
  WITH said AS (SELECT * FROM jsonb_to_recordset($1::jsonb) AS said (id uuid, type text, aggregate_id uuid, data jsonb)),
  next AS (
    INSERT INTO aggregate_versions AS a (workspace_id, aggregate_id, version)
    SELECT $2, aggregate_id, 1 FROM said ORDER BY aggregate_id
    ON CONFLICT (workspace_id, aggregate_id) DO UPDATE SET version = a.version + 1 RETURNING aggregate_id, version)
  INSERT INTO outbox (id, workspace_id, type, schema_version, aggregate_id, aggregate_version, actor, data, published_at)
  SELECT id, $2, type, 'v1', aggregate_id, version, $3, data, now() FROM said JOIN next USING (aggregate_id)`;

export const announce = (client: pg.PoolClient, events: readonly Event[]) =>
  client.query(ANNOUNCE, [JSON.stringify(events.map((one) => ({ id: randomUUIDv7(), ...one }))), workspace_id, actor]);

const TOTAL_MAX = 10_000;

/** The columns that a list needs from each row. */
export interface Row {
  id: string;
  created_at: Date;
}

/** A part of a list: a page by its number, or the page behind a cursor. */
export interface Part {
  page: number;
  per_page: number;
  cursor?: string | undefined;
}

/** The beginning of a page and the number of rows, so that later pages need no count. */
type Cursor = [created_at: string, id: string, total: number];
const readCursor = (cursor: string) => JSON.parse(Buffer.from(cursor, 'base64url').toString()) as Cursor;

/** Returns a list function for the rows of a table that meet a condition. */
export function lister(pool: pg.Pool, table: string, where: string, select: string, show: (row: never) => object) {
  const matching = `FROM ${table} WHERE workspace_id = $1 AND ${where}`;
  // Selects the IDs first, so that columns are computed for the shown rows only.
  const chosen = (from: string) =>
    `(SELECT * FROM ${table} WHERE id IN (SELECT id ${matching} ${from} ORDER BY created_at DESC, id DESC LIMIT $2 OFFSET $3))`;
  const read = (from: string) =>
    `${select.replace('chosen', chosen(from))} ORDER BY record.created_at DESC, record.id DESC`;
  const [fromStart, fromCursor] = [read(''), read('AND (created_at, id) < ($4, $5)')];
  const count = async (): Promise<number> => {
    const { rows } = await pool.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM (SELECT ${matching} LIMIT $2) AS matching`,
      [workspace_id, TOTAL_MAX + 1],
    );
    return rows[0]?.total ?? 0;
  };
  return async ({ page, per_page, cursor }: Part): Promise<object> => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const values = [workspace_id, per_page + 1, (page - 1) * per_page, ...(after?.slice(0, 2) ?? [])];
    const found = await pool.query<Row>(after ? fromCursor : fromStart, values);
    const total = after?.[2] ?? (await count());
    const rows = found.rows.slice(0, per_page);
    const last = found.rows.length > per_page ? rows.at(-1) : undefined;
    return {
      data: rows.map((row) => show(row as never)),
      meta: {
        page,
        per_page,
        total: Math.min(total, TOTAL_MAX),
        total_is_exact: total <= TOTAL_MAX,
        next_cursor: last ? Buffer.from(JSON.stringify([last.created_at, last.id, total])).toString('base64url') : null,
      },
    };
  };
}

/** The current date of the workspace. */
export const TODAY = `(now() AT TIME ZONE 'UTC')::date`;
/** The columns that all records have. */
export const RECORD = 'record.created_by, record.updated_by, record.created_at, record.updated_at, record.version';
