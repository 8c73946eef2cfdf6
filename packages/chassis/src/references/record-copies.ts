/**
 * Copies that requests write from the owner's response. A request reads a record before its transaction. The record can
 * change before the commit, and the service can process the event in the meantime. Both sides therefore store the newest
 * state, and a trigger (packages/migrations/sql/copies.sql) writes it to each new copy. The later side finds the other:
 * either the request reads the state from the event, or the consumer waits for the row and updates it.
 */
import { raw, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { type CopiedKind, copyValueSql, fieldsIn } from './copy.ts';

/** A record of another service, as its owner returned or announced it: at least the copied fields, ID and version. */
type RecordState<Key extends string> = Readonly<Record<Key, string>> & { readonly version: number };

/** Copies of a kind of record that requests of a service write. */
export interface RecordCopies<Key extends string> {
  /**
   * Stores what the owner returned, before a request writes copies. Call it first in the transaction: the consumer locks
   * the record before the rows. Another order can end in a deadlock, which PostgreSQL resolves only after a second.
   */
  remember(db: RowReader, state: RecordState<Key> | undefined): Promise<void>;
  /** Updates all copies after an event of the owner. Waits for transactions that are writing copies of the record. */
  update(db: RowReader, state: RecordState<Key>): Promise<void>;
}

/** Writes the newest fields of a record to its copies in a table. Copies that already have them stay unchanged. */
async function updateRows(db: RowReader, copied: CopiedKind, id: string, newest: Record<string, unknown>) {
  const fields = Object.entries(copied.columns).map(([field, column]) => [column, field, newest[field]] as const);
  const names = fields.map(([column]) => column);
  const columns = Object.fromEntries(fields.map(([column, , value]) => [column, value]));
  const values = Object.fromEntries(fields.map(([, field, value]) => [field, value]));
  await db.rows(sql`
    UPDATE ${raw(`${copied.table} AS given SET (${names.join(', ')})`)} = (
      SELECT ${raw(names.map((name) => `stored.${name}`).join(', '))}
      FROM jsonb_populate_record(${raw(`NULL::${copied.table}`)}, ${JSON.stringify(columns)}::jsonb) AS stored)
    WHERE ${raw(`given.${copied.id}`)} = ${id}::uuid
      AND ${raw(copyValueSql(copied))} IS DISTINCT FROM ${JSON.stringify(values)}::jsonb`);
}

/**
 * Returns the access to a service's copies of a kind of record that requests write.
 * @param copies all copies that the service declares
 * @param key the field with the ID in responses and events of the owner
 */
export function recordCopies<Key extends string>(
  copies: readonly CopiedKind[],
  noun: `${string}.${string}`,
  key: Key,
): RecordCopies<Key> {
  const written = copies.filter((copied) => copied.noun === noun && copied.written_by_requests);
  const names = fieldsIn(written);

  /** Stores a state unless a newer one is known. Returns the newest fields. */
  async function storeState(
    db: RowReader,
    state: RecordState<Key>,
    exclusive: boolean,
  ): Promise<Record<string, unknown>> {
    const fields = JSON.stringify(Object.fromEntries(names.map((name) => [name, Reflect.get(state, name)])));
    const [stored] = await db.rows<{ fields: Record<string, unknown> }>(sql`
      SELECT suite_store_state(${noun}, ${state[key]}::uuid, ${state.version}::int, ${fields}::jsonb, ${exclusive}::boolean) AS fields`);
    return stored!.fields;
  }

  return {
    async remember(db, state) {
      if (state) await storeState(db, state, false);
    },
    async update(db, state) {
      const newest = await storeState(db, state, true);
      for (const copied of written) await updateRows(db, copied, state[key], newest);
    },
  };
}
