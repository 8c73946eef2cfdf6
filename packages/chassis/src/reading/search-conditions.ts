/** The rows that match the words of a search: by their own texts, or by the texts of records that they refer to. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { currentTransaction } from '../database/running.ts';
import type { ListRequest, SearchedRecord } from '../lists/list.ts';
import { isHidden } from './list-visible.ts';
import { searchQuery } from './matches.ts';

/** Returns the search document of some texts, as in the search index of their table. */
const documentOf = (table: string, texts: readonly string[]): Sql =>
  raw(`suite_document(${texts.map((name) => `coalesce(${table}.${name}, '')`).join(" || ' ' || ")})`);

/**
 * Returns the IDs of records that match by these texts. Their `search` column finds them, and may contain texts that the
 * list does not show.
 */
const recordsOf = ({ table, texts }: SearchedRecord, q: string): Sql => sql`
  SELECT ${raw(table)}.id FROM ${raw(table)} WHERE ${raw(table)}.id = ANY (ARRAY(SELECT suite_search(${table}::regclass, ${q})))
    AND ${documentOf(table, texts)} @@ ${searchQuery(q)}`;

/** The texts of a list that the caller sees, and the references that it is searched by. */
function visibleTexts(request: ListRequest) {
  const { texts = [], through = {} } = request.searched ?? {};
  const { caller } = currentTransaction().context;
  const isShown = (name: string) => name in request.row.shape && !isHidden(request, name, caller);
  return { texts, shown: texts.filter(isShown), through: Object.entries(through).filter(([name]) => isShown(name)) };
}

/** Returns true if rows match by texts of their own, which a search index finds. */
export const hasOwnTexts = ({ searched }: ListRequest): boolean =>
  searched === undefined || Boolean(searched.texts?.length);

const anyOf = (conditions: readonly Sql[]): Sql =>
  conditions.length > 0 ? sql`(${join(conditions, ' OR ')})` : sql`FALSE`;

const linkedConditions = (name: string, request: ListRequest): Sql[] =>
  visibleTexts(request).through.map(
    ([column, record]) => sql`${raw(`${name}.${column}`)} = ANY (ARRAY(${recordsOf(record, request.q ?? '')}))`,
  );

/**
 * Returns the condition for rows that match by their references only. Several references are searched one by one: with
 * OR between them, PostgreSQL reads the whole workspace in the order of the page.
 */
function linkedRows(table: string, request: ListRequest): Sql {
  const conditions = linkedConditions(table, request);
  if (conditions.length < 2) return anyOf(conditions);
  const parts = conditions.map((condition) => sql`SELECT ${raw(table)}.id FROM ${raw(table)} WHERE ${condition}`);
  return sql`${raw(`${table}.id`)} = ANY (ARRAY(${join(parts, ' UNION ')}))`;
}

/**
 * Returns the condition for the matching rows of a list.
 * @param ids IDs of the rows whose own texts match. Rows that match by a text that the caller must not see are excluded
 */
export function matchingRows(table: string, request: ListRequest, ids: Sql): Sql {
  const found = sql`${raw(`${table}.id`)} = ANY (ARRAY(${ids}))`;
  if (!request.searched) return found;
  const { texts, shown } = visibleTexts(request);
  if (shown.length === 0) return linkedRows(table, request);
  const recheck = sql`(${found} AND ${documentOf(table, shown)} @@ ${searchQuery(request.q)})`;
  return anyOf([shown.length < texts.length ? recheck : found, ...linkedConditions(table, request)]);
}

/** Returns the columns that `matchesHead` reads. */
export function headColumns(table: string, request: ListRequest): Sql {
  if (!request.searched) return raw(`${table}.search`);
  const { shown, through } = visibleTexts(request);
  const document = shown.length > 0 ? sql`${documentOf(table, shown)} AS search` : sql`NULL::tsvector AS search`;
  return join([document, ...through.map(([column]) => raw(`${table}.${column}`))]);
}

/** Returns the condition for matches among the first rows of a list, which are named `head`. */
export const matchesHead = (request: ListRequest): Sql =>
  anyOf([sql`head.search @@ ${searchQuery(request.q)}`, ...linkedConditions('head', request)]);
