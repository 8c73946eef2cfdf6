/** The filter of invoice lists by the outstanding amount. */
import { type Sql, sql } from '@suite/chassis/database';
import type { ListRequest } from '@suite/chassis/lists';
import { tableNamed } from '../../operations.ts';
import { type Side, SIDES } from '../documents/kind.ts';

type Filter = ListRequest['filters'][number];

const OPERATORS: Readonly<Record<string, { sql: Sql; matchesZero: (value: number) => boolean }>> = {
  eq: { sql: sql`=`, matchesZero: (value) => value === 0 },
  ne: { sql: sql`<>`, matchesZero: (value) => value !== 0 },
  gt: { sql: sql`>`, matchesZero: (value) => value < 0 },
  gte: { sql: sql`>=`, matchesZero: (value) => value <= 0 },
  lt: { sql: sql`<`, matchesZero: (value) => value > 0 },
  lte: { sql: sql`<=`, matchesZero: (value) => value >= 0 },
};

/**
 * Returns the condition of a filter by `balance_due`. Only open items are searched, by their index: every other invoice has
 * a balance of zero. If zero matches, the invoices with a balance that does not match are excluded.
 */
export const byBalance =
  (side: Side) =>
  ({ operator, values }: Filter): Sql => {
    if (operator === 'null') return values[0] === true ? sql`FALSE` : sql`TRUE`;
    const { invoices, invoice } = SIDES[side];
    const id = sql`${tableNamed(invoices)}.id`;
    const open = sql`SELECT item.document_id FROM open_items AS item
      WHERE item.document_type = ${invoice} AND NOT item.voided AND item.settled < item.amount`;
    const balance = sql`(item.amount - item.settled)`;
    const known = OPERATORS[operator];
    const matches = known
      ? sql`${balance} ${known.sql} ${values[0]}::numeric`
      : sql`${balance} = ANY (${values}::numeric[])`;
    const matchesZero = known ? known.matchesZero(Number(values[0])) : values.some((value) => Number(value) === 0);
    return matchesZero
      ? sql`NOT EXISTS (${open} AND item.document_id = ${id} AND NOT (${matches}))`
      : sql`${id} IN (${open} AND ${matches})`;
  };
