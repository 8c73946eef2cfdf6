import { choice, Day, Id, input, list, Money, MoneyOut, record } from '@suite/chassis';
import { z } from 'zod';

const Mark = z.object({ id: Id, code: z.string(), name: z.string() });
const Allocation = z.object({
  document_type: z.string(),
  invoice_id: Id,
  number: z.string(),
  amount: MoneyOut,
  date: Day,
});

const shown = {
  number: z.string(),
  date: Day,
  bank_account_id: Id.nullable().describe('Null for what is on its way: paid by card or online at the till.'),
  method: choice('cash', 'bank', 'card', 'online', 'credit_note', 'other'),
  amount: MoneyOut,
  currency: z.string(),
  rate: z.string(),
  reference: z.string().nullable(),
  status: choice('posted', 'reconciled', 'voided'),
  source: choice('revenue', 'expense', 'pos', 'gateway', 'manual'),
  source_id: Id,
  journal_id: Id,
  unallocated: MoneyOut.describe('What of it is set against nothing yet.'),
  allowed_actions: z.array(z.string()),
  allocations: z.array(Allocation).optional(),
  bank_account: z.object({ id: Id, bank_name: z.string(), account_name: z.string() }).nullable().optional(),
};

export const CustomerPayment = record({
  ...shown,
  customer_id: Id.nullable().describe('Null for somebody unknown at the till.'),
  customer: Mark.nullable().optional(),
}).meta({ id: 'CustomerPayment' });

export const VendorPayment = record({ ...shown, vendor_id: Id, vendor: Mark.nullable().optional() }).meta({
  id: 'VendorPayment',
});

const filters = [
  ...(['number', 'date', 'bank_account_id', 'method', 'amount', 'currency', 'reference', 'status'] as const),
  ...(['source', 'source_id', 'created_at', 'updated_at'] as const),
];
const sort = ['created_at', 'updated_at', 'date', 'amount', 'number'] as const;

export const CustomerPaymentFilter = list(CustomerPayment, {
  filter: [...filters, 'customer_id'],
  sort: [...sort],
  expand: ['allocations', 'bank_account', 'customer'],
});

export const VendorPaymentFilter = list(VendorPayment, {
  filter: [...filters, 'vendor_id'],
  sort: [...sort],
  expand: ['allocations', 'bank_account', 'vendor'],
});

export const AllocationInput = input({
  allocations: z
    .array(z.strictObject({ invoice_id: Id, amount: Money }))
    .min(1)
    .max(100),
  date: Day.optional().describe('Today, when it is not given.'),
});
