import { choice, Day, Id, list, MoneyOut, record } from '@suite/chassis';
import { z } from 'zod';
import { Mark } from '../documents/document.schema.ts';

const Application = z.object({ invoice_id: Id, number: z.string(), amount: MoneyOut, date: Day });

const shown = {
  number: z.string(),
  date: Day,
  invoice_id: Id,
  currency: z.string(),
  rate: z.string(),
  net_total: MoneyOut,
  tax_total: MoneyOut,
  total: MoneyOut,
  applied: MoneyOut,
  remaining: MoneyOut,
  status: choice('open', 'partially_applied', 'applied', 'voided'),
  journal_id: Id,
  applications: z.array(Application).optional(),
};

/** What a customer has with us. */
export const CreditNote = record({
  ...shown,
  customer_id: Id,
  sales_return_id: Id.nullable(),
  customer: Mark.nullable().optional(),
}).meta({ id: 'CreditNote' });

/** What we have with a vendor. */
export const DebitNote = record({
  ...shown,
  vendor_id: Id,
  purchase_return_id: Id.nullable(),
  vendor: Mark.nullable().optional(),
}).meta({ id: 'DebitNote' });

const filter = ['number', 'date', 'invoice_id', 'currency', 'total', 'created_at', 'updated_at'] as const;
const sort = ['created_at', 'updated_at', 'date', 'number', 'total'] as const;

export const CreditNoteFilter = list(CreditNote, {
  filter: [...filter, 'customer_id', 'sales_return_id'],
  sort: [...sort],
  expand: ['applications', 'customer'],
});
export const DebitNoteFilter = list(DebitNote, {
  filter: [...filter, 'vendor_id', 'purchase_return_id'],
  sort: [...sort],
  expand: ['applications', 'vendor'],
});
