/** Rows written as they are: PostgreSQL reads each value as its column's type. */
import { raw, sql } from '@suite/chassis';
import type { Db } from './operations.ts';

/** A row by its columns. What is undefined is not named: a new row gets the column's default there. */
export type Row = Record<string, unknown>;

const columnsOf = (row: Row) =>
  Object.keys(row)
    .filter((name) => row[name] !== undefined)
    .join(', ');

/** Adds rows that name the same columns, in one statement. */
export async function insertRows(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  const columns = raw(columnsOf(rows[0]!));
  await db.rows(sql`
    INSERT INTO ${raw(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::jsonb)`);
}

/** Changes columns of the row with this id. */
export async function updateRow(db: Db, table: string, id: string, row: Row): Promise<void> {
  const columns = raw(columnsOf(row));
  await db.rows(sql`
    UPDATE ${raw(table)} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${raw(table)}, ${JSON.stringify(row)}::jsonb))
    WHERE id = ${id}::uuid`);
}
