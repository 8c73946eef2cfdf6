/** Statements as they are written: values are parameters, and statements stand in statements. */
import { type RawValue, type Sql, sqltag } from '@prisma/client/runtime/client';

const AN_ARRAY_FOLLOWS = /^::\w+\[\]/;

/**
 * A part of a statement. An array of one value that is cast to an array is written as such, `ARRAY[$1]::uuid[]`: PostgreSQL
 * plans a statement with an array parameter anew each time, since it only knows from its value how many are asked for.
 */
export const sql = (strings: readonly string[], ...values: RawValue[]): Sql =>
  sqltag(
    strings,
    ...values.map((value, at) =>
      Array.isArray(value) && value.length === 1 && !Array.isArray(value[0]) && AN_ARRAY_FOLLOWS.test(strings[at + 1]!)
        ? sqltag`ARRAY[${value[0]}]`
        : value,
    ),
  );

/** The shortest limit of a statement, so that a late request is answered with the reason. */
const SHORTEST_MS = 50;

/**
 * Limits the statements of a transaction: none takes longer than its caller waits.
 * @param ends_at when the caller stops waiting, by `performance.now()`
 */
export const statementTimeout = (ends_at: number | undefined): string =>
  ends_at === undefined
    ? ''
    : `SET LOCAL statement_timeout = ${Math.max(SHORTEST_MS, Math.ceil(ends_at - performance.now()))}; `;
