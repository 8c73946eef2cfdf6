/**
 * Pages in the second half of a long list. They are read from the end of the list, because an offset costs all rows
 * that it skips.
 */
import { raw, sqltag as sql } from '@prisma/client/runtime/client';
import type { RowReader } from '../database/database.ts';
import type { ListRequest } from '../lists/list.ts';
import { isRanked, type Listing, offsetOf, type PageOptions, type Row, pageRowsOf } from './page-rows.ts';
import { orderBy } from './sort-order.ts';

/** The smallest offset to count the list for. Skipping fewer rows costs less than the count. */
const FAR = 1_000;

/**
 * Returns true if a page can be read from the end after the rows are counted. An order by rank, nulls or computed rows
 * cannot be reversed.
 */
export const isFar = (request: ListRequest, { from }: PageOptions): boolean =>
  offsetOf(request) >= FAR && !from && !isRanked(request) && request.sort.every(({ nullable }) => !nullable);

/**
 * Reads the rows of a page from the end of the list, and one more if there is one. Chosen: the page matches the
 * returned total, which can be two seconds old if another replica writes.
 * @param total the number of rows in the list
 */
export async function findFarRows(
  db: RowReader,
  request: ListRequest,
  options: PageOptions,
  { listing, total }: { listing: Listing; total: number },
): Promise<Row[]> {
  const { table } = options;
  const offset = offsetOf(request);
  const limit = Math.min(request.per_page + 1, total - offset);
  if (limit <= 0) return [];
  const reversed = request.sort.map((key) => ({ ...key, descending: !key.descending }));
  const ids = sql`SELECT ${raw(`${table}.id`)} FROM ${listing.source} ${listing.matching}
    ORDER BY ${orderBy(table, reversed)} LIMIT ${raw(String(limit))} OFFSET ${raw(String(total - offset - limit))}`;
  return await db.rows<Row>(pageRowsOf(request, options, listing, ids), 'planned each time');
}
