import { empty, join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Rows } from './database.ts';
import { cast, condition, ours } from './conditions.ts';
import type { ListRequest, Page } from '../operation/list.ts';
import type { SortKey } from '../operation/list-cursor.ts';
import { asSeen, current } from './running.ts';
import type { Condition } from '../visibility/condition.ts';

/** Totals are counted up to here; beyond, a caller is told "more than". */
const TOTAL_MAX = 10_000;

type Row = Record<string, unknown>;
/** Fills one field of all rows of a page with one query. */
export type Expansion = (rows: Row[], name: string) => Promise<void>;

/** Expands to the record that `key` names: `owner: one('owner_id', (ids) => db.rows(sql`…`))`; rows have an `id`. */
export const one =
  (key: string, load: (ids: string[]) => Promise<object[]>): Expansion =>
  async (rows, name) => {
    const ids = [...new Set(rows.map((row) => row[key]).filter((id) => id !== null))] as string[];
    const found = new Map((ids.length ? await load(ids) : []).map((record) => [(record as Row)['id'], record]));
    for (const row of rows) row[name] = found.get(row[key]) ?? null;
  };

/** Expands to the records whose `key` names the row: `labels: many('lead_id', (ids) => db.rows(sql`…`))`. */
export const many =
  (key: string, load: (ids: string[]) => Promise<object[]>): Expansion =>
  async (rows, name) => {
    const found = rows.length ? await load(rows.map((row) => row['id'] as string)) : [];
    const groups = Map.groupBy(found, (record) => (record as Row)[key]);
    for (const row of rows) row[name] = groups.get(row['id']) ?? [];
  };

/** Rows behind the cursor, for an order in which every key falls and none is null: one comparison that an index serves. */
function afterTuple(table: string, sort: SortKey[], after: unknown[]): Sql {
  const names = raw(sort.map(({ column }) => `${table}.${column}`).join(', '));
  const values = join(sort.map(({ kind }, at) => cast(after[at], kind)));
  return sort[0]!.descending ? sql`(${names}) < (${values})` : sql`(${names}) > (${values})`;
}

/** Rows behind the cursor, key by key, for mixed directions and keys that can be null (nulls come last). */
function afterKeys(table: string, sort: SortKey[], after: unknown[]): Sql {
  const ways = sort.map((key, at) => {
    const equal = sort
      .slice(0, at)
      .map(
        ({ column, kind }, before) =>
          sql`${raw(`${table}.${column}`)} IS NOT DISTINCT FROM ${cast(after[before], kind)}`,
      );
    const name = raw(`${table}.${key.column}`);
    const beyond = sql`${name} ${raw(key.descending ? '<' : '>')} ${cast(after[at], key.kind)}`;
    const further = after[at] === null ? sql`FALSE` : key.nullable ? sql`(${beyond} OR ${name} IS NULL)` : beyond;
    return sql`(${join([...equal, further], ' AND ')})`;
  });
  return sql`(${join(ways, ' OR ')})`;
}

function after(table: string, { sort, after: values }: ListRequest): Sql {
  const uniform = sort.every(({ descending, nullable }) => !nullable && descending === sort[0]!.descending);
  return uniform ? afterTuple(table, sort, values!) : afterKeys(table, sort, values!);
}

function order(table: string, sort: SortKey[]): Sql {
  return raw(
    sort
      .map(
        ({ column, descending, nullable }) =>
          `${table}.${column} ${descending ? 'DESC' : 'ASC'}${nullable ? ' NULLS LAST' : ''}`,
      )
      .join(', '),
  );
}

/**
 * One page of a table, in two statements and one more for each expansion.
 * Names of tables and columns come from declarations only; values are always parameters.
 * @param options.where which rows the list is of; what of them the caller may see, the table's visibility says
 * @param options.narrowing which of those rows somebody sees who sees a part, where the visibility of the table speaks of more
 * @param options.from where the rows come from when they lie in no table, under the name of `table`
 * @param options.compute fields of a row that are no columns
 */
export const paginate = (db: Rows, request: ListRequest, options: PageOptions): Promise<Page> =>
  asSeen(() => readPage(db, request, options));

interface PageOptions {
  table: string;
  from?: Sql;
  where?: Sql;
  narrowing?: Condition;
  compute?: Record<string, Sql>;
  expand?: Record<string, Expansion>;
}

async function readPage(db: Rows, request: ListRequest, options: PageOptions): Promise<Page> {
  const { table, compute = {} } = options;
  const source = options.from ? sql`${options.from} AS ${raw(table)}` : raw(table);
  const conditions = [ours(table), ...request.filters.map((filter) => condition(table, filter, compute))];
  if (options.where) conditions.push(options.where);
  const narrowing = current().seen?.narrowing(table, options.narrowing);
  if (narrowing) conditions.push(narrowing);
  if (request.q) conditions.push(sql`${raw(`${table}.id`)} IN (SELECT suite_search(${table}::regclass, ${request.q}))`);
  const matching = sql`WHERE ${join(conditions, ' AND ')}`;
  const behind = request.after ? sql`AND ${after(table, request)}` : empty;
  const columns = request.columns.filter((name) => !(name in compute)).map((name) => raw(`${table}.${name}`));
  const computed = Object.entries(compute).map(([name, expression]) => sql`(${expression}) AS ${raw(name)}`);
  const offset = request.after ? 0 : (request.page - 1) * request.per_page;

  const found = await db.rows<Row>(
    sql`SELECT ${join([...columns, ...computed])} FROM ${source} ${matching} ${behind} ORDER BY ${order(table, request.sort)} LIMIT ${request.per_page + 1} OFFSET ${offset}`,
    'planned each time',
  );
  const rows = found.slice(0, request.per_page);
  const [counted] = await db.rows<{ total: number }>(
    sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${source} ${matching} LIMIT ${TOTAL_MAX + 1}) AS matching`,
    'planned each time',
  );
  for (const name of request.expand) await options.expand?.[name]?.(rows, name);
  const total = counted?.total ?? 0;
  return {
    rows,
    page: request.page,
    per_page: request.per_page,
    total: Math.min(total, TOTAL_MAX),
    total_is_exact: total <= TOTAL_MAX,
    next_cursor: found.length > request.per_page ? request.cursorAfter(rows.at(-1)!) : null,
  };
}
