import { assertRequestVisible } from './list-visible.ts';
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import type { ListRequest, Page } from '../lists/list.ts';
import { asCaller, currentTransaction } from '../database/running.ts';
import { actionColumns } from '../lifecycle/shown-actions.ts';
import { readCounts, countKeyOf } from './cached-counts.ts';
import { findFarRows, isFar } from './far-page.ts';
import { findRows, type Listing, listingOf, offsetOf, type PageOptions, planFor, type Row } from './page-rows.ts';

/** Maximum count for totals. Beyond it, the response says "more than". */
const TOTAL_MAX = 10_000;

/**
 * Maximum count for pages that may be near the end of a list. Chosen: the limit is twice the maximum total, because the
 * last page that a total reveals is in the second half of these lists only.
 */
const FAR_TOTAL_MAX = 2 * TOTAL_MAX;

/** Loads one field for all rows of a page with one query. */
export type Expansion = (rows: Row[], name: string) => Promise<void>;

/**
 * Expands to the record that `key` refers to: `owner: one('owner_id', (ids) => db.rows(sql`…`))`. Rows have an `id`.
 */
export const one =
  (key: string, load: (ids: string[]) => Promise<object[]>): Expansion =>
  async (rows, name) => {
    const ids = [...new Set(rows.map((row) => row[key]).filter((id) => id !== null))] as string[];
    const found = new Map((ids.length ? await load(ids) : []).map((record) => [(record as Row)['id'], record]));
    for (const row of rows) row[name] = found.get(row[key]) ?? null;
  };

/** Expands to the records whose `key` refers to the row: `labels: many('lead_id', (ids) => db.rows(sql`…`))`. */
export const many =
  (key: string, load: (ids: string[]) => Promise<object[]>): Expansion =>
  async (rows, name) => {
    const found = rows.length ? await load(rows.map((row) => row['id'] as string)) : [];
    const groups = Map.groupBy(found, (record) => (record as Row)[key]);
    for (const row of rows) row[name] = groups.get(row['id']) ?? [];
  };

/**
 * Returns one page of a table, in two statements and one more for each expansion. Names of tables and columns come from
 * declarations only. Values are always parameters.
 * @param options.where rows of the list. The table's visibility decides which rows the caller sees
 * @param options.narrowing rows for callers with a limited view, if the table's visibility covers more than the list
 * @param options.from source of rows that are stored in no table, under the name of `table`
 * @param options.sums totals over all rows of the list, not of the page alone. They are part of the response
 * @param options.matches rows that match the words of `q`, for lists that search more than the `search` column of their
 * table
 * @param options.compute fields of a row that are not columns. A separate query is read only if the field is shown
 */
export async function paginate(db: RowReader, request: ListRequest, options: ListOptions): Promise<Page> {
  // Checked here and before the transaction, because a body can request the list by the same grammar.
  assertRequestVisible(request, currentTransaction().context.caller);
  return await asCaller(() => readPage(db, request, options));
}

interface ListOptions extends PageOptions {
  expand?: Record<string, Expansion>;
  sums?: Record<string, Sql>;
}

/**
 * Returns the number of rows of a list. The last page reveals it without counting, a cursor carries it, and a recent
 * count is not repeated.
 * @param found number of rows on the page and after it, up to the rows that were read
 * @param most the maximum count. A larger list returns this number and one
 */
async function count(
  db: RowReader,
  request: ListRequest,
  found: number,
  listing: Listing,
  most: number = TOTAL_MAX,
): Promise<number> {
  const { source, matching } = listing;
  // After the last page, where no row was found, the offset does not reveal the number of rows.
  const least = found === 0 ? 0 : offsetOf(request) + found;
  if (!request.after && found <= request.per_page && (found > 0 || request.page === 1)) return least;
  if (request.counted !== undefined) return request.counted;
  const statement = sql`SELECT count(*) AS total FROM (SELECT 1 FROM ${source} ${matching} LIMIT ${raw(String(most + 1))}) AS matching`;
  const { counts } = currentTransaction();
  const question = counts ? countKeyOf(statement) : '';
  const known = counts?.get<number>(question);
  if (known !== undefined && known >= Math.min(least, most + 1)) return known;
  const countRows = async () => {
    const [counted] = await db.rows<{ total: number }>(statement, planFor(request, listing));
    return counted?.total ?? 0;
  };
  if (!counts) return await countRows();
  // The count of a request that began earlier may lack rows of this page.
  return Math.max(await counts.count(question, countRows, Number), Math.min(least, most + 1));
}

/**
 * Computes the sums of a list, in one statement.
 * Chosen: the sums of a list are cached like its total, because both read all rows.
 */
async function sumsOf(db: RowReader, { sums = {} }: ListOptions, listing: Listing, total: number) {
  const { source, matching } = listing;
  const figures = Object.entries(sums).map(([name, figure]) => sql`(${figure}) AS ${raw(name)}`);
  if (figures.length === 0) return {};
  const [found] = await readCounts<Row>(db, sql`SELECT ${join(figures)} FROM ${source} ${matching}`, () => total);
  return { sums: { ...found } };
}

/** Adds the allowed actions of the rows to the computed fields. */
function withActions(request: ListRequest, { compute = {}, ...options }: ListOptions): ListOptions {
  const { caller } = currentTransaction().context;
  const missing = (name: string) => request.columns.includes(name) && !(name in compute);
  const actions = actionColumns(request.row, { table: options.table, caller, missing });
  return { ...options, compute: { ...compute, ...actions } };
}

async function readPage(db: RowReader, request: ListRequest, given: ListOptions): Promise<Page> {
  const options = withActions(request, given);
  const listing = listingOf(request, options);
  const counted = isFar(request, options) ? await count(db, request, 0, listing, FAR_TOTAL_MAX) : undefined;
  const isNearEnd = counted !== undefined && counted <= FAR_TOTAL_MAX && offsetOf(request) * 2 > counted;
  const found = isNearEnd
    ? await findFarRows(db, request, options, { listing, total: counted })
    : await findRows(db, request, options, listing);
  const rows = found.slice(0, request.per_page);
  const total = counted ?? (await count(db, request, found.length, listing));
  for (const name of request.expand) await options.expand?.[name]?.(rows, name);
  return {
    rows,
    page: request.page,
    per_page: request.per_page,
    total: Math.min(total, TOTAL_MAX),
    total_is_exact: total <= TOTAL_MAX,
    next_cursor: found.length > request.per_page ? request.cursorAfter(rows.at(-1)!, total) : null,
    ...(await sumsOf(db, options, listing, total)),
  };
}
