/** Single rows in plain SQL, in the shape of their schema. */
import { empty, join, raw, type Sql } from '@prisma/client/runtime/client';
import type { z } from 'zod';
import type { RowReader } from '../database/database.ts';
import { NotFound } from '../runtime/fault.ts';
import { isOnDemand } from '../lists/choice.ts';
import type { Expansion } from './paginate.ts';
import { asCaller, currentTransaction, unrestricted } from '../database/running.ts';
import { actionColumns } from '../lifecycle/shown-actions.ts';
import { sql } from '../database/sql.ts';
import type { Condition } from '../visibility/condition.ts';

/** Parts that a table's rows show in addition to their columns. */
export interface View {
  table: string;
  /** Source of rows that are stored in no table, under the name of `table`. */
  from?: Sql;
  /** Rows that the caller may see. */
  where?: Sql;
  /** Narrows a list of these rows, see `paginate`. */
  narrowing?: Condition;
  /** Fields that are computed in the query of the row. */
  compute?: Record<string, Sql>;
  /** A lateral join, which several computed fields read. */
  details?: Sql;
  /** Fields that are loaded afterwards, each with one query. */
  expand?: Record<string, Expansion>;
}

/**
 * Returns the columns and the computed fields of a record, for a statement that has just written it: `WITH notes AS
 * (INSERT INTO notes … RETURNING *) SELECT ${shownColumns(Note, view)} FROM notes`.
 */
export function shownColumns(schema: z.ZodObject, { table, compute: given = {}, expand = {} }: View): Sql {
  const { caller } = currentTransaction().context;
  const missing = (name: string) => !(name in given) && !(name in expand);
  const compute: Record<string, Sql> = { ...given, ...actionColumns(schema, { table, caller, missing }) };
  const columns = Object.entries<z.ZodType>(schema.shape)
    .filter(([name, field]) => !(name in compute) && !(name in expand) && !isOnDemand(field))
    .map(([name]) => raw(`${table}.${name}`));
  const computed = Object.entries(compute).map(([name, value]) => sql`(${value}) AS ${raw(name)}`);
  return join([...columns, ...computed]);
}

/** Loads what a record shows in addition to its columns, as the caller sees it. */
export const expandOne = (row: Record<string, unknown>, { expand = {} }: View): Promise<unknown> =>
  asCaller(() => Promise.all(Object.entries(expand).map(([name, fill]) => fill([row], name))));

/**
 * Reads one record in the shape of its schema, with all expansions.
 * @throws NotFound if the record does not exist, or the caller may not see it
 */
export async function readOne<S extends z.ZodObject>(
  db: RowReader,
  schema: S,
  id: string,
  view: View,
): Promise<z.input<S>> {
  const { table, from, where = sql`TRUE`, details = empty } = view;
  const source = from ? sql`${from} AS ${raw(table)}` : raw(table);
  const read = () =>
    db.rows(sql`
      SELECT ${shownColumns(schema, view)} FROM ${source} ${details} WHERE ${raw(table)}.id = ${id}::uuid AND ${where}`);
  // A user who gives up access to a record still gets it in this response.
  const seen = await asCaller(read);
  const [row] = seen.length > 0 ? seen : await asCaller(() => unrestricted(read));
  if (!row) throw NotFound();
  await expandOne(row, view);
  return row as z.input<S>;
}

/**
 * Inserts a row and returns it in the shape of its schema. Undefined fields get the column's default. In plain SQL for
 * frequent inserts: Prisma costs three times as much.
 */
export async function insertOne<S extends z.ZodObject>(
  db: RowReader,
  table: string,
  schema: S,
  columns: Record<string, string | number | null | undefined>,
): Promise<z.input<S>> {
  const given = Object.entries(columns).filter(([, value]) => value !== undefined);
  const names = given.map(([name]) => raw(name));
  const values = given.map(([, value]) => sql`${value}`);
  const [row] = await db.rows(sql`
    INSERT INTO ${raw(table)} (${join(names)}) VALUES (${join(values)}) RETURNING ${shownColumns(schema, { table })}`);
  return row as z.input<S>;
}
