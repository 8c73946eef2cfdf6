import { assertRequestVisible } from './list-visible.ts';
import { empty, join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Rows } from '../database/database.ts';
import { cast, condition, ours } from './conditions.ts';
import type { ListRequest, Page } from '../operation/list.ts';
import { RANK, type SortKey } from '../operation/list-cursor.ts';
import { asSeen, current } from '../database/running.ts';
import { questionOf } from './counted.ts';
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
 * @param options.sums figures of all rows of the list, not of the page alone: they are shown beside it
 * @param options.matches the rows that have what is searched for, with how well (`id`, `rank`), where more is searched than `search`
 * @param options.compute fields of a row that are no columns; one that is a query of its own is there only where it is shown
 */
export async function paginate(db: Rows, request: ListRequest, options: PageOptions): Promise<Page> {
  // Here as well as before the transaction: a list that a body asks for is read by the same grammar.
  assertRequestVisible(request, current().context.caller);
  return await asSeen(() => readPage(db, request, options));
}

interface PageOptions {
  table: string;
  from?: Sql;
  where?: Sql;
  narrowing?: Condition;
  compute?: Record<string, Sql>;
  expand?: Record<string, Expansion>;
  sums?: Record<string, Sql>;
  matches?: Sql;
}

/** The rows of a list, but for the page that is asked for. */
interface Listing {
  /** Where the rows come from. */
  source: Sql;
  /** Which of them the list is of, among those that the caller sees. */
  listed: Sql;
  /** Which of these have what is searched for. */
  matching: Sql;
  /** Whether the caller sees a part of the rows. */
  narrowed: boolean;
}

/** A word that many rows have is found among as many at the head of a list; the index of words would gather all of them. */
const HEAD = 500;

const isRanked = ({ sort }: ListRequest): boolean => sort[0]?.column === RANK;

/** Rows with how well they match: a heavier part of `search`, such as a title, counts more. */
function rankedRows({ table, from, matches }: PageOptions, q: string | undefined): Sql {
  const rank = matches ? sql`matches.rank` : sql`ts_rank(ranked.search, suite_query(${q}))`;
  const joined = matches ? sql`JOIN (${matches}) AS matches ON matches.id = ranked.id` : empty;
  return sql`(
    SELECT ranked.*, round((${rank})::numeric, 6) AS ${raw(RANK)} FROM ${from ?? raw(table)} AS ranked ${joined})`;
}

function listingOf(request: ListRequest, options: PageOptions): Listing {
  const { table, from, where, narrowing, compute = {}, matches } = options;
  const rows = isRanked(request) ? rankedRows(options, request.q) : from;
  const source = rows ? sql`${rows} AS ${raw(table)}` : raw(table);
  const conditions = [ours(table), ...request.filters.map((filter) => condition(table, filter, compute))];
  if (where) conditions.push(where);
  const narrowed = current().seen?.narrowing(table, narrowing);
  if (narrowed) conditions.push(narrowed);
  const listed = sql`WHERE ${join(conditions, ' AND ')}`;
  const found = matches
    ? sql`SELECT matches.id FROM (${matches}) AS matches`
    : sql`SELECT suite_search(${table}::regclass, ${request.q})`;
  const isSearched = request.q !== undefined && request.q !== '' && !(matches && isRanked(request));
  return {
    source,
    listed,
    // The ids first: a join with them may be answered by reading all rows of the workspace, where an index has every column.
    matching: isSearched ? sql`${listed} AND ${raw(`${table}.id`)} = ANY (ARRAY(${found}))` : listed,
    narrowed: narrowed !== undefined,
  };
}

const offsetOf = ({ after, page, per_page }: ListRequest): number => (after ? 0 : (page - 1) * per_page);

/** The columns and computed fields to read; look-ups in other tables only where the caller asked for them. */
function selected(request: ListRequest, { table, compute = {} }: PageOptions): Sql {
  const { columns, fields } = request;
  const isShown = ([name, { text }]: [string, Sql]) => !fields || fields.has(name) || !/^\s*SELECT\b/i.test(text);
  const computed = Object.entries(compute).filter(isShown);
  return join([
    ...columns.filter((name) => !(name in compute)).map((name) => raw(`${table}.${name}`)),
    ...(isRanked(request) ? [raw(`${table}.${RANK}`)] : []),
    ...computed.map(([name, expression]) => sql`(${expression}) AS ${raw(name)}`),
  ]);
}

/** The rows of some ids, in the order of the list. */
function rowsOf(request: ListRequest, options: PageOptions, { source }: Listing, ids: Sql): Sql {
  const { table } = options;
  return sql`SELECT ${selected(request, options)} FROM ${source}
    WHERE ${ours(table)} AND ${raw(`${table}.id`)} = ANY (ARRAY(${ids})) ORDER BY ${order(table, request.sort)}`;
}

const behindCursor = (table: string, request: ListRequest): Sql =>
  request.after ? sql`AND ${after(table, request)}` : empty;

