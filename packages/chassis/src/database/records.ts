import { NotFound, Stale } from '../runtime/fault.ts';
import type { Rows } from './database.ts';
import { sql } from './sql.ts';

/** The part of a Prisma model that these functions need. `never` lets any model's own arguments fit. */
interface Table<Row> {
  findFirst(query: never): Promise<Row | null>;
  updateMany(query: never): Promise<{ count: number }>;
  deleteMany(query: never): Promise<{ count: number }>;
}

type RowOf<T> = T extends { findFirst(...args: never[]): PromiseLike<infer R> } ? NonNullable<R> : never;
type Patch<T> = T extends { updateMany(query: infer Q): unknown } ? (Q extends { data: infer D } ? D : never) : never;

/** The workspace's record with this id. @throws NotFound, for unknown and foreign ids alike */
export async function find<T extends object>(table: T, id: string): Promise<RowOf<T>> {
  const row = await (table as Table<RowOf<T>>).findFirst({ where: { id } } as never);
  if (!row) throw NotFound();
  return row;
}

/**
 * Changes the workspace's record with this id, in one guarded statement, and returns it as it is now.
 * @param expect the version that the caller has seen, if it said so
 * @throws NotFound
 * @throws Stale when somebody changed it since
 */
export async function change<T extends object>(
  table: T,
  id: string,
  patch: Patch<T>,
  expect?: number,
): Promise<RowOf<T>> {
  const rows = table as Table<RowOf<T>>;
  const { count } = await rows.updateMany({
    where: { id, ...(expect !== undefined && { version: expect }) },
    data: patch,
  } as never);
  const row = await find(table, id);
  if (count === 0) throw Stale({ version: (row as { version?: number }).version });
  return row;
}

/**
 * Deletes the workspace's record with this id.
 * @throws NotFound
 * @throws InUse when a foreign key holds it
 */
export async function remove<T extends object>(table: T, id: string): Promise<{ id: string }> {
  const { count } = await (table as Table<RowOf<T>>).deleteMany({ where: { id } } as never);
  if (count === 0) throw NotFound();
  return { id };
}

/** Refuses a change by somebody who has seen an older version. The row must be locked. @throws Stale */
export function assertSeen({ version }: { version: number }, expect: number | undefined): void {
  if (expect !== undefined && expect !== version) throw Stale({ version });
}

/**
 * Makes the lock of a service: a command waits until no other transaction of the workspace holds the same name, and holds it
 * until its own transaction ends. For rare and small changes whose rule concerns several rows. The service lists the names, so
 * that none is misspelt: `serializer<'shifts' | 'holidays'>()`.
 */
export const serializer =
  <Of extends string>() =>
  async (db: Rows, of: Of): Promise<void> => {
    await db.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`,
    );
  };
