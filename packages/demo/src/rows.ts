/** Writes the rows of a demo as one JSON value for each table. */
import { randomUUIDv7 } from 'node:crypto';
import { join, raw, sql, type Sql } from '@suite/chassis/database';

/** The part of a service's database that runs statements. */
interface StatementRunner {
  rows(statement: Sql): Promise<unknown>;
}

/**
 * Inserts rows in one statement, in their order. PostgreSQL reads each value as its column's type. Prisma's `createMany`
 * compiles and sends each value as a parameter of its own, which takes several times as long for hundreds of rows.
 * A column that no row sets gets its default. A column that only some rows set is null in the others.
 * @param skipDuplicates true to skip rows that already exist
 */
export async function insertRows(
  db: StatementRunner,
  table: string,
  rows: readonly object[],
  { skipDuplicates = false } = {},
): Promise<void> {
  const named = new Set(
    rows.flatMap((row) => Object.entries(row).filter(([, value]) => value !== undefined)).map(first),
  );
  if (named.size === 0) return;
  const columns = join([...named].map((name) => raw(`"${name}"`)));
  await db.rows(sql`
    INSERT INTO ${raw(table)} (${columns})
    SELECT ${columns} FROM jsonb_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::jsonb)
    ${raw(skipDuplicates ? 'ON CONFLICT DO NOTHING' : '')}`);
}

const first = ([name]: [string, unknown]): string => name;

/** Returns the rows with an ID each, in their order. */
export const withIds = <Row extends object>(rows: readonly Row[]): (Row & { id: string })[] =>
  rows.map((row) => ({ ...row, id: randomUUIDv7() }));
