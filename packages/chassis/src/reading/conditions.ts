/** The filters of a list as SQL. Names come from declarations only. Values are always parameters. */
import { raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import type { Filter } from '../lists/list-filter.ts';
import { currentTransaction } from '../database/running.ts';

const OPERATORS = { eq: '=', ne: 'IS DISTINCT FROM', gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

/** Returns a value cast to the type of its column. */
export const castTo = (value: unknown, kind: string): Sql => sql`${value}${raw(`::${kind}`)}`;

/**
 * Condition on the workspace. Every statement is confined anyway, but the explicit condition is evaluated once instead
 * of for each row.
 */
export const inWorkspace = (table: string): Sql =>
  sql`${raw(`${table}.workspace_id`)} = ${currentTransaction().workspace_id}::uuid`;

const DAY = /^\d{4}-\d\d-\d\d$/;

/**
 * Compares a timestamp with a calendar day in the workspace's time zone, as days are compared: from its start (`gte`),
 * before it (`lt`), through its end (`lte`), after it (`gt`), within the day (`eq`).
 */
function onDay(name: Sql, operator: Filter['operator'], day: unknown): Sql {
  const zone = currentTransaction().context.caller?.timezone ?? 'UTC';
  const begins = sql`(${day}::date)::timestamp AT TIME ZONE ${zone}`;
  const ends = sql`(${day}::date + 1)::timestamp AT TIME ZONE ${zone}`;
  if (operator === 'gte') return sql`${name} >= ${begins}`;
  if (operator === 'lt') return sql`${name} < ${begins}`;
  if (operator === 'lte') return sql`${name} < ${ends}`;
  if (operator === 'gt') return sql`${name} >= ${ends}`;
  return sql`(${name} >= ${begins} AND ${name} < ${ends})`;
}

/** Linked rows are looked up in their own table, by the index that begins with the filtered column. */
const linkCondition = (table: string, { values, through }: Filter): Sql => {
  const { table: other, key, column } = through!;
  return sql`${raw(`${table}.id`)} IN (SELECT ${raw(key)} FROM ${raw(other)} WHERE ${inWorkspace(other)} AND ${raw(column)} = ANY(${values}::uuid[]))`;
};

/** Returns a filter of the list grammar as SQL. @param compute computed fields of the row */
export function condition(table: string, filter: Filter, compute: Record<string, Sql>): Sql {
  const { column, kind, operator, values, through } = filter;
  if (through) return linkCondition(table, filter);
  const computed = compute[column];
  const name = computed ? sql`(${computed})` : raw(`${table}.${column}`);
  // A list of words contains the value, or any of several values.
  if (kind === 'texts') return sql`${name} && ${values}::text[]`;
  if (operator === 'null') return values[0] ? sql`${name} IS NULL` : sql`${name} IS NOT NULL`;
  if (operator === 'in') return sql`${name} = ANY(${values}${raw(`::${kind}[]`)})`;
  if (operator === 'like') return sql`${name} ILIKE ${`%${String(values[0]).replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`;
  if (kind === 'timestamptz' && DAY.test(String(values[0]))) return onDay(name, operator, values[0]);
  return sql`${name} ${raw(OPERATORS[operator])} ${castTo(values[0], kind)}`;
}
