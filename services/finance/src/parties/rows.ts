/** Writes rows without conversion: PostgreSQL reads each value as its column's type. */
import { raw, sql, type Sql } from '@suite/chassis/database';
import type { NumberInStatement } from '@suite/numbering';
import { type Column, columnNamed, type Db, type Table, tableNamed } from '../operations.ts';

/** Row by column. Undefined columns are omitted, so a new row gets the column's default. */
export type TableRow<Name extends Table> = Partial<Record<Column<Name>, unknown>>;

const columnsOf = (row: object): Sql =>
  raw(
    Object.entries(row)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name)
      .join(', '),
  );

/** Inserts rows with the same columns, in one statement. */
export async function insertRows<Name extends Table>(
  db: Db,
  table: Name,
  rows: readonly TableRow<Name>[],
): Promise<void> {
  const columns = columnsOf(rows[0]!);
  await db.rows(sql`
    INSERT INTO ${tableNamed(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${tableNamed(table)}, ${JSON.stringify(rows)}::jsonb)`);
}

/**
 * Inserts a row with the next number of its series in one statement, to keep the lock on the series short.
 * @param shown the columns to return
 */
export async function insertNumbered<Name extends Table, Shown>(
  db: Db,
  table: Name,
  row: TableRow<Name>,
  { column, number: { counter, number }, shown }: { column: Column; number: NumberInStatement; shown: Sql },
): Promise<Shown> {
  const columns = columnsOf(row);
  const [made] = await db.rows<Shown>(sql`
    WITH counter AS (${counter})
    INSERT INTO ${tableNamed(table)} (${columns}, ${columnNamed(column)}) SELECT ${columns}, ${number}
    FROM counter, jsonb_populate_record(NULL::${tableNamed(table)}, ${JSON.stringify(row)}::jsonb)
    RETURNING ${shown}`);
  return made!;
}

/** Updates columns of the row with this ID. */
export async function updateRow<Name extends Table>(
  db: Db,
  table: Name,
  id: string,
  row: TableRow<Name>,
): Promise<void> {
  const columns = columnsOf(row);
  await db.rows(sql`
    UPDATE ${tableNamed(table)} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${tableNamed(table)}, ${JSON.stringify(row)}::jsonb))
    WHERE id = ${id}::uuid`);
}
