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

/**
 * Adds a row under the next number of its series, in one statement: others wait for that number no longer than they must.
 * @param shown the columns to return
 */
export async function insertNumbered<Name extends Table, Shown>(
  db: Db,
  table: Name,
  row: Row<Name>,
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

/** Changes columns of the row with this id. */
export async function updateRow<Name extends Table>(db: Db, table: Name, id: string, row: Row<Name>): Promise<void> {
  const columns = columnsOf(row);
  await db.rows(sql`
    UPDATE ${tableNamed(table)} SET (${columns}) = (
      SELECT ${columns} FROM jsonb_populate_record(NULL::${tableNamed(table)}, ${JSON.stringify(row)}::jsonb))
    WHERE id = ${id}::uuid`);
}

/**
 * Waits for statements that were sent at once, in this order. Of those that fail, the first says why: what was sent behind it
 * may fail because of it.
 */
export async function sentAtOnce<const Sent extends readonly unknown[]>(
  sent: Sent,
): Promise<{ -readonly [At in keyof Sent]: Awaited<Sent[At]> }> {
  const settled = await Promise.allSettled(sent);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
