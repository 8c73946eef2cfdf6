/** The common parts of the baselines of trade: both databases, transactions in them, events, and sums of money. */
import { randomUUIDv7 } from 'node:crypto';
import pg from 'pg';
import { childSettings } from '../load/child-process.ts';

export interface Settings {
  finance_url: string;
  inventory_url: string;
  workspace_id: string;
  user_id: string;
}

const { finance_url, inventory_url, ...who } = childSettings<Settings>();
export const { workspace_id, user_id } = who;
pg.types.setTypeParser(pg.types.builtins.DATE, (value) => value);
const poolOf = (connectionString: string) => new pg.Pool({ connectionString, max: 8, options: '-c timezone=UTC' });
export const [finance, inventory] = [poolOf(finance_url), poolOf(inventory_url)];
const actor = JSON.stringify({ user_id });

/** One transaction, in the words in which triggers and defaults want to hear of it. */
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

/** Marked as published: nobody would publish it here, and the services must not do so on this account. */
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

export const cents = (amount: string | number): number => Math.round(Number(amount) * 100);
export const money = (amount: number): string => (amount / 100).toFixed(2);
