/** SQL statements as template literals: values become parameters, and statements can contain statements. */
import { type RawValue, type Sql, sqltag } from '@prisma/client/runtime/client';

const AN_ARRAY_FOLLOWS = /^::\w+\[\]/;

/**
 * Builds a part of a statement. An array of one value that is cast to an array is written as `ARRAY[$1]::uuid[]`.
 * PostgreSQL plans a statement with an array parameter again each time, because only the value shows the number of
 * elements.
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

/** The shortest statement timeout, in milliseconds, so that a late request fails with the reason. */
const SHORTEST_MS = 50;

/**
 * Limits the statements of a transaction to the time that the caller waits.
 * @param ends_at when the caller stops waiting, by `performance.now()`
 */
export const statementTimeout = (ends_at: number | undefined): string =>
  ends_at === undefined
    ? ''
    : `SET LOCAL statement_timeout = ${Math.max(SHORTEST_MS, Math.ceil(ends_at - performance.now()))}; `;

/**
 * Sends statements of one transaction together, and waits for all. Use it only where a measurement shows a
 * benefit, and describe the measurement in a comment; other statements are awaited one after the other.
 * @param statements run in this order
 * @returns their results, in the same order
 * @throws the first error in this order, because later statements can fail as its consequence
 */
export async function batch<const Statements extends readonly unknown[]>(
  statements: Statements,
): Promise<{ -readonly [At in keyof Statements]: Awaited<Statements[At]> }> {
  const settled = await Promise.allSettled(statements);
  const failed = settled.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as never;
}
