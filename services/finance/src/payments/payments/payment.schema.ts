import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Id,
  inner,
  input,
  Money,
  MoneyOut,
  OuterMoneyOut,
  QtyOut,
  record,
  refTo,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { Rate } from '../../ledger/ledger/rate.schema.ts';
import { RefundSummary } from '../refunds/refund.schema.ts';
import { paymentStates } from '../../banking/banking/reconciliation.rules.ts';

const Summary = z.object({ id: Id, code: z.string(), name: z.string() });

// Rate of an allocation. Chosen: the amount is in the currency of the invoice, so that exactly the outstanding amount
// can be settled. The other amount results from the rate.
const RATE = 'Exchange rate: amount in the currency of the payment or note per unit of the invoice currency';

/** Settled part of an invoice, and the used part of the payment or note. */
export const allocated = {
  amount: MoneyOut.describe('Amount in the currency of the invoice.'),
  rate: QtyOut.nullable().describe(`${RATE}. \`null\` if both currencies are the same.`).meta({ example: '1.0842' }),
  credit_amount: OuterMoneyOut.describe(
    'Used amount of the payment or note in its currency: the amount times the rate.',
  ).meta({ example: '1355.25' }),
};

/** Settled part, with the currency of the invoice. */
export const allocatedIn = { ...allocated, currency: Currency.describe('Currency of the invoice.') };

const Allocation = z.object({
  id: Id,
  document_type: z.string(),
  invoice_id: Id,
  number: z.string(),
  ...allocatedIn,
  date: Day,
});

const shown = {
  number: z.string(),
  date: Day,
  bank_account_id: Id.nullable().describe(
    'ID of the bank account. `null` for card and online payments that have not been paid out.',
  ),
  method: choice('cash', 'bank', 'card', 'online', 'credit_note', 'other'),
  amount: MoneyOut,
  currency: Currency,
  rate: z.string(),
  reference: z.string().nullable(),
  status: choice('posted', 'reconciled', 'voided'),
  source: choice('revenue', 'expense', 'pos', 'gateway', 'manual'),
  source_id: Id,
  journal_id: inner(Id),
  unallocated: MoneyOut.describe('Amount not allocated yet.'),
  allowed_actions: Actions(paymentStates.customer),
  allocations: z.array(Allocation).optional(),
  refunds: z.array(RefundSummary).optional(),
  bank_account: z.object({ id: Id, bank_name: z.string(), account_name: z.string() }).nullable().optional(),
};

export const CustomerPayment = record({
  ...shown,
  customer_id: Id.nullable().describe('`null` for a walk-in customer.'),
  customer: Summary.nullable().optional(),
}).meta({ id: 'CustomerPayment' });

export const VendorPayment = record({
  ...shown,
  allowed_actions: Actions(paymentStates.vendor),
  vendor_id: Id,
  vendor: Summary.nullable().optional(),
}).meta({ id: 'VendorPayment' });

const filters = [
  ...(['number', 'date', 'bank_account_id', 'method', 'amount', 'currency', 'reference', 'status'] as const),
  ...(['source', 'source_id', 'created_at', 'updated_at'] as const),
];
const sort = ['created_at', 'updated_at', 'date', 'amount', 'number'] as const;

export const CustomerPaymentFilter = list(CustomerPayment, {
  filter: [...filters, 'customer_id'],
  sort: [...sort],
  search: { texts: ['number', 'reference'], through: searchedParty.customer },
  expand: ['allocations', 'refunds', 'bank_account', 'customer'],
});

export const VendorPaymentFilter = list(VendorPayment, {
  filter: [...filters, 'vendor_id'],
  sort: [...sort],
  search: { texts: ['number', 'reference'], through: searchedParty.vendor },
  expand: ['allocations', 'refunds', 'bank_account', 'vendor'],
});

/** Returns the schema of an invoice amount to settle. @param table the invoices */
const invoicePart = (table: 'sales_invoices' | 'purchase_invoices') =>
  input({
    invoice_id: refTo(table).describe('ID of an invoice, or the `opening_balance_id` of the customer or vendor.'),
    amount: Money.describe('Amount in the currency of the invoice.'),
    rate: Rate.nullable().optional().describe(`${RATE}. Required if both differ, rejected if they are the same.`),
  });

/** Amount to settle of a sales invoice or a purchase invoice. */
export const InvoiceParts = { sales: invoicePart('sales_invoices'), purchase: invoicePart('purchase_invoices') };

const allocationOf = (part: (typeof InvoiceParts)['sales']) =>
  input({
    allocations: z.array(part).min(1).max(100),
    date: BusinessDay.optional().describe('Defaults to today.'),
  });

export const AllocationInputs = {
  sales: allocationOf(InvoiceParts.sales),
  purchase: allocationOf(InvoiceParts.purchase),
};

/** Request body of a deallocation. */
export const DeallocationInput = input({
  allocation_ids: z.array(refTo('allocations')).min(1).max(100).describe('IDs of allocations of this payment or note.'),
  date: BusinessDay.optional().describe(
    'Date of the deallocation, in an open period and not before the allocation. Defaults to the date of each allocation.',
  ),
});
