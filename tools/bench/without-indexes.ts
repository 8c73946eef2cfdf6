import type pg from 'pg';

/** Everything that PostgreSQL keeps up row by row, and can make at once much faster. */
const KEPT_UP = `
  SELECT format('DROP INDEX %s', indexrelid::regclass) AS away, pg_get_indexdef(indexrelid) AS back
  FROM pg_index WHERE indrelid = ANY($1::regclass[]) AND NOT indisunique
  UNION ALL
  SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
    format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE conrelid = ANY($1::regclass[]) AND contype = 'f'`;

/**
 * Fills tables without their indexes, foreign keys and triggers, which are all there again afterwards. What rows leave in
 * the audit log is no part of reading them.
 */
export async function withoutIndexes(
  client: pg.Client,
  tables: readonly string[],
  fill: () => Promise<unknown>,
): Promise<void> {
  const { rows: kept_up } = await client.query<{ away: string; back: string }>(KEPT_UP, [tables]);
  for (const { away } of kept_up) await client.query(away);
  for (const table of tables) await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`);
  await fill();
  for (const table of tables) await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`);
  await client.query(`SET maintenance_work_mem = '256MB'`);
  for (const { back } of kept_up) await client.query(back);
  // What autovacuum does by itself a minute later, in the middle of a round.
  for (const table of tables) await client.query(`VACUUM (ANALYZE) ${table}`);
}

/** An id that rises with time as those of the services do, from a moment and a hash. */
export const idAt = (at: string, hash: string): string =>
  `(lpad(to_hex((extract(epoch FROM ${at}) * 1000)::bigint), 12, '0') || '7' || substr(${hash}, 1, 3) || '8' || substr(${hash}, 4, 15))::uuid`;
