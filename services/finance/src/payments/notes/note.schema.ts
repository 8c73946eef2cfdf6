import { choice, Currency, Day, Discount, Id, inner, MoneyOut, QtyOut, record } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { allocatedIn } from '../payments/payment.schema.ts';
import { figures, Summary } from '../../invoices/documents/document.schema.ts';
import { RefundSummary } from '../refunds/refund.schema.ts';
import { noteStates } from './note.rules.ts';

const Application = z.object({ id: Id, invoice_id: Id, number: z.string(), ...allocatedIn, date: Day });

const shown = {
  number: z.string().nullable().describe('`null` for a draft.'),
  date: Day,
  invoice_id: Id,
  currency: Currency,
  rate: z.string(),
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut,
  applied: MoneyOut,
  remaining: MoneyOut,
  status: choice('draft', 'open', 'partially_applied', 'applied', 'refunded', 'voided').describe(
    'Current status. A `draft` belongs to an approved return that is not completed. A used note is `refunded` if any part was refunded.',
  ),
  journal_id: inner(
    Id.nullable().describe('ID of the journal entry. `null` for drafts, and if there is nothing to post.'),
  ),
  allowed_actions: Actions(noteStates.sales),
  applications: z.array(Application).optional(),
  refunds: z.array(RefundSummary).optional(),
};

/** Credit note in favour of a customer. */
export const CreditNote = record({
  ...shown,
  customer_id: Id,
  sales_return_id: Id.nullable(),
  customer: Summary.nullable().optional(),
}).meta({ id: 'CreditNote' });

/** Returned part of an invoice line. */
const NoteLine = z
  .object({
    id: Id,
    position: z.int(),
    product_id: Id.nullable(),
    product_name: z.string().nullable(),
    sku: z.string().nullable(),
    unit_name: z.string().nullable(),
    description: z.string().nullable(),
    qty: QtyOut,
    unit_price: MoneyOut,
    discount: Discount.nullable().describe('Discount. An amount is the share of this part.'),
    ...figures,
  })
  .meta({ id: 'CreditNoteLine' });

/** Credit note with the returned lines. */
export const CreditNoteDetails = CreditNote.extend({
  invoice_number: z.string().describe('Number of the returned invoice.'),
  subtotal: MoneyOut.describe('Sum of quantity times price of all lines, before any discount.'),
  discount_total: MoneyOut,
  lines: z.array(NoteLine),
}).meta({ id: 'CreditNoteDetails' });

/** Debit note: an amount that a vendor owes the workspace. */
export const DebitNote = record({
  ...shown,
  allowed_actions: Actions(noteStates.purchase),
  vendor_id: Id,
  purchase_return_id: Id.nullable(),
  vendor: Summary.nullable().optional(),
}).meta({ id: 'DebitNote' });

const filter = ['number', 'date', 'invoice_id', 'currency', 'total', 'created_at', 'updated_at'] as const;
const sort = ['created_at', 'updated_at', 'date', 'number', 'total'] as const;

export const CreditNoteFilter = list(CreditNote, {
  filter: [...filter, 'customer_id', 'sales_return_id'],
  sort: [...sort],
  search: { texts: ['number'], through: searchedParty.customer },
  expand: ['applications', 'refunds', 'customer'],
});
export const DebitNoteFilter = list(DebitNote, {
  filter: [...filter, 'vendor_id', 'purchase_return_id'],
  sort: [...sort],
  search: { texts: ['number'], through: searchedParty.vendor },
  expand: ['applications', 'refunds', 'vendor'],
});
