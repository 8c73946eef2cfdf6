/** Types of records whose history users can read. */
import { recordTypes } from '@suite/chassis/service';
import { anyOf, refersTo } from '@suite/chassis/visibility';
import { BankAccount, BankTransfer } from './banking/banking/bank.schema.ts';
import { ExpenseCategory, RevenueCategory } from './cash/categories/category.schema.ts';
import { Expense, Revenue } from './cash/revenues-expenses/cash.schema.ts';
import { Agent } from './commissions/agents/agent.schema.ts';
import { CommissionPlan } from './commissions/commission-plans/plan.schema.ts';
import { PurchaseInvoice } from './invoices/purchase-invoices/purchase-invoice.schema.ts';
import { SalesInvoice } from './invoices/sales-invoices/sales-invoice.schema.ts';
import { GlAccount } from './ledger/accounts/account.schema.ts';
import { Customer, Vendor } from './parties/party.schema.ts';
import { PurchaseReturn, SalesReturn } from './payments/returns/return.schema.ts';
import { AccountType } from './ledger/accounts/account.schema.ts';
import { PeriodLock } from './ledger/periods/period.schema.ts';
import { Revaluation } from './ledger/revaluations/revaluation.schema.ts';
import { CreditNote, DebitNote } from './payments/notes/note.schema.ts';
import { CustomerPayment, VendorPayment } from './payments/payments/payment.schema.ts';
import { CommissionLine } from './commissions/commissions/commission.schema.ts';
import { BankTransaction } from './banking/banking/bank.schema.ts';

/** Payments of parties, as in their lists. */
const paymentsOf = (party: 'customer' | 'vendor') =>
  anyOf("payments.source = 'pos'", refersTo(`${party}_id`, `${party}s`));

export const records = recordTypes('finance', {
  customer: { table: 'customers', schema: Customer, permissions: ['customer.view'], module: 'accounting' },
  vendor: { table: 'vendors', schema: Vendor, permissions: ['vendor.view'], module: 'accounting' },
  sales_invoice: {
    table: 'sales_invoices',
    schema: SalesInvoice,
    permissions: ['sales_invoice.view'],
    module: 'invoicing',
  },
  purchase_invoice: {
    table: 'purchase_invoices',
    schema: PurchaseInvoice,
    permissions: ['purchase_invoice.view'],
    module: 'purchasing',
  },
  sales_return: {
    table: 'sales_returns',
    schema: SalesReturn,
    permissions: ['sales_return.view'],
    module: 'invoicing',
  },
  purchase_return: {
    table: 'purchase_returns',
    schema: PurchaseReturn,
    permissions: ['purchase_return.view'],
    module: 'purchasing',
  },
  revenue: { table: 'revenues', schema: Revenue, permissions: ['revenue.view'], module: 'accounting' },
  expense: { table: 'expenses', schema: Expense, permissions: ['expense.view'], module: 'accounting' },
  revenue_category: {
    table: 'revenue_categories',
    schema: RevenueCategory,
    permissions: ['revenue.view'],
    module: 'accounting',
  },
  expense_category: {
    table: 'expense_categories',
    schema: ExpenseCategory,
    permissions: ['expense.view'],
    module: 'accounting',
  },
  gl_account: { table: 'gl_accounts', schema: GlAccount, permissions: ['ledger.view'], module: 'accounting' },
  bank_account: {
    table: 'bank_accounts',
    schema: BankAccount,
    permissions: ['bank_account.view'],
    module: 'accounting',
  },
  bank_transfer: {
    table: 'bank_transfers',
    schema: BankTransfer,
    permissions: ['bank_account.view'],
    module: 'accounting',
  },
  agent: { table: 'agents', schema: Agent, permissions: ['commission.view'], module: 'sales_agent' },
  commission_plan: {
    table: 'commission_plans',
    schema: CommissionPlan,
    permissions: ['commission.view'],
    module: 'sales_agent',
  },
  account_type: { table: 'account_types', schema: AccountType, permissions: ['ledger.view'], module: 'accounting' },
  period_lock: { table: 'period_locks', schema: PeriodLock, permissions: ['ledger.view'], module: 'accounting' },
  revaluation: { table: 'revaluations', schema: Revaluation, permissions: ['ledger.view'], module: 'accounting' },
  commission: {
    table: 'commission_lines',
    schema: CommissionLine,
    permissions: ['commission.view'],
    module: 'sales_agent',
  },
  bank_transaction: {
    table: 'bank_transactions',
    schema: BankTransaction,
    permissions: ['bank_account.view'],
    module: 'accounting',
  },
  customer_payment: {
    table: 'payments',
    schema: CustomerPayment,
    permissions: ['revenue.view'],
    module: 'accounting',
    kind: 'customer',
    narrowing: paymentsOf('customer'),
  },
  vendor_payment: {
    table: 'payments',
    schema: VendorPayment,
    permissions: ['expense.view'],
    module: 'accounting',
    kind: 'vendor',
    narrowing: paymentsOf('vendor'),
  },
  credit_note: {
    table: 'notes',
    schema: CreditNote,
    permissions: ['sales_return.view'],
    module: 'accounting',
    kind: 'credit',
    narrowing: refersTo('customer_id', 'customers'),
  },
  debit_note: {
    table: 'notes',
    schema: DebitNote,
    permissions: ['purchase_return.view'],
    module: 'accounting',
    kind: 'debit',
    narrowing: refersTo('vendor_id', 'vendors'),
  },
});
