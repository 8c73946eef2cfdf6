/** Rows of setup in a few words. */
import { raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Names of rows of setup by their ids. */
export const setupLabels =
  (db: Db, table: 'branches' | 'departments' | 'designations' | 'shifts') =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name FROM ${raw(table)} WHERE id = ANY(${ids}::uuid[])`);
