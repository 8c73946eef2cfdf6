import { NotFound, sql } from '@suite/chassis';
import type { Db } from './operations.ts';
import { type Table, tableNamed } from './tables.ts';

/**
 * Makes sure that there is a row. Called before neighbours are asked about a body: an unknown record is told before what is
 * wrong with a change of it.
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
