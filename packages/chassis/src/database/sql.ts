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
