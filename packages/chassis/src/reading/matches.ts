/** The records that match the words of a search, and how well they match. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';

/** The records that match a search. */
export interface Matches {
  /** The IDs of the matches (`id`). */
  ids: Sql;
  /**
   * The newest matches with their rank (`id`, `rank`), for lists that return the best match first. An ID can occur
   * twice.
   */
  newest?: Sql;
}

/**
 * The highest number of ranked matches. Chosen: only the newest matches are ranked, and older ones follow by age.
 * Ranking all matches of a frequent word costs more than all other work for the page.
 */
const RANKED_MAX = 200;
const LEAST_RANK = 0.000001;

/** Returns the query for the IDs of the newest matching records, limited to the number of ranked matches. */
export const newestMatches = (table: string, q: string): Sql =>
  sql`SELECT suite_search_newest(${table}::regclass, ${q}, ${raw(String(RANKED_MAX))})`;

/** The highest number of matches that are read before the first rows of the list are searched. */
export const FEW = 500;

/** Returns the call for the IDs of all matching records, or for a single null if the words are frequent. */
export const fewMatches = (table: string, q: string): Sql =>
  sql`suite_search_few(${table}::regclass, ${q}, ${raw(String(FEW))})`;

/** The query for the words of a search, which PostgreSQL computes once for a statement and not for each row. */
export const searchQuery = (q: string | undefined): Sql => sql`(SELECT suite_query(${q}::text))`;

/**
 * Returns the matches in the `search` column of a table. A heavier part of the column, such as a title, counts more.
 */
export const matchesIn = (table: string, q: string): Required<Matches> => ({
  ids: sql`SELECT suite_search(${table}::regclass, ${q}) AS id`,
  newest: sql`SELECT id, ts_rank(search, ${searchQuery(q)}) AS rank FROM ${raw(table)} WHERE id = ANY (ARRAY(${newestMatches(table, q)}))`,
});

/** Returns the best rank of each of the newest matches. */
export const bestRanks = (matches: Sql): Sql =>
  sql`SELECT id, greatest(round(max(rank)::numeric, 6), ${raw(String(LEAST_RANK.toFixed(6)))}) AS rank FROM (${matches}) AS found GROUP BY id`;

/** Returns the best rank of each match, or 0 for unranked matches. */
export const allRanks = ({ ids, newest }: Required<Matches>): Sql => sql`
  SELECT id, max(rank) AS rank FROM (
    ${bestRanks(newest)} UNION ALL SELECT id, 0 FROM (${ids}) AS matching) AS found GROUP BY id`;
