/** The order of a list in SQL, and the condition for the rows after a cursor. */
import { join, raw, type Sql, sqltag as sql } from '@prisma/client/runtime/client';
import { castTo } from './conditions.ts';
import type { ListRequest } from '../lists/list.ts';
import type { SortKey } from '../lists/list-cursor.ts';

/**
 * Returns the condition for rows after the cursor, if all keys are descending and not null: one comparison that an
 * index supports.
 */
function afterTuple(table: string, sort: SortKey[], position: unknown[]): Sql {
  const names = raw(sort.map(({ column }) => `${table}.${column}`).join(', '));
  const values = join(sort.map(({ kind }, at) => castTo(position[at], kind)));
  return sort[0]!.descending ? sql`(${names}) < (${values})` : sql`(${names}) > (${values})`;
}

/**
 * Returns the condition for rows after the cursor, key by key, for mixed directions and nullable keys (nulls come
 * last).
 */
function afterKeys(table: string, sort: SortKey[], values: unknown[]): Sql {
  const ways = sort.map((key, at) => {
    const equal = sort
      .slice(0, at)
      .map(
        ({ column, kind }, before) =>
          sql`${raw(`${table}.${column}`)} IS NOT DISTINCT FROM ${castTo(values[before], kind)}`,
      );
    const name = raw(`${table}.${key.column}`);
    const beyond = sql`${name} ${raw(key.descending ? '<' : '>')} ${castTo(values[at], key.kind)}`;
    const further = values[at] === null ? sql`FALSE` : key.nullable ? sql`(${beyond} OR ${name} IS NULL)` : beyond;
    return sql`(${join([...equal, further], ' AND ')})`;
  });
  return sql`(${join(ways, ' OR ')})`;
}

/** Returns the condition for rows after the cursor of a request. */
export function afterCursor(table: string, { sort, after: values }: ListRequest): Sql {
  const uniform = sort.every(({ descending, nullable }) => !nullable && descending === sort[0]!.descending);
  return uniform ? afterTuple(table, sort, values!) : afterKeys(table, sort, values!);
}

/** Returns the order of a list in SQL. */
export function orderBy(table: string, sort: SortKey[]): Sql {
  return raw(
    sort
      .map(
        ({ column, descending, nullable }) =>
          `${table}.${column} ${descending ? 'DESC' : 'ASC'}${nullable ? ' NULLS LAST' : ''}`,
      )
      .join(', '),
  );
}