/** The rows of a page, and one more where there is one. */
function pageOf(request: ListRequest, options: PageOptions, listing: Listing): Sql {
  const { table, from } = options;
  const { source, matching } = listing;
  const offset = offsetOf(request);
  const part = sql`${matching} ${behindCursor(table, request)} ORDER BY ${order(table, request.sort)} LIMIT ${raw(String(request.per_page + 1))} OFFSET ${raw(String(offset))}`;
  if (offset === 0 || from) return sql`SELECT ${selected(request, options)} FROM ${source} ${part}`;
  // The ids of the page first: whatever is computed of a row would be computed of those that are skipped, too.
  return rowsOf(request, options, listing, sql`SELECT ${raw(`${table}.id`)} FROM ${source} ${part}`);
}

/** Searches the first rows of the list: a frequent word fills the first page from them. */
function headOf(request: ListRequest, options: PageOptions, listing: Listing): Sql {
  const { table } = options;
  const { sort, per_page, q } = request;
  const columns = [...sort.map(({ column }) => column), 'search'].map((name) => `${table}.${name}`);
  const head = sql`SELECT ${raw(columns.join(', '))} FROM ${listing.source} ${listing.listed} ${behindCursor(table, request)}
    ORDER BY ${order(table, sort)} LIMIT ${raw(String(HEAD))}`;
  const ids = sql`SELECT head.id FROM (${head}) AS head WHERE head.search @@ (SELECT suite_query(${q}))
    ORDER BY ${order('head', sort)} LIMIT ${raw(String(per_page + 1))}`;
  return rowsOf(request, options, listing, ids);
}

/**
 * Whether one plan serves a question whoever asks it: the workspace and equal values choose the index, the order sorts it.
 * For other filters the best plan depends on how many rows they leave: such a statement is planned each time.
 */
function planFor({ filters }: ListRequest, { narrowed }: Listing): 'planned each time' | undefined {
  const isSteady = !narrowed && filters.every(({ operator, through }) => operator === 'eq' && !through);
  return isSteady ? undefined : 'planned each time';
}

/** Reads the rows of a page, and one more where there is one. */
async function findRows(db: Rows, request: ListRequest, options: PageOptions, listing: Listing): Promise<Row[]> {
  // Each deep page is a statement of its own.
  const isFirst = offsetOf(request) === 0;
  const plan = isFirst ? planFor(request, listing) : 'planned each time';
  if (request.q && isFirst && !isRanked(request) && !options.matches) {
    const found = await db.rows<Row>(headOf(request, options, listing), plan);
    if (found.length > request.per_page) return found;
  }
  return await db.rows<Row>(pageOf(request, options, listing), plan);
}

/**
 * How many rows a list is of. A last page tells it by itself, a cursor brings it along, and what was counted a moment ago
 * is not counted again.
 * @param found how many rows of it there are on the page and behind it, as far as they were read
 */
async function count(db: Rows, request: ListRequest, found: number, listing: Listing): Promise<number> {
  const { source, matching } = listing;
  // Behind the last page, where no row was found, the offset says nothing of how many there are.
  const least = found === 0 ? 0 : offsetOf(request) + found;
  if (!request.after && found <= request.per_page && (found > 0 || request.page === 1)) return least;
  if (request.counted !== undefined) return request.counted;
  const statement = sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${source} ${matching} LIMIT ${raw(String(TOTAL_MAX + 1))}) AS matching`;
  const { counts } = current();
  const question = counts ? questionOf(statement) : '';
  const known = counts?.get<number>(question);
  if (known !== undefined && known >= Math.min(least, TOTAL_MAX + 1)) return known;
  const countRows = async () => {
    const [counted] = await db.rows<{ total: number }>(statement, planFor(request, listing));
    return counted?.total ?? 0;
  };
  if (!counts) return await countRows();
  // The count of a request that began before may lack what this page shows.
  return Math.max(await counts.count(question, countRows, Number), Math.min(least, TOTAL_MAX + 1));
}

/** Computes the sums of a list, in one statement. */
async function sumsOf(db: Rows, request: ListRequest, { sums = {} }: PageOptions, listing: Listing) {
  const { source, matching } = listing;
  const figures = Object.entries(sums).map(([name, figure]) => sql`(${figure}) AS ${raw(name)}`);
  if (figures.length === 0) return {};
  const [found] = await db.rows<Row>(
    sql`SELECT ${join(figures)} FROM ${source} ${matching}`,
    planFor(request, listing),
  );
  return { sums: found! };
}

async function readPage(db: Rows, request: ListRequest, options: PageOptions): Promise<Page> {
  const listing = listingOf(request, options);
  const found = await findRows(db, request, options, listing);
  const rows = found.slice(0, request.per_page);
  const total = await count(db, request, found.length, listing);
  for (const name of request.expand) await options.expand?.[name]?.(rows, name);
  return {
    rows,
    page: request.page,
    per_page: request.per_page,
    total: Math.min(total, TOTAL_MAX),
    total_is_exact: total <= TOTAL_MAX,
    next_cursor: found.length > request.per_page ? request.cursorAfter(rows.at(-1)!, total) : null,
    ...(await sumsOf(db, request, options, listing)),
  };
}
