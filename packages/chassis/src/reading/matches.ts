/** The records that match the words of a search, and how well they match. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';

/** The records that have the words which a list is searched for. */
export interface Matches {
  /** Their IDs (`id`). */
  ids: Sql;
  /** The newest of them with their rank (`id`, `rank`), for lists that show the best match first. An ID may occur twice. */
  newest?: Sql;
}

/**
 * Chosen: only the newest matches are ranked. Older ones follow by age, because ranking all matches of a frequent word costs
 * more than all other work for the page.
 */
const RANKED_MAX = 200;
const LEAST_RANK = 0.000001;

/** The IDs of the newest records of a table that match, as many as are ranked. */
export const newestMatches = (table: string, q: string): Sql =>
  sql`SELECT suite_search_newest(${table}::regclass, ${q}, ${raw(String(RANKED_MAX))})`;

/** The query for the words of a search, which PostgreSQL computes once for a statement and not for each row. */
export const searchQuery = (q: string | undefined): Sql => sql`(SELECT suite_query(${q}::text))`;

/** The matches in the `search` column of a table. A heavier part of the column, such as a title, counts more. */
export const matchesIn = (table: string, q: string): Required<Matches> => ({
  ids: sql`SELECT suite_search(${table}::regclass, ${q}) AS id`,
  newest: sql`SELECT id, ts_rank(search, ${searchQuery(q)}) AS rank FROM ${raw(table)} WHERE id = ANY (ARRAY(${newestMatches(table, q)}))`,
});

/** The best rank of each of the newest matches. */
export const bestRanks = (matches: Sql): Sql =>
  sql`SELECT id, greatest(round(max(rank)::numeric, 6), ${raw(String(LEAST_RANK.toFixed(6)))}) AS rank FROM (${matches}) AS found GROUP BY id`;

/** The best rank of each match, or 0 for matches that are not ranked. */
export const allRanks = ({ ids, newest }: Required<Matches>): Sql => sql`
  SELECT id, max(rank) AS rank FROM (
    ${bestRanks(newest)} UNION ALL SELECT id, 0 FROM (${ids}) AS matching) AS found GROUP BY id`;
