/** The rows of one page of a list: first the IDs of the page, then the fields of these rows only. */
import { empty, join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import { condition, inWorkspace } from './conditions.ts';
import type { ListRequest } from '../lists/list.ts';
import type { Filter } from '../lists/list-filter.ts';
import { RANK, type SortKey } from '../lists/list-cursor.ts';
import { currentTransaction } from '../database/running.ts';
import { allRanks, bestRanks, FEW, fewMatches, type Matches, matchesIn } from './matches.ts';
import { hasOwnTexts, headColumns, matchesHead, matchingRows } from './search-conditions.ts';
import { afterCursor, orderBy } from './sort-order.ts';
import type { Condition } from '../visibility/condition.ts';

export type Row = Record<string, unknown>;

/** Source of the rows of a list, see `paginate`. */
export interface PageOptions {
  table: string;
  from?: Sql;
  /** True if the indexes of a table sort the rows of `from`, which then are rows of that table alone. */
  is_indexed?: boolean;
  /** True if a row of `from` is found by its ID as fast as a row of a table: a join, without groups and computed rows. */
  is_found_by_id?: boolean;
  where?: Sql;
  narrowing?: Condition;
  /** The first rows of `from` in the order of the request, complete and found at little cost. They serve the first page if they fill it. */
  head?: Sql;
  compute?: Record<string, Sql>;
  /**
   * A lateral join, which several computed fields read. It runs for the rows of the page only, so that filters and sorts
   * cannot use these fields.
   */
  details?: Sql;
  /** Conditions of filters by computed fields for which an index exists, or undefined for filters that the field itself answers. */
  conditions?: Record<string, (filter: Filter) => Sql | undefined>;
  matches?: Matches;
}

/** A list without its page: sources and conditions. */
export interface Listing {
  /** Source of the rows. */
  source: Sql;
  /** The conditions of the list and of the caller's visibility. */
  listed: Sql;
  /** The same conditions and the search condition. */
  matching: Sql;
  /** True if the caller sees only some of the rows. */
  narrowed: boolean;
}

/**
 * The number of first rows of a list that are searched for a frequent word. The search index would first collect all
 * matches.
 */
const HEAD = 500;

/** Returns true if a list shows the best match first. */
export const isRanked = ({ sort }: ListRequest): boolean => sort[0]?.column === RANK;

/** Returns rows with their search rank. */
function rankedRows({ table, from }: PageOptions, ranks: Sql): Sql {
  return sql`(
    SELECT ranked.*, matches.rank AS ${raw(RANK)} FROM ${from ?? raw(table)} AS ranked
      JOIN (${ranks}) AS matches ON matches.id = ranked.id)`;
}

/**
 * Returns conditions with one for the IDs of a search. The IDs first: for a join, PostgreSQL may read all rows of the
 * workspace if an index contains every column.
 */
const withMatches = (table: string, request: ListRequest, listed: Sql, ids: Sql): Sql =>
  sql`${listed} AND ${matchingRows(table, request, ids)}`;

export function listingOf(request: ListRequest, options: PageOptions): Listing {
  const { table, from, where, narrowing, compute = {}, conditions: indexed = {} } = options;
  const conditionOf = (filter: Filter) => indexed[filter.column]?.(filter) ?? condition(table, filter, compute);
  const conditions = [inWorkspace(table), ...request.filters.map(conditionOf)];
  if (where) conditions.push(where);
  const narrowed = currentTransaction().seen?.narrowing(table, narrowing);
  if (narrowed) conditions.push(narrowed);
  const listed = sql`WHERE ${join(conditions, ' AND ')}`;
  const { ids } = options.matches ?? matchesIn(table, request.q ?? '');
  return {
    source: from ? sql`${from} AS ${raw(table)}` : raw(table),
    listed,
    matching: request.q ? withMatches(table, request, listed, ids) : listed,
    narrowed: narrowed !== undefined,
  };
}

export const offsetOf = ({ after, page, per_page }: ListRequest): number => (after ? 0 : (page - 1) * per_page);

/** Returns true if a computed field is a separate query, which is read only if the caller requests the field. */
const isQuery = ({ text }: Sql): boolean => /^\s*SELECT\b/i.test(text);
/** Returns true if a computed field contains a query. */
const containsQuery = ({ text }: Sql): boolean => /\bSELECT\b/i.test(text);

/** Returns the computed fields to read. */
const computedFields = ({ fields }: ListRequest, { compute = {} }: PageOptions): [string, Sql][] =>
  Object.entries(compute).filter(([name, field]) => !fields || fields.has(name) || !isQuery(field));

/** Returns the columns and computed fields to read, by their name. */
function selectedFields(request: ListRequest, options: PageOptions): Record<string, Sql> {
  const { table, compute = {} } = options;
  const columns = request.columns.filter((name) => !(name in compute));
  return Object.fromEntries([
    ...[...columns, ...(isRanked(request) ? [RANK] : [])].map((name) => [name, raw(`${table}.${name}`)] as const),
    ...computedFields(request, options).map(([name, field]) => [name, sql`(${field}) AS ${raw(name)}`] as const),
  ]);
}

const selectedColumns = (request: ListRequest, options: PageOptions): Sql =>
  join(Object.values(selectedFields(request, options)));

/** Returns the rows of some IDs, in the order of the list. */
export function pageRowsOf(request: ListRequest, options: PageOptions, { source }: Listing, ids: Sql): Sql {
  const { table, details = empty } = options;
  return sql`SELECT ${selectedColumns(request, options)} FROM ${source} ${details}
    WHERE ${inWorkspace(table)} AND ${raw(`${table}.id`)} = ANY (ARRAY(${ids})) ORDER BY ${orderBy(table, request.sort)}`;
}

const cursorCondition = (table: string, request: ListRequest): Sql =>
  request.after ? sql`AND ${afterCursor(table, request)}` : empty;

/** Returns the end of a statement that finds the rows of a page, and one more if there is one. */
function partOf(request: ListRequest, { table }: PageOptions, matching: Sql): Sql {
  const [limit, offset] = [request.per_page + 1, offsetOf(request)].map((number) => raw(String(number)));
  return sql`${matching} ${cursorCondition(table, request)} ORDER BY ${orderBy(table, request.sort)} LIMIT ${limit} OFFSET ${offset}`;
}

/** Returns the statement for the rows of a page, and one more if there is one. */
function pageOf(request: ListRequest, options: PageOptions, listing: Listing): Sql {
  const { table, from, is_found_by_id, details } = options;
  const { source, matching } = listing;
  const part = partOf(request, options, matching);
  const isComputed =
    details !== undefined || computedFields(request, options).some(([, field]) => containsQuery(field));
  const isPlain = offsetOf(request) === 0 && !isComputed;
  if (isPlain) return sql`SELECT ${selectedColumns(request, options)} FROM ${source} ${part}`;
  // Rows from a query instead of a table are not looked up by their IDs: the query would be answered twice.
  if (from && !is_found_by_id)
    return sql`SELECT ${selectedColumns(request, options)} FROM (SELECT ${raw(`${table}.*`)} FROM ${source} ${part}) AS ${raw(table)} ${details ?? empty}
      ORDER BY ${orderBy(table, request.sort)}`;
  // The IDs of the page first: otherwise each field would also be computed for skipped and sorted rows.
  return pageRowsOf(request, options, listing, sql`SELECT ${raw(`${table}.id`)} FROM ${source} ${part}`);
}

type Plan = ReturnType<typeof planFor>;

/**
 * Reads a page of all matches of a search if they are few. For a frequent word, the same statement returns a row of nulls
 * instead of a page.
 * @returns undefined for a frequent word
 */
async function findRareMatches(
  db: RowReader,
  request: ListRequest,
  options: PageOptions,
  listing: Listing,
  plan: Plan,
) {
  const matching = withMatches(options.table, request, listing.listed, sql`SELECT id FROM few`);
  const names = Object.keys(selectedFields(request, options));
  const frequent = sql`SELECT ${raw(names.map(() => 'NULL').join(', '))} FROM few WHERE id IS NULL`;
  const found = await db.rows<Row>(
    sql`WITH few AS MATERIALIZED (SELECT ${fewMatches(options.table, request.q ?? '')} AS id)
      (${pageOf(request, options, { ...listing, matching })}) UNION ALL ${frequent}`,
    plan,
  );
  return found.some(({ id }) => id === null) ? undefined : found;
}

/** Returns the statement for a page of matches in the order of their ranks, and one more if there is one. */
function rankedPageOf(request: ListRequest, options: PageOptions, { listed }: Listing, ranks: Sql): Sql {
  const { table, details = empty } = options;
  const name = raw(table);
  const found = sql`SELECT ${name}.id, ${name}.${raw(RANK)} FROM ${rankedRows(options, ranks)} AS ${name} ${partOf(request, options, listed)}`;
  // Repeats the conditions, because a query as source may repeat an ID.
  return sql`SELECT ${selectedColumns(request, options)} FROM ${rankedRows(options, found)} AS ${name} ${details} ${listed} ORDER BY ${orderBy(table, request.sort)}`;
}

/** Returns the search of the first rows of the list. They fill the first page if the word is frequent. */
function headOf(request: ListRequest, options: PageOptions, listing: Listing): Sql {
  const { table } = options;
  const { sort, per_page } = request;
  const columns = sort.map(({ column }) => `${table}.${column}`).join(', ');
  const head = sql`SELECT ${raw(columns)}, ${headColumns(table, request)} FROM ${listing.source} ${listing.listed} ${cursorCondition(table, request)}
    ORDER BY ${orderBy(table, sort)} LIMIT ${raw(String(HEAD))}`;
  const ids = sql`SELECT head.id FROM (${head}) AS head WHERE ${matchesHead(request)}
    ORDER BY ${orderBy('head', sort)} LIMIT ${raw(String(per_page + 1))}`;
  return pageRowsOf(request, options, listing, ids);
}

/**
 * Returns undefined if one plan serves every caller: the workspace and equal values choose the index, and the order
 * sorts it. For other filters the best plan depends on how many rows remain. Such a statement is planned each time.
 */
export function planFor({ filters }: ListRequest, { narrowed }: Listing): 'planned each time' | undefined {
  const isSteady = !narrowed && filters.every(({ operator, through }) => operator === 'eq' && !through);
  return isSteady ? undefined : 'planned each time';
}

/** Reads a page of the best matches: from the newest matches, or from all matches if the newest do not fill it. */
async function findRanked(db: RowReader, request: ListRequest, options: PageOptions, listing: Listing, plan: Plan) {
  const usual = matchesIn(options.table, request.q ?? '');
  const { ids, newest = usual.newest } = options.matches ?? usual;
  const isAmongNewest = offsetOf(request) === 0 && (!request.after || Number(request.after[0]) > 0);
  if (isAmongNewest) {
    const found = await db.rows<Row>(rankedPageOf(request, options, listing, bestRanks(newest)), plan);
    if (found.length > request.per_page) return found;
  }
  return await db.rows<Row>(rankedPageOf(request, options, listing, allRanks({ ids, newest })), plan);
}

/** Returns the two parts of a list that is sorted by a nullable column. An index contains each part in its order. */
function partsByNull({ table }: PageOptions, request: ListRequest, { listed, matching, ...listing }: Listing) {
  const [first, ...others] = request.sort as [SortKey, ...SortKey[]];
  const part = (of: Partial<ListRequest>, condition: Sql) => ({
    request: { ...request, page: 1, ...of },
    listing: { ...listing, listed: sql`${listed} AND ${condition}`, matching: sql`${matching} AND ${condition}` },
  });
  const name = raw(`${table}.${first.column}`);
  // The null stays in the order. Without it, PostgreSQL would read IDs of all workspaces by the primary key.
  const sort = [{ ...first, nullable: false }, ...others];
  const isBehindValues = request.after?.[0] === null;
  const behind = { ...request, sort: others, after: request.after?.slice(1) };
  const values = part({ sort }, sql`${name} IS NOT NULL`);
  const nulls = part(
    { sort, after: undefined },
    sql`${name} IS NULL ${isBehindValues ? cursorCondition(table, behind) : empty}`,
  );
  return isBehindValues ? [nulls] : [values, nulls];
}

/**
 * Returns true if a page is read by `partsByNull`: PostgreSQL reads ascending values by an index, and the nulls after
 * them.
 */
const isReadInParts = ({ q, sort, after: place }: ListRequest, { from, is_indexed }: PageOptions): boolean =>
  !q &&
  (!from || is_indexed === true) &&
  sort.length > 1 &&
  sort[0]!.nullable &&
  (sort[0]!.descending || place !== undefined);

/** Reads the rows of a page, and one more if there is one. */
export async function findRows(
  db: RowReader,
  request: ListRequest,
  options: PageOptions,
  listing: Listing,
): Promise<Row[]> {
  // Each deep page has its own prepared statement.
  const isFirst = offsetOf(request) === 0;
  const plan = isFirst ? planFor(request, listing) : 'planned each time';
  if (isRanked(request)) return await findRanked(db, request, options, listing, plan);
  if (request.q && isFirst && !options.matches && hasOwnTexts(request)) {
    // A cursor of a long list continues the search for a frequent word.
    const few = (request.counted ?? 0) > FEW ? undefined : await findRareMatches(db, request, options, listing, plan);
    if (few) return few;
    const found = await db.rows<Row>(headOf(request, options, listing), plan);
    if (found.length > request.per_page) return found;
  }
  if (options.head && isFirst && !request.q) {
    const source = sql`${options.head} AS ${raw(options.table)}`;
    const found = await db.rows<Row>(pageOf(request, options, { ...listing, source }), plan);
    if (found.length > request.per_page) return found;
  }
  if (!isFirst || !isReadInParts(request, options)) return await db.rows<Row>(pageOf(request, options, listing), plan);
  const rows: Row[] = [];
  for (const part of partsByNull(options, request, listing)) {
    const per_page = request.per_page - rows.length;
    rows.push(...(await db.rows<Row>(pageOf({ ...part.request, per_page }, options, part.listing), plan)));
    if (rows.length > request.per_page) break;
  }
  return rows;
}
