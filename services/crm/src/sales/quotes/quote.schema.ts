import {
  choice,
  Currency,
  BusinessDay,
  PlannedDay,
  Day,
  Id,
  foreignId,
  input,
  ShortText,
  LongText,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions, stateRequest } from '@suite/chassis/operations';
import { z } from 'zod';
import { quoteStates } from './quote.rules.ts';
import { addresses, addressInputs, Lines, LineTax, pricing, SalesLine, totals } from '../documents/document.schema.ts';

/** Quote with a price for each line, as returned in lists. */
export const Quote = record({
  number: z.string().nullable().describe('Quote number, assigned when the quote is first sent.'),
  opportunity_id: Id.nullable(),
  customer_id: Id,
  customer_name: z.string(),
  contact: z.string().nullable(),
  issue_date: Day,
  expiry_date: Day.describe("Last day of validity, in the workspace's time zone."),
  currency: Currency,
  ...addresses,
  terms: z.string().nullable(),
  ...totals,
  status: choice('draft', 'sent', 'accepted', 'declined', 'expired', 'ordered', 'cancelled'),
  revision: z.int().describe('Revision number. Increases with each change after sending.'),
  sent_at: Timestamp.nullable(),
  accepted_at: Timestamp.nullable(),
  order_id: Id.nullable().describe('ID of the sales order created from the quote.'),
  allowed_actions: Actions(quoteStates),
}).meta({ id: 'Quote' });

/** Quote with its lines. */
export const QuoteDetails = Quote.extend({ taxes: z.array(LineTax), lines: z.array(SalesLine) }).meta({
  id: 'QuoteDetails',
});

export const QuoteFilter = list(Quote, {
  filter: [
    ...([
      'number',
      'opportunity_id',
      'customer_id',
      'issue_date',
      'expiry_date',
      'currency',
      'total',
      'status',
    ] as const),
    ...(['created_by', 'created_at', 'updated_at'] as const),
  ],
  sort: ['created_at', 'updated_at', 'number', 'issue_date', 'expiry_date', 'total', 'customer_name'],
  search: true,
});

const optional = {
  opportunity_id: refTo('opportunities').nullable().optional(),
  contact: ShortText().min(1).nullable().optional(),
  issue_date: BusinessDay.optional().describe('Defaults to today.'),
  ...pricing,
  ...addressInputs,
  terms: LongText.nullable().optional(),
};

export const QuoteInput = input({
  customer_id: foreignId('finance.customer'),
  expiry_date: PlannedDay,
  lines: Lines,
  ...optional,
});

export const QuoteChanges = input({
  customer_id: foreignId('finance.customer').optional(),
  expiry_date: PlannedDay.optional(),
  lines: Lines.optional(),
  ...optional,
  status: stateRequest(
    quoteStates,
    ['sent', 'accepted', 'declined', 'cancelled'],
    ['send', 'accept', 'decline', 'cancel'],
  )
    .optional()
    .describe('New status after the other changes, or the action from `allowed_actions` that leads to it.'),
  version,
});

export type QuoteRow = z.input<typeof QuoteDetails>;
export type QuoteInput = z.output<typeof QuoteInput>;
export type QuoteChanges = z.output<typeof QuoteChanges>;
