/** Derives the name of the prepared statement and the tables that it reads from the text of a statement. */
import { machineryTables } from '@suite/migrations';
import type { Pool, QueryConfig, QueryResult } from 'pg';
import { LRUCache } from 'lru-cache';

/**
 * Number of uses before a plan is kept. A plan costs some 50 KB in every connection, so a rare statement is planned
 * again each time.
 */
const WORTHWHILE = 20;
const MOST = 200;
/** Time without use after which a statement frees its place for another. */
const IDLE_MS = 60_000;

interface Plans {
  times: LRUCache<string, number>;
  names: Map<string, { name: string; asked_at: number }>;
  /** Number of names issued. No name is issued twice, because connections keep the plans of released names. */
  given: number;
}

/** Counts of recurring statements for each pool, whose connections store the prepared statements. */
const plansOf = new WeakMap<Pool, Plans>();

/** Removes the names of idle statements. */
function forgetIdle(names: Plans['names'], now: number): void {
  for (const [text, { asked_at }] of names) if (now - asked_at > IDLE_MS) names.delete(text);
}

/**
 * Returns the name of a prepared statement in all connections of a pool, or undefined for a rare statement. PostgreSQL
 * plans a prepared statement for its values while that pays (`plan_cache_mode = auto`). It plans again when the role or
 * a table changes: https://www.postgresql.org/docs/18/sql-prepare.html
 */
export function statementName(pool: Pool, text: string): string | undefined {
  const plans = plansOf.get(pool) ?? { times: new LRUCache({ max: 2_000 }), names: new Map(), given: 0 };
  plansOf.set(pool, plans);
  const { times, names } = plans;
  const now = performance.now();
  const known = names.get(text);
  if (known) {
    known.asked_at = now;
    return known.name;
  }
  const asked = (times.get(text) ?? 0) + 1;
  times.set(text, asked);
  if (asked % WORTHWHILE > 0) return undefined;
  if (names.size === MOST) forgetIdle(names, now);
  if (names.size === MOST) return undefined;
  plans.given += 1;
  const name = `suite_${plans.given}`;
  names.set(text, { name, asked_at: now });
  return name;
}

/** Sends an internal statement, prepared if it recurs. */
export const queryPrepared = (pool: Pool, text: string, values: unknown[]): Promise<QueryResult> =>
  pool.query({ name: statementName(pool, text), text, values } as QueryConfig);

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);

/** Keywords before a parenthesis that call nothing, and functions that read only their arguments. */
const HARMLESS = new Set([
  ...wordsOf(
    'select from where in any all some values as and or not on over filter exists within group by using union',
  ),
  ...wordsOf(
    'except intersect then else when between like ilike is lateral partition with materialized array row numeric',
  ),
  ...wordsOf('coalesce nullif greatest least count sum min max avg bool_and bool_or array_agg string_agg json_agg'),
  ...wordsOf('jsonb_agg json_build_object jsonb_build_object to_jsonb jsonb_array_elements unnest row_number rank'),
  ...wordsOf('round abs trim_scale now clock_timestamp make_interval date_trunc extract age timestamptz date'),
  ...wordsOf('lower upper trim substr concat length octet_length cardinality generate_series'),
  // These functions read the table in their argument, which is also a word of the statement, and the settings of the
  // transaction.
  ...wordsOf(
    'suite_search suite_search_newest suite_search_few suite_query suite_document suite_unaccented suite_actor_id suite_reach suite_people suite_kind suite_is_staff',
  ),
]);

/** Internal tables, tables of PostgreSQL, and names hidden by an escape. */
const UNDECLARED = new RegExp(String.raw`\bu&"|\b(?:${machineryTables.join('|')}|information_schema|pg_\w+|_\w+)\b`);

const tableWords = new LRUCache<string, ReadonlySet<string> | 'unknown'>({ max: 1_000 });

/**
 * Returns every word of a statement, including its tables. Returns `unknown` if it calls a function whose reads only
 * the database knows, or names a table without a visibility declaration.
 */
export function wordsIn(text: string): ReadonlySet<string> | 'unknown' {
  const known = tableWords.get(text);
  if (known) return known;
  const lower = text.toLowerCase();
  const isPlain =
    [...lower.matchAll(/\b(\w+)"?\s*\(/g)].every(([, name]) => HARMLESS.has(name!)) && !UNDECLARED.test(lower);
  const found = isPlain ? new Set(lower.match(/\w+/g)) : 'unknown';
  tableWords.set(text, found);
  return found;
}
