/** How quotes are shown, and what may happen to them. */
import { type Caller, lifecycle, type ListRequest, paginate, raw, readOne, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { linesIn } from '../documents/lines.ts';
import { QuoteDetails, type QuoteRow } from './quote.schema.ts';
import { holdOffer, presentStatus } from '../documents/validity.ts';
import { assertExists, permitted } from '../records.ts';

export const quoteStates = lifecycle('quote', {
  draft: { send: 'sent', cancel: 'cancelled' },
  sent: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', expire: 'expired', revise: 'draft' },
  accepted: { order: 'ordered' },
  ordered: { reopen: 'accepted' },
  declined: {},
  expired: {},
  cancelled: {},
});

/** Chosen: an offer that nobody holds us to may go, as long as it has no number: what was sent once stays in the books. */
const DELETABLE = ['draft', 'declined', 'expired', 'cancelled'];
/** Quotes whose text and lines take changes. */
const EDITABLE = ['draft', 'sent'];

const PERMISSIONS: Record<string, string> = {
  ...{ send: 'quote.update', accept: 'quote.update', decline: 'quote.update', cancel: 'quote.update' },
  ...{ update: 'quote.update', order: 'sales_order.create', delete: 'quote.delete' },
};

/** What the caller may do with a quote in a state. */
export const quoteActions = (caller: Caller, status: string, number: string | null): string[] =>
  permitted(
    caller,
    [
      ...quoteStates.allowed(status),
      ...(EDITABLE.includes(status) ? ['update'] : []),
      ...(DELETABLE.includes(status) && number === null ? ['delete'] : []),
    ],
    PERMISSIONS,
  );

const withActions = (caller: Caller, row: QuoteRow): QuoteRow => ({
  ...row,
  allowed_actions: quoteActions(caller, row.status, row.number),
});

/** Made anew each time: whether an offer still holds depends on the moment. */
const view = () => ({
  table: 'quotes',
  compute: {
    status: presentStatus('quotes'),
    order_id: sql`SELECT sales_orders.id FROM sales_orders
      WHERE sales_orders.quote_id = quotes.id AND sales_orders.status <> 'cancelled'`,
    allowed_actions: raw('NULL'),
  },
});

/** One page of the quotes that the caller may see. */
export async function listQuotes(db: Db, caller: Caller, request: ListRequest) {
  const found = await paginate(db, request, view());
  return { ...found, rows: (found.rows as QuoteRow[]).map((row) => withActions(caller, row)) };
}

/** A quote with its lines. @throws NotFound also when the caller may not see it */
export const readQuote = async (db: Db, caller: Caller, id: string): Promise<QuoteRow> =>
  withActions(caller, await readOne(db, QuoteDetails, id, { ...view(), expand: { lines: linesIn(db, 'quote_id') } }));

/** @throws NotFound when there is no such quote for this caller */
export const assertQuote = (db: Db, id: string): Promise<void> => assertExists(db, 'quotes', id);

/** Lets a quote be ordered again whose order came to nothing. */
export async function reopenQuote(db: Db, quote_id: string | null): Promise<void> {
  if (quote_id) await quoteStates.move(db.quote, quote_id, 'reopen');
}

/** Holds a quote until the transaction ends. @throws NotFound also when the caller may not see it */
export async function holdQuote(db: Db, id: string): Promise<void> {
  await holdOffer(db, 'quotes', id);
  await assertQuote(db, id);
}
