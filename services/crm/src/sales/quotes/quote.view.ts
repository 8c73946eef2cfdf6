/** Views of quotes. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { documentLines } from '../documents/lines.ts';
import { QuoteDetails, type QuoteRow } from './quote.schema.ts';
import { currentStatusCondition, currentStatus } from '../documents/validity.ts';
import { quoteStates } from './quote.rules.ts';

const withActions = (caller: Caller, row: QuoteRow): QuoteRow => ({
  ...row,
  allowed_actions: quoteStates.allowedTo(caller, row),
});

/** Creates the view for each request, because the validity of an offer depends on the current time. */
const view = () => ({
  table: 'quotes',
  compute: {
    status: currentStatus('quotes'),
    order_id: sql`SELECT sales_orders.id FROM sales_orders
      WHERE sales_orders.quote_id = quotes.id AND sales_orders.status <> 'cancelled'`,
    allowed_actions: sql`NULL`,
  },
});

/** Returns a page of the quotes visible to the caller. */
export async function listQuotes(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, {
    ...view(),
    conditions: { status: (filter) => currentStatusCondition('quotes', filter) },
  });
  return { ...found, rows: (found.rows as QuoteRow[]).map((row) => withActions(caller, row)) };
}

/** Returns a quote with its lines. @throws NotFound if it does not exist or the caller cannot see it */
export const readQuote = async (db: Db, caller: Caller, id: string): Promise<QuoteRow> =>
  withActions(
    caller,
    await readOne(db, QuoteDetails, id, { ...view(), expand: { lines: documentLines(db, 'quote_id') } }),
  );
