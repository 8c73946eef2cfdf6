/** Quotes are priced offers. The customer accepts or declines a quote before it expires. */
import { idOf } from '@suite/chassis/fields';
import { can, created, withDateWarnings, ok, page, removed } from '@suite/chassis/operations';
import { printFaults } from '@suite/pdf';
import { printQuote } from './quote-pdf.ts';
import { fetchCustomer, fetchCustomerChange } from '../references/customer.ts';
import { fetchChangedLines, fetchLines } from '../documents/lines.ts';
import { type Rpc, sales } from '../../operations.ts';
import { createQuote, QuoteIsSettled, removeQuote, updateQuote, customerOfQuote } from './quote.ts';
import { quoteStates } from './quote.rules.ts';
import { Quote, QuoteChanges, QuoteDetails, QuoteFilter, QuoteInput } from './quote.schema.ts';
import { listQuotes, readQuote } from './quote.view.ts';
import { ValidityIsOver } from '../documents/validity.ts';

/** Requests the referenced customer and products from their services. */
const fetchReferences = async (rpc: Rpc, { customer_id, lines }: QuoteInput) => ({
  customer: await fetchCustomer(rpc, customer_id),
  lines: await fetchLines(rpc, lines),
});

export const list = sales.query('GET /api/sales/quotes', {
  summary: 'List quotes',
  description:
    'Returns the quotes that you may see, with totals and allowed actions. Filter by `opportunity_id` for the quotes of an opportunity.',
  access: can('quote.view'),
  query: QuoteFilter,
  reply: page(Quote),
  handle: ({ db, caller, query }) => listQuotes(db, caller, query),
});

export const show = sales.query('GET /api/sales/quotes/{id}', {
  summary: 'Get a quote',
  description: 'Returns the quote with its lines and allowed actions. Send `Accept: application/pdf` to get a PDF.',
  access: can('quote.view'),
  params: { id: idOf('quotes') },
  reply: ok(QuoteDetails),
  faults: printFaults,
  handle: ({ db, caller, params }) => readQuote(db, caller, params.id),
  formats: { pdf: printQuote },
});

export const create = sales.command('POST /api/sales/quotes/store', {
  summary: 'Create a quote',
  description:
    'Creates a draft quote without a number. Copies products and taxes into its lines and calculates the totals.',
  access: can('quote.create'),
  body: QuoteInput,
  reply: created(QuoteDetails),
  prepare: ({ body, rpc }) => fetchReferences(rpc, body),
  handle: ({ body, prepared, ...context }) => createQuote(context, body, prepared),
});

export const update = sales.command('POST /api/sales/quotes/update/{id}', {
  summary: 'Update a quote',
  description:
    'Updates a quote. `status` marks it as sent, accepted, declined or cancelled. Changing a sent quote turns it into a draft, as the next revision. Create a sales order with `quote_id` to order it.',
  access: quoteStates.can('update', 'send', 'accept', 'decline', 'cancel'),
  params: { id: idOf('quotes') },
  body: QuoteChanges,
  reply: withDateWarnings(ok(QuoteDetails), { record: 'issue_date' }),
  faults: [QuoteIsSettled, ValidityIsOver],
  prepare: async ({ params, body, ...context }) => ({
    ...(await fetchCustomerChange(context, body.customer_id, (db) => customerOfQuote(db, params.id))),
    lines: await fetchChangedLines(context, { key: 'quote_id', id: params.id }, body.lines),
  }),
  handle: ({ params, body, prepared, expect, ...context }) =>
    updateQuote(context, params.id, body, { ...prepared, expect }),
});

export const remove = sales.command('DELETE /api/sales/quotes/destroy/{id}', {
  summary: 'Delete a quote',
  description: 'Deletes a draft without a number. A quote that was sent has a number. Cancel it instead.',
  access: quoteStates.can('delete'),
  params: { id: idOf('quotes') },
  reply: removed,
  handle: ({ db, caller, params }) => removeQuote(db, caller, params.id),
});
