import { service } from '@suite/chassis';
import * as accountTypes from './accounts/account-types.api.ts';
import * as chart from './accounts/chart.api.ts';
import * as glAccounts from './accounts/gl-accounts.api.ts';
import { transferStates } from './banking/transfer.rules.ts';
import * as settings from './books/settings.api.ts';
import * as bankAccounts from './banking/bank-accounts.api.ts';
import * as bankTransactions from './banking/bank-transactions.api.ts';
import * as bankTransfers from './banking/bank-transfers.api.ts';
import { paymentStates, transactionStates } from './banking/reconciliation.rules.ts';
import { commissionStates } from './commissions/commission.rules.ts';
import { CASH } from './revenues-expenses/cash-kind.ts';
import * as customerPayments from './payments/customer-payments.api.ts';
import * as expenseCategories from './categories/expense-categories.api.ts';
import * as expenses from './revenues-expenses/expenses.api.ts';
import * as revenueCategories from './categories/revenue-categories.api.ts';
import * as revenues from './revenues-expenses/revenues.api.ts';
import * as vendorPayments from './payments/vendor-payments.api.ts';
import * as agents from './agents/agents.api.ts';
import * as commissionPlans from './commission-plans/commission-plans.api.ts';
import * as commissions from './commissions/commissions.api.ts';
import { bookAdjustment } from './consumers/inventory.adjustment-recorded.ts';
import { bookPosOrder } from './consumers/inventory.pos-order-paid.ts';
import { refundPosOrder } from './consumers/inventory.pos-order-refunded.ts';
import { moveStockValue } from './consumers/inventory.product-stock-account-changed.ts';
import { openNewBooks } from './consumers/platform.workspace-provisioned.ts';
import { SIDES } from './documents/kind.ts';
import { PrismaClient } from './generated/client.ts';
import * as salesInvoices from './sales-invoices/sales-invoices.api.ts';
import * as journalEntries from './ledger/journal-entries.api.ts';
import { calls } from './operations.ts';
import * as customerRefunds from './refunds/customer-refunds.api.ts';
import { refundStates } from './refunds/refund.rules.ts';
import * as vendorRefunds from './refunds/vendor-refunds.api.ts';
import { revaluationStates } from './revaluations/revaluation.rules.ts';
import * as revaluations from './revaluations/revaluations.api.ts';
import * as creditNotes from './notes/credit-notes.api.ts';
import * as debitNotes from './notes/debit-notes.api.ts';
import * as customers from './parties/customers.api.ts';
import * as vendors from './parties/vendors.api.ts';
import * as periodLocks from './periods/period-locks.api.ts';
import * as purchaseInvoices from './purchase-invoices/purchase-invoices.api.ts';
import * as reports from './reports/reports.api.ts';
import * as purchaseReturns from './returns/purchase-returns.api.ts';
import * as salesReturns from './returns/sales-returns.api.ts';
import { financeRpc } from './rpc/finance.rpc.ts';
import { settleOpenStock } from './stock/sweeper.ts';
import * as customersV1 from './v1/customers-v1.api.ts';
import * as invoicesV1 from './v1/invoices-v1.api.ts';
import { owns, references } from './references.ts';
import { whoSeesWhat } from './visibility.ts';
import { noteStates } from './notes/note.rules.ts';

/** Accounting: customers, vendors, invoices, banks, cash and the journal. */
export const finance = service({
  name: 'finance',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: {
    accountTypes,
    chart,
    glAccounts,
    journalEntries,
    periodLocks,
    reports,
    settings,
    customers,
    vendors,
    revenueCategories,
    expenseCategories,
    revenues,
    expenses,
    customerPayments,
    vendorPayments,
    customerRefunds,
    vendorRefunds,
    revaluations,
    salesInvoices,
    salesReturns,
    purchaseInvoices,
    purchaseReturns,
    creditNotes,
    debitNotes,
    agents,
    commissionPlans,
    commissions,
    customersV1,
    invoicesV1,
    bankAccounts,
    bankTransactions,
    bankTransfers,
  },
  lifecycles: [
    transferStates,
    transactionStates,
    paymentStates.customer,
    paymentStates.vendor,
    CASH.revenue.states,
    CASH.expense.states,
    commissionStates,
    refundStates.sales,
    refundStates.purchase,
    revaluationStates,
    noteStates.sales,
    noteStates.purchase,
    SIDES.sales.states,
    SIDES.purchase.states,
    SIDES.sales.return_states,
    SIDES.purchase.return_states,
  ],
  rpc: [financeRpc],
  consumers: [openNewBooks, bookAdjustment, moveStockValue, bookPosOrder, refundPosOrder],
  schedules: [settleOpenStock],
  calls,
  references,
  owns,
});
