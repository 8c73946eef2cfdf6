/** Visibility conditions as values. Policies, lists and documents are each written from these values. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';

interface Link {
  is: 'linkedBy';
  column: string;
  links: string;
  record: string;
  user: string;
}

interface Reference {
  is: 'refersTo';
  column: string;
  table: string;
  key: string;
}

/**
 * The condition for a row to be visible. A part names its column without the table. Plain SQL is only for comparisons
 * with constants. Its columns need the name of their table if they are ambiguous in a list.
 */
export type Condition =
  | string
  | { is: 'ownedBy' | 'isActor' | 'unset'; column: string }
  | Link
  | Reference
  | { is: 'sees' | 'seesAll'; noun: string }
  | { is: 'among' | 'notAmong'; column: string; ids: string }
  | { is: 'anyOf' | 'allOf'; parts: readonly Condition[] };

/** The column names the owner of the record: the caller or, with the scope team, a member of their team. */
export const ownedBy = (column: string): Condition => ({ is: 'ownedBy', column });

/** Returns the condition that the column contains the caller's ID. */
export const isActor = (column: string): Condition => ({ is: 'isActor', column });

/**
 * A link table connects the record to an owner whose records the caller sees. The visibility of the links themselves is
 * bypassed, because it follows the record: PostgreSQL rejects circular policies.
 * @param columns.record the column of the link table that identifies the record
 * @param columns.user the column of the link table with the owner's user ID
 * @param columns.column the column of the record with the same value as `record`. Defaults to its ID
 */
export const linkedBy = (
  links: string,
  { record, user, column = 'id' }: { record: string; user: string; column?: string },
): Condition => ({ is: 'linkedBy', column, links, record, user });

/**
 * Returns the condition that the column refers to a visible row of another table. @param key the referenced column of
 * that table
 */
export const refersTo = (column: string, table: string, key = 'id'): Reference => ({
  is: 'refersTo',
  column,
  table,
  key,
});

/** Returns the same condition for a nullable column. */
export const noneOr = (reference: Reference): Condition => anyOf({ is: 'unset', column: reference.column }, reference);

/**
 * The column contains one of the IDs that a database function returns for the caller, such as all employees they
 * manage. The function is called once per statement, with the record scope of the caller (own, team, none), and returns
 * `uuid[]`. It runs as the owner of the tables, names the workspace itself, and may be executed by `suite_viewer`.
 */
export const among = (column: string, ids: string): Condition => ({ is: 'among', column, ids });

/**
 * The column is empty, or contains none of these IDs: records that a caller must not see, regardless of their other
 * permissions.
 */
export const notAmong = (column: string, ids: string): Condition => ({ is: 'notAmong', column, ids });

/** Returns the condition that the caller sees some records of this kind. */
export const sees = (noun: string): Condition => ({ is: 'sees', noun });

/** The caller's record scope of this kind is `all`, whether or not they have the permission to view it. */
export const seesAll = (noun: string): Condition => ({ is: 'seesAll', noun });

export const anyOf = (...parts: Condition[]): Condition => ({ is: 'anyOf', parts });
export const allOf = (...parts: Condition[]): Condition => ({ is: 'allOf', parts });

/** SQL for each part of a condition. Undefined means no limit. `name` is the column with its table. */
export interface ConditionWriter {
  ownedBy(name: string): Sql;
  isActor(name: string): Sql;
  linkedBy(name: string, link: Link): Sql;
  refersTo(name: string, reference: Reference): Sql | undefined;
  sees(noun: string): Sql | undefined;
  seesAll(noun: string): Sql | undefined;
  among(name: string, ids: string): Sql | undefined;
  notAmong(name: string, ids: string): Sql;
}

/** Writes a condition on the rows of a table as SQL. @returns undefined if every row is visible */
export function conditionSql(condition: Condition, table: string, writing: ConditionWriter): Sql | undefined {
  if (typeof condition === 'string') return condition === 'TRUE' ? undefined : raw(condition);
  if ('noun' in condition) return writing[condition.is](condition.noun);
  if ('parts' in condition) {
    const parts = condition.parts.map((part) => conditionSql(part, table, writing));
    const limiting = parts.filter((part) => part !== undefined);
    if (limiting.length === 0 || (condition.is === 'anyOf' && limiting.length < parts.length)) return undefined;
    return sql`(${join(limiting, condition.is === 'anyOf' ? ' OR ' : ' AND ')})`;
  }
  const name = `${table}.${condition.column}`;
  if (condition.is === 'unset') return raw(`${name} IS NULL`);
  if (condition.is === 'linkedBy') return writing.linkedBy(name, condition);
  if (condition.is === 'among' || condition.is === 'notAmong') return writing[condition.is](name, condition.ids);
  return condition.is === 'refersTo' ? writing.refersTo(name, condition) : writing[condition.is](name);
}

/** The kinds of record that a condition asks about. @param question `sees`: whether some are seen; `seesAll`: the record scope */
export function nounsIn(condition: Condition, question: 'sees' | 'seesAll' = 'sees'): string[] {
  if (typeof condition === 'string') return [];
  if ('noun' in condition) return condition.is === question ? [condition.noun] : [];
  return 'parts' in condition ? condition.parts.flatMap((part) => nounsIn(part, question)) : [];
}

/**
 * Returns true if a condition shows records of users outside the record scope, such as published records. `TRUE`
 * ignores the scope.
 */
export function isBeyondScope(condition: Condition): boolean {
  if (typeof condition === 'string') return condition !== 'FALSE' && condition !== 'TRUE';
  if (condition.is === 'anyOf') return condition.parts.some(isBeyondScope);
  return condition.is === 'allOf' && condition.parts.every(isBeyondScope);
}

/** Returns true if a condition withholds rows from a caller who sees all other rows. */
export const hidesRows = (condition: Condition): boolean =>
  typeof condition !== 'string' &&
  ('parts' in condition ? condition.parts.some(hidesRows) : condition.is === 'notAmong');

/** For documents: `people` are the caller and, for the scope team, their team. `actor` is the caller. */
const TEXT_WRITER: ConditionWriter = {
  ownedBy: (name) => raw(`${name} = ANY (people)`),
  isActor: (name) => raw(`${name} = actor`),
  linkedBy: (name, { links, record, user }) =>
    raw(`${name} IN (SELECT ${links}.${record} FROM ${links} WHERE ${links}.${user} = ANY (people))`),
  refersTo: (name, { table, key }) => raw(`${name} IN (SELECT ${table}.${key} FROM ${table})`),
  sees: (noun) => raw(`the caller sees a ${noun}`),
  seesAll: (noun) => raw(`the record scope of ${noun} is all`),
  among: (name, ids) => raw(`${name} = ANY (${ids})`),
  notAmong: (name, ids) => raw(`(${name} IS NULL OR ${name} <> ALL (${ids}))`),
};

/** Returns a condition as text for readers. */
export const describeCondition = (condition: Condition, table: string): string =>
  conditionSql(condition, table, TEXT_WRITER)?.sql ?? 'TRUE';
