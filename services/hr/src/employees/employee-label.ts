/** Colleagues in a few words. */
import { regardlessOfVisibility, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Names of colleagues by their ids: whoever reads that somebody leads, decides or is away may know who that is. */
export const employeeLabels =
  (db: Db) =>
  (ids: string[]): Promise<object[]> =>
    regardlessOfVisibility(() => db.rows(sql`SELECT id, code, name FROM employees WHERE id = ANY(${ids}::uuid[])`));
