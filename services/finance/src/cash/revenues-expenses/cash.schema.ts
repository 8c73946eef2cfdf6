import {
  BusinessDay,
  choice,
  Currency,
  Day,
  Id,
  foreignId,
  input,
  ShortText,
  Money,
  MoneyOut,
  LongText,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { TaxSnapshot } from '@suite/document-lines';
import { z } from 'zod';
import { searchedParty } from '../../parties/party-kind.ts';
import { Rate } from '../../ledger/ledger/rate.schema.ts';
import { allocated, InvoiceParts } from '../../payments/payments/payment.schema.ts';
import { CASH } from './cash-kind.ts';

const allocation = z.object({ invoice_id: Id, ...allocated });
const Method = choice('cash', 'bank', 'card', 'online', 'other');
const KIND = {
  revenue:
    '`income` is posted to the category. `payment` is money of the customer: it settles the invoices in `invoice_allocations`, and the remainder is an advance.',
  expense:
    '`expense` is posted to the category. `payment` is money to the vendor: it settles the bills in `bill_allocations`, and the remainder is an advance.',
};
const Summary = z.object({ id: Id, code: z.string(), name: z.string() });

const shown = {
  number: z.string().nullable().describe('`null` before posting.'),
  date: Day,
  category_id: Id,
  bank_account_id: Id,
  method: Method,
  amount: MoneyOut.describe('Total amount, including tax.'),
  currency: Currency.describe('Currency of the bank account.'),
  rate: z.string(),
  tax: TaxSnapshot.nullable(),
  net: MoneyOut,
  tax_amount: MoneyOut,
  reference: z.string().nullable(),
  description: z.string().nullable(),
  status: choice('draft', 'approved', 'posted', 'reversed'),
  approved_by: Id.nullable(),
  approved_at: Timestamp.nullable(),
  posted_by: Id.nullable(),
  posted_at: Timestamp.nullable(),
  journal_id: Id.nullable(),
  payment_id: Id.nullable(),
  category: z.object({ id: Id, name: z.string() }).nullable().optional(),
  bank_account: z.object({ id: Id, bank_name: z.string(), account_name: z.string() }).nullable().optional(),
};

export const Revenue = record({
  ...shown,
  kind: choice('income', 'payment').describe(KIND.revenue),
  customer_id: Id.nullable(),
  invoice_allocations: z.array(allocation).describe('Invoices to settle.'),
  customer: Summary.nullable().optional(),
  allowed_actions: Actions(CASH.revenue.states),
}).meta({ id: 'Revenue' });

export const Expense = record({
  ...shown,
  kind: choice('expense', 'payment').describe(KIND.expense),
  vendor_id: Id.nullable(),
  project_id: Id.nullable(),
  bill_allocations: z.array(allocation).describe('Bills to settle.'),
  vendor: Summary.nullable().optional(),
  allowed_actions: Actions(CASH.expense.states),
}).meta({ id: 'Expense' });

const filters = [
  ...(['number', 'date', 'category_id', 'bank_account_id', 'method', 'amount', 'currency', 'reference'] as const),
  ...(['status', 'approved_by', 'posted_at', 'created_by', 'created_at', 'updated_at'] as const),
];
const order = ['created_at', 'updated_at', 'date', 'amount', 'number'] as const;

export const RevenueFilter = list(Revenue, {
  filter: [...filters, 'kind', 'customer_id'],
  sort: [...order],
  search: { texts: ['number', 'reference', 'description'], through: searchedParty.customer },
  expand: ['category', 'bank_account', 'customer'],
});

export const ExpenseFilter = list(Expense, {
  filter: [...filters, 'kind', 'vendor_id', 'project_id'],
  sort: [...order],
  search: { texts: ['number', 'reference', 'description'], through: searchedParty.vendor },
  expand: ['category', 'bank_account', 'vendor'],
});

const facts = {
  date: BusinessDay,
  bank_account_id: refTo('bank_accounts'),
  amount: Money.describe('Total amount, including tax.'),
};
const details = {
  method: Method,
  rate: Rate.describe('Exchange rate: base currency per unit. Required for foreign bank accounts.'),
  tax_id: foreignId('inventory.tax').nullable().describe('ID of a tax, which is included in the amount.'),
  reference: ShortText().min(1).nullable(),
  description: LongText.nullable(),
};
const optionalFacts = z.object(facts).partial().shape;
const optional = z.object(details).partial().shape;

const revenueCategory = refTo('revenue_categories');
const expenseCategory = refTo('expense_categories');

const ofRevenue = {
  kind: choice('income', 'payment')
    .optional()
    .describe(
      `${KIND.revenue} Defaults to \`payment\` with a customer and without a tax, and to \`income\` in all other cases.`,
    ),
  customer_id: refTo('customers').nullable().optional(),
  invoice_allocations: z.array(InvoiceParts.sales).max(100).optional(),
};
const ofExpense = {
  kind: choice('expense', 'payment')
    .optional()
    .describe(`${KIND.expense} Defaults to \`payment\` with bills to settle, and to \`expense\` without any.`),
  vendor_id: refTo('vendors').nullable().optional(),
  project_id: foreignId('projects.project')
    .nullable()
    .optional()
    .describe('ID of the project that the expense belongs to.'),
  bill_allocations: z.array(InvoiceParts.purchase).max(100).optional(),
};

export const RevenueInput = input({ ...facts, category_id: revenueCategory, ...optional, ...ofRevenue });
export const RevenueChanges = input({
  ...optionalFacts,
  category_id: revenueCategory.optional(),
  ...optional,
  ...ofRevenue,
  version,
});
export const ExpenseInput = input({ ...facts, category_id: expenseCategory, ...optional, ...ofExpense });
export const ExpenseChanges = input({
  ...optionalFacts,
  category_id: expenseCategory.optional(),
  ...optional,
  ...ofExpense,
  version,
});

export type RevenueInput = z.output<typeof RevenueInput>;
export type RevenueChanges = z.output<typeof RevenueChanges>;
export type ExpenseInput = z.output<typeof ExpenseInput>;
export type ExpenseChanges = z.output<typeof ExpenseChanges>;
