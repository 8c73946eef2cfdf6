import { join, NotFound, raw, type Sql, sql } from '@suite/chassis';
import type { z } from 'zod';
import type { Db } from './operations.ts';

/** Fills one field of rows, as `one` and `many` of the chassis make it. */
export type Expansion = (rows: Record<string, unknown>[], name: string) => Promise<void>;

/** What a table's rows show beside their columns. */
export interface View {
  table: string;
  /** Which rows the caller may see. */
  where?: Sql;
  /** Fields that are computed with the row. */
  compute?: Record<string, Sql>;
  /** Fields that are loaded after it, each with one query. */
  expand?: Record<string, Expansion>;
}

/**
 * Reads one record as its schema shows it, everything expanded.
 * @throws NotFound when there is no such record, or the caller may not see it
 */
export async function readOne<S extends z.ZodObject>(db: Db, schema: S, id: string, view: View): Promise<z.input<S>> {
  const { table, where = sql`TRUE`, compute = {}, expand = {} } = view;
  const columns = Object.keys(schema.shape)
    .filter((name) => !(name in compute) && !(name in expand))
    .map((name) => raw(`${table}.${name}`));
  const computed = Object.entries(compute).map(([name, value]) => sql`(${value}) AS ${raw(name)}`);
  const rows = await db.rows(sql`
    SELECT ${join([...columns, ...computed])} FROM ${raw(table)} WHERE ${raw(table)}.id = ${id}::uuid AND ${where}`);
  if (rows.length === 0) throw NotFound();
  for (const [name, fill] of Object.entries(expand)) await fill(rows, name);
  return rows[0] as z.input<S>;
}
