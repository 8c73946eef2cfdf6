import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Db } from './operations.ts';
import { type Table, tableNamed } from './tables.ts';

/**
 * Checks that a row exists. Called before other services are queried about a body, so that an unknown record is
 * reported before an invalid change.
 * @throws NotFound
 */
export async function assertExists(db: Db, table: Table, id: string): Promise<void> {
  const rows = await db.rows(sql`SELECT id FROM ${tableNamed(table)} WHERE id = ${id}::uuid`);
  if (rows.length === 0) throw NotFound();
}

/** Locks a row until the transaction ends. @throws NotFound */
export async function lockRow(db: Db, table: Table, id: string): Promise<void> {
  const rows = await db.rows(sql`SELECT id FROM ${tableNamed(table)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (rows.length === 0) throw NotFound();
}
