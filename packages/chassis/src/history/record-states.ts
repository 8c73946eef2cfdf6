/** Present and last states of records, and whether a caller sees them. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { asCaller, currentTransaction } from '../database/running.ts';
import type { Columns } from './field-changes.ts';
import { exact } from './record-change.ts';
import type { RecordType } from './record-type.ts';

interface RecordRow {
  id: string;
  columns: Columns;
}

const byId = (rows: readonly RecordRow[]) => new Map(rows.map(({ id, columns }) => [id, columns]));

/** Returns the columns of present records that the caller sees, or of all present records. */
export async function presentRecords(db: RowReader, table: string, ids: readonly string[], condition: Sql) {
  const rows = await db.rows<RecordRow>(
    sql`SELECT id, ${exact(`to_jsonb(${table})`)} AS columns FROM ${raw(table)} WHERE id = ANY (${ids}::uuid[]) AND ${condition}`,
  );
  return byId(rows);
}

/** Returns the last columns of deleted records. */
export async function deletedRecords(db: RowReader, table: string, ids: readonly string[]) {
  const rows = await db.rows<RecordRow>(sql`
    SELECT record_id AS id, ${exact('before')} AS columns FROM journal_changes
    WHERE records && ${ids}::uuid[] AND table_name = ${table} AND record_id = ANY (${ids}::text[]) AND action = 'delete'`);
  return byId(rows);
}

/** Returns the numbers of the rows that the caller would see, if they were in the table. */
export async function visibleAmong(db: RowReader, { table, narrowing }: RecordType, rows: readonly Columns[]) {
  const { seen } = currentTransaction();
  const conditions = [seen?.condition(table), narrowing && seen?.narrowing(table, narrowing)];
  const condition = join([sql`TRUE`, ...conditions.flatMap((each) => each ?? [])], ' AND ');
  const found = await asCaller(() =>
    db.rows<{ number: number }>(sql`
      SELECT (row.number - 1)::int AS number FROM jsonb_array_elements(${JSON.stringify(rows)}::jsonb) WITH ORDINALITY AS row (columns, number)
      WHERE EXISTS (SELECT FROM jsonb_populate_record(NULL::${raw(table)}, row.columns) AS ${raw(table)} WHERE ${condition})`),
  );
  return new Set(found.map(({ number }) => number));
}
