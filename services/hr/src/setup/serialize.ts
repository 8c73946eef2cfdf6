import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Waits until nobody else in the workspace changes the same things, and keeps others waiting until the transaction ends. */
export async function serializeOn(
  db: Db,
  of: 'departments' | 'holidays' | 'managers' | 'notices' | 'salary_components' | 'shifts',
): Promise<void> {
  await db.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`);
}
