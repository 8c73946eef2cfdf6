/** The filter of invoice lists by the outstanding amount. */
import { type Sql, sql } from '@suite/chassis/database';
import { filterCondition, type ListRequest } from '@suite/chassis/lists';
import { tableNamed } from '../../operations.ts';
import { type Side, SIDES } from '../documents/side.ts';

type BalanceFilter = ListRequest['filters'][number];

/** Returns true if a balance of zero fits a filter. */
const FITS_ZERO: Readonly<Record<string, (value: number) => boolean>> = {
  eq: (value) => value === 0,
  in: (value) => value === 0,
  ne: (value) => value !== 0,
  gt: (value) => value < 0,
  gte: (value) => value <= 0,
  lt: (value) => value > 0,
  lte: (value) => value >= 0,
};

/**
 * Returns the condition of a filter by `balance_due`. Only open items are searched, by their index: every other invoice has
 * a balance of zero. If zero matches, the invoices with a balance that does not match are excluded.
 */
export const balanceCondition =
  (side: Side) =>
  (filter: BalanceFilter): Sql => {
    const { operator, values } = filter;
    if (operator === 'null') return values[0] === true ? sql`FALSE` : sql`TRUE`;
    const { invoices, invoice } = SIDES[side];
    const id = sql`${tableNamed(invoices)}.id`;
    const open = sql`SELECT item.document_id FROM open_items AS item
      WHERE item.document_type = ${invoice} AND NOT item.voided AND item.settled < item.amount`;
    const matches = filterCondition('item', filter, { balance_due: sql`item.amount - item.settled` });
    return values.some((value) => FITS_ZERO[operator]?.(Number(value)))
      ? sql`NOT EXISTS (${open} AND item.document_id = ${id} AND NOT (${matches}))`
      : sql`${id} IN (${open} AND ${matches})`;
  };
