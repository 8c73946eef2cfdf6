import type { Rows } from './database.ts';
import { sql } from './sql.ts';

/**
 * Makes the function by which commands of a service wait until nobody else in the workspace changes the same things, and keep
 * others waiting until the transaction ends. For what is rare and small, where a rule is about several rows at once. The service
 * lists the names of such things, so that none is misspelt: `serializer<'shifts' | 'holidays'>()`.
 */
export const serializer =
  <Of extends string>() =>
  async (db: Rows, of: Of): Promise<void> => {
    await db.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`,
    );
  };
