/**
 * Rotation of the keys of a service, while it runs. All data keys are wrapped with the newest master key. Each
 * workspace gets a new data key, and its values are encrypted again in batches. Old keys stay until nothing needs them.
 * A stopped rotation is continued.
 */
import type { MasterKeys } from '@suite/chassis/identity';
import type pg from 'pg';
import { DecryptionFailed } from '../cipher.ts';
import { type DataKeyRow, newDataKey, rewrap, type FieldCipher, cipherOf } from '../data-keys.ts';

const BATCH = 200;

/** Column of encrypted values. */
interface Column {
  table: string;
  column: string;
}

/** The result of a rotation. */
export interface KeyRotation {
  workspaces: number;
  values: number;
  /** Values that do not open, in sentences. These values and the keys of their workspaces stay unchanged. */
  unopened: string[];
}

const COLUMNS = `
  SELECT c.relname AS "table", a.attname AS "column" FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname LIKE '%\\_sealed' AND NOT a.attisdropped
  ORDER BY 1, 2`;

/** Runs work in one system transaction and sets this command as the actor of the audit log. */
async function transaction<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(
      `BEGIN; SET LOCAL suite.operation = 'cli:rotate-keys'; SET LOCAL suite.encrypts_anew = 'on'; SET LOCAL suite.actor = ''`,
    );
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  } finally {
    client.release();
  }
}

const keysOf = async (client: pg.Pool | pg.PoolClient, workspace_id: string, lock = ''): Promise<DataKeyRow[]> =>
  (
    await client.query<DataKeyRow>(`SELECT * FROM data_keys WHERE workspace_id = $1 ORDER BY id ${lock}`, [
      workspace_id,
    ])
  ).rows;

/** Wraps all keys of a workspace with the newest master key, and adds a new data key for its values. */
async function renewKeys(client: pg.PoolClient, master: MasterKeys, workspace_id: string): Promise<void> {
  // Waits for transactions that still encrypt with the retired key.
  const rows = await keysOf(client, workspace_id, 'FOR UPDATE');
  if (rows.every((row) => row.master === master.newest().name)) return;
  for (const row of rows) {
    const { wrapped, master: name } = rewrap(master, row);
    await client.query(
      'UPDATE data_keys SET wrapped = $2, master = $3, current = current AND purpose = $4 WHERE id = $1',
      [row.id, wrapped, name, 'index'],
    );
  }
  const { id, wrapped, master: name } = newDataKey(master, workspace_id, 'values');
  await client.query(
    `INSERT INTO data_keys (id, workspace_id, purpose, wrapped, master) VALUES ($1, $2, 'values', $3, $4)`,
    [id, workspace_id, wrapped, name],
  );
}

/** A re-encryption of a workspace's values. */
interface Renewal {
  workspace_id: string;
  /** Key that encrypts the values from now on. */
  current: string;
  sealed: FieldCipher;
  done: KeyRotation;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/**
 * Encrypts a batch of a column's values again. @param after last row of the previous batch. Returns the last row of
 * this batch.
 */
async function renewBatch(
  client: pg.PoolClient,
  { table, column }: Column,
  { workspace_id, current, sealed, done }: Renewal,
  after: string,
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string; value: string }>(
    `SELECT id, ${column} AS value FROM ${table}
     WHERE workspace_id = $1 AND id > $2 AND split_part(${column}, '.', 2) <> $3 ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`,
    [workspace_id, after, current],
  );
  for (const { id, value } of rows) {
    const place = { table, column, id };
    try {
      const anew = sealed.seal(place, sealed.open(place, value));
      await client.query(`UPDATE ${table} SET ${column} = $2 WHERE id = $1`, [id, anew]);
      done.values += 1;
    } catch (error) {
      if (!(error instanceof DecryptionFailed)) throw error;
      done.unopened.push(error.message);
    }
  }
  return rows.length === BATCH ? rows.at(-1)!.id : undefined;
}

/** Encrypts all values of a workspace with its current key, and removes the keys that no value uses. */
async function renewValues(
  pool: pg.Pool,
  master: MasterKeys,
  { workspace_id, columns, done }: { workspace_id: string; columns: readonly Column[]; done: KeyRotation },
): Promise<void> {
  const keys = await keysOf(pool, workspace_id);
  if (keys.every(({ current }) => current)) return;
  const current = keys.find((key) => key.current && key.purpose === 'values')!.id;
  const renewal = { workspace_id, current, sealed: cipherOf(master, workspace_id, keys), done };
  const unopened = done.unopened.length;
  for (const column of columns) {
    let after: string | undefined = FIRST_ID;
    while (after !== undefined) {
      const from: string = after;
      after = await transaction(pool, (client) => renewBatch(client, column, renewal, from));
    }
  }
  if (done.unopened.length > unopened) return;
  await pool.query('DELETE FROM data_keys WHERE workspace_id = $1 AND NOT current', [workspace_id]);
}

/** Returns true if a rotation was started and not finished. The next run continues it, and needs no new master key. */
export async function isUnfinished(pool: pg.Pool, master: MasterKeys): Promise<boolean> {
  const { rows } = await pool.query<{ unfinished: boolean }>(
    'SELECT coalesce(bool_or(NOT current OR master <> $1), FALSE) AS unfinished FROM data_keys',
    [master.newest().name],
  );
  return rows[0]!.unfinished;
}

/**
 * Re-encrypts all workspaces of a service with the newest master key and new data keys. One rotation runs at a time.
 */
export async function rotateKeys(pool: pg.Pool, master: MasterKeys): Promise<KeyRotation> {
  const turn = await pool.connect();
  try {
    await turn.query("SELECT pg_advisory_lock(hashtextextended('rotate-keys', 0))");
    return await rotate(pool, master);
  } finally {
    turn.release(true);
  }
}

async function rotate(pool: pg.Pool, master: MasterKeys): Promise<KeyRotation> {
  const [{ rows: columns }, { rows: workspaces }] = await Promise.all([
    pool.query<Column>(COLUMNS),
    pool.query<{ id: string }>('SELECT DISTINCT workspace_id AS id FROM data_keys ORDER BY 1'),
  ]);
  const done: KeyRotation = { workspaces: workspaces.length, values: 0, unopened: [] };
  for (const { id } of workspaces) {
    try {
      await transaction(pool, (client) => renewKeys(client, master, id));
      await renewValues(pool, master, { workspace_id: id, columns, done });
    } catch (error) {
      // A key that does not open concerns only one workspace: the others continue.
      if (!(error instanceof DecryptionFailed)) throw error;
      done.unopened.push(error.message);
    }
  }
  return done;
}
