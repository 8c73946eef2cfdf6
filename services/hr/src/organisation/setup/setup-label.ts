/** Short forms of setup records. */
import { raw, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Returns the names of setup records by ID. */
export const setupLabels =
  (db: Db, table: 'branches' | 'departments' | 'designations' | 'shifts') =>
  (ids: string[]): Promise<object[]> =>
    db.rows(sql`SELECT id, name FROM ${raw(table)} WHERE id = ANY(${ids}::uuid[])`);
