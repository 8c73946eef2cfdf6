/** The history of a record: who changed which of its fields, read from the journal. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { asCaller, currentTransaction } from '../database/running.ts';
import type { Caller } from '../identity/identity.ts';
import { NotFound } from '../runtime/fault.ts';
import { type Columns, fieldChanges } from './field-changes.ts';
import { CHANGE, type JournalChange, type RecordChange, recordChangeOf } from './record-change.ts';
import { deletedRecords, visibleAmong } from './record-states.ts';
import { type RecordType, viewableType } from './record-type.ts';

/** A page of the changes of a record, the newest first. */
export interface RecordHistory {
  changes: RecordChange[];
  total: number;
}

/** A requested page. */
export interface HistoryRequest {
  record_type: string;
  record_id: string;
  offset: number;
  limit: number;
}

/** Returns the changes of a record in the journal, as a source. */
const changesIn = ({ table }: RecordType, id: string): Sql =>
  sql`journal_changes WHERE table_name = ${table} AND record_id = ${id} AND records @> ARRAY[${id}::uuid]`;

/** Returns the columns of a record that the caller sees. @throws NotFound */
async function visibleRecord(
  db: RowReader,
  { table, narrowing }: RecordType,
  id: string,
): Promise<Columns | undefined> {
  const narrowed = currentTransaction().seen?.narrowing(table, narrowing) ?? sql`TRUE`;
  const [row] = await asCaller(() =>
    db.rows<Columns>(sql`SELECT * FROM ${raw(table)} WHERE id = ${id}::uuid AND ${narrowed}`),
  );
  return row;
}

/** Returns the last columns of a deleted record that the caller saw. @throws NotFound for any other record */
async function deletedRecord(db: RowReader, type: RecordType, id: string): Promise<Columns> {
  const last = (await deletedRecords(db, type.table, [id])).get(id);
  if (!last || !(await visibleAmong(db, type, [last])).has(0)) throw NotFound();
  return last;
}

/**
 * Returns a page of the changes of a record, the newest first, in a transaction that reads all data.
 * @throws the fault of `viewableType`, or NotFound if the caller does not see the record
 */
export async function readHistory(
  db: RowReader,
  types: readonly RecordType[],
  { record_type, record_id, offset, limit }: HistoryRequest,
  caller: Caller,
): Promise<RecordHistory> {
  const type = viewableType(types, record_type, caller);
  const around = (await visibleRecord(db, type, record_id)) ?? (await deletedRecord(db, type, record_id));
  if (type.kind !== undefined && around['kind'] !== type.kind) throw NotFound();
  const source = changesIn(type, record_id);
  const rows = await db.rows<JournalChange>(sql`
    SELECT ${CHANGE} FROM ${source} ORDER BY position DESC, number DESC LIMIT ${limit} OFFSET ${offset}`);
  const [counted] = await db.rows<{ total: number }>(sql`SELECT count(*)::int AS total FROM ${source}`);
  const changes = rows.map((row) => ({
    ...recordChangeOf(row),
    fields: fieldChanges(type.schema, row, { around, caller }),
  }));
  return { changes, total: counted?.total ?? 0 };
}
