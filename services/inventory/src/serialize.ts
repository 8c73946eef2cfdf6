import { sql } from '@suite/chassis';
import type { Db } from './operations.ts';

/**
 * Waits until nobody else in the workspace rearranges the same things, and keeps others waiting until the transaction
 * ends. For what is rare and small, where a rule is about several rows at once.
 */
export async function serializeOn(db: Db, of: 'units' | 'categories' | 'warehouses' | 'demo'): Promise<void> {
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`);
}
