import { NotFound, Stale } from '../runtime/fault.ts';
import type { RowReader } from './database.ts';
import { currentTransaction } from './running.ts';
import { sql } from './sql.ts';

/** The part of a Prisma model that these functions need. `never` accepts the arguments of any model. */
interface Table<Row> {
  findFirst(query: never): Promise<Row | null>;
  updateMany(query: never): Promise<{ count: number }>;
  deleteMany(query: never): Promise<{ count: number }>;
}

type RowOf<T> = T extends { findFirst(...args: never[]): PromiseLike<infer R> } ? NonNullable<R> : never;
type Patch<T> = T extends { updateMany(query: infer Q): unknown } ? (Q extends { data: infer D } ? D : never) : never;

/** Returns the workspace's record with this ID. @throws NotFound for unknown IDs and for IDs of other workspaces */
export async function find<T extends object>(table: T, id: string): Promise<RowOf<T>> {
  const row = await (table as Table<RowOf<T>>).findFirst({ where: { id } } as never);
  if (!row) throw NotFound();
  return row;
}

/**
 * Changes the workspace's record with this ID in one guarded statement, and returns the changed record.
 * @param expect version that the caller has seen, if any
 * @throws NotFound
 * @throws Stale if the record has changed since
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
 * Deletes the workspace's record with this ID.
 * @throws NotFound
 * @throws InUse when a foreign key refers to the record
 */
export async function remove<T extends object>(table: T, id: string): Promise<{ id: string }> {
  const { count } = await (table as Table<RowOf<T>>).deleteMany({ where: { id } } as never);
  if (count === 0) throw NotFound();
  return { id };
}

/** Rejects a change that is based on an older version. The row must be locked. @throws Stale */
export function assertVersion({ version }: { version: number }, expect: number | undefined): void {
  if (expect !== undefined && expect !== version) throw Stale({ version });
}

/**
 * Creates the lock of a service. A command waits until no other transaction of the workspace has the lock of the same
 * name. It releases the lock when its own transaction ends. For rare and small changes with a rule over several rows.
 * The service lists the names, so that none is misspelt: `serializer<'shifts' | 'holidays'>()`.
 */
export const serializer =
  <Of extends string>() =>
  async (db: RowReader, of: Of): Promise<void> => {
    await db.rows(
      sql`SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${of}, 0))`,
    );
  };

/**
 * Returns a reader that asks the database once per transaction and key. Later calls in the transaction get the first
 * result, even if the row has changed since: lock the row where that matters.
 */
export function oncePerTransaction<Db, T>(
  read: (db: Db, key: string) => Promise<T>,
): (db: Db, key: string) => Promise<T> {
  const known = new WeakMap<object, Map<string, Promise<T>>>();
  return (db, key) => {
    const transaction = currentTransaction();
    const found = known.get(transaction) ?? new Map<string, Promise<T>>();
    known.set(transaction, found);
    const result = found.get(key) ?? read(db, key);
    found.set(key, result);
    return result;
  };
}
