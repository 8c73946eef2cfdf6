import {
  BusinessDay,
  choice,
  Day,
  Id,
  foreignId,
  input,
  LongText,
  MoneyOut,
  QtyOut,
  refTo,
} from '@suite/chassis/fields';
import { conversionFields, conversionRate } from '@suite/document-lines';
import { z } from 'zod';

const ENTRIES_MAX = 500;
const TAXES_MAX = 10;

/** Selection of approved time to invoice, and the grouping of its lines. */
export const BillingInput = input({
  from: Day.optional().describe('First day of the time entries to invoice.'),
  to: Day.optional(),
  entry_ids: z.array(refTo('time_entries')).min(1).max(ENTRIES_MAX).optional(),
  group_by: choice('task', 'member', 'rate', 'entry').default('task'),
  customer_id: foreignId('finance.customer').optional().describe('Defaults to the customer of the project.'),
  invoice_date: BusinessDay.optional().describe('Defaults to today.'),
  taxes: z.array(foreignId('inventory.tax')).max(TAXES_MAX).default([]).describe('IDs of the taxes for each line.'),
  rate: conversionRate,
  description: LongText.max(2_000).optional().describe('Notes of the invoice.'),
}).refine(({ from, to }) => !from || !to || from <= to, {
  error: 'The last day must not be before the first day.',
  path: ['to'],
});

const BilledLine = z.object({
  label: z.string(),
  rate: MoneyOut,
  seconds: z.int(),
  qty: QtyOut.describe('Hours, with up to six decimals.'),
  unit_price: MoneyOut,
  net: MoneyOut,
  entry_count: z.int(),
});

/** Approved time with its draft invoice. */
export const Billing = z
  .object({
    billing_run_id: Id.nullable().describe('ID of the billing run. `null` in a dry run.'),
    sales_invoice_id: Id.nullable().describe('ID of the draft invoice. `null` in a dry run.'),
    lines: z.array(BilledLine),
    entries: z.int(),
    seconds: z.int(),
    net: MoneyOut,
    currency: z.string(),
    exchange_rate: conversionFields.exchange_rate,
  })
  .meta({ id: 'ProjectBilling' });

export type BillingInput = z.output<typeof BillingInput>;
export type Billing = z.input<typeof Billing>;
