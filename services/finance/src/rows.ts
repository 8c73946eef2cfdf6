/** Rows written as they are: PostgreSQL reads each value as its column's type. */
import { raw, sql, type Sql } from '@suite/chassis';
import type { NumberInStatement } from '@suite/numbering';
import type { Db } from './operations.ts';
import { type Column, columnNamed, type Table, tableNamed } from './tables.ts';

/** A row by its columns. What is undefined is not named: a new row gets the column's default there. */
export type Row<Name extends Table> = Partial<Record<Column<Name>, unknown>>;

const columnsOf = (row: object): Sql =>
  raw(
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name)
      .join(', '),
  );

/** Adds rows that name the same columns, in one statement. */
export async function insertRows<Name extends Table>(db: Db, table: Name, rows: readonly Row<Name>[]): Promise<void> {
  const columns = columnsOf(rows[0]!);
  await db.rows(sql`
    INSERT INTO ${tableNamed(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${tableNamed(table)}, ${JSON.stringify(rows)}::jsonb)`);
}

/** Adds a row under the next number of its series, in one statement: others wait for that number no longer than they must. */
export async function insertNumbered<Name extends Table>(
  db: Db,
  table: Name,
  row: Row<Name>,
  [column, { counter, number }]: [Column, NumberInStatement],
): Promise<string> {
  const columns = columnsOf(row);
  const [made] = await db.rows<{ number: string }>(sql`
    WITH counter AS (${counter})
    INSERT INTO ${tableNamed(table)} (${columns}, ${columnNamed(column)}) SELECT ${columns}, ${number}
    FROM counter, jsonb_populate_record(NULL::${tableNamed(table)}, ${JSON.stringify(row)}::jsonb)
    RETURNING ${columnNamed(column)} AS number`);
  return made!.number;
}

/** Changes columns of the row with this id. */
export async function updateRow<Name extends Table>(db: Db, table: Name, id: string, row: Row<Name>): Promise<void> {
  const columns = columnsOf(row);
  await db.rows(sql`
    UPDATE ${tableNamed(table)} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${tableNamed(table)}, ${JSON.stringify(row)}::jsonb))
    WHERE id = ${id}::uuid`);
}
