import { service } from '@suite/chassis/service';
import * as accountTypes from './ledger/accounts/account-types.api.ts';
import * as chart from './ledger/accounts/chart.api.ts';
import * as glAccounts from './ledger/accounts/gl-accounts.api.ts';
import { transferStates } from './banking/banking/transfer.rules.ts';
import * as settings from './ledger/books/settings.api.ts';
import * as bankAccounts from './banking/banking/bank-accounts.api.ts';
import * as bankTransactions from './banking/banking/bank-transactions.api.ts';
import * as bankTransfers from './banking/banking/bank-transfers.api.ts';
import { paymentStates, transactionStates, bankAccountActions } from './banking/banking/reconciliation.rules.ts';
import { commissionStates } from './commissions/commissions/commission.rules.ts';
import { CASH } from './cash/revenues-expenses/cash-kind.ts';
import * as customerPayments from './payments/payments/customer-payments.api.ts';
import * as expenseCategories from './cash/categories/expense-categories.api.ts';
import * as expenses from './cash/revenues-expenses/expenses.api.ts';
import * as revenueCategories from './cash/categories/revenue-categories.api.ts';
import * as revenues from './cash/revenues-expenses/revenues.api.ts';
import * as vendorPayments from './payments/payments/vendor-payments.api.ts';
import * as agents from './commissions/agents/agents.api.ts';
import * as commissionPlans from './commissions/commission-plans/commission-plans.api.ts';
import * as commissions from './commissions/commissions/commissions.api.ts';
import { bookAdjustment } from './consumers/inventory.adjustment-recorded.ts';
import { bookPosOrder } from './consumers/inventory.pos-order-paid.ts';
import { refundPosOrder } from './consumers/inventory.pos-order-refunded.ts';
import { moveStockValue } from './consumers/inventory.product-stock-account-changed.ts';
import { openNewBooks } from './consumers/platform.workspace-provisioned.ts';
import { copyTimezone } from './consumers/platform.workspace-settings-changed.ts';
import { SIDES } from './invoices/documents/side.ts';
import { PrismaClient } from './generated/client.ts';
import * as salesInvoices from './invoices/sales-invoices/sales-invoices.api.ts';
import * as journalEntries from './ledger/ledger/journal-entries.api.ts';
import { calls } from './operations.ts';
import * as customerRefunds from './payments/refunds/customer-refunds.api.ts';
import { refundStates } from './payments/refunds/refund.rules.ts';
import * as vendorRefunds from './payments/refunds/vendor-refunds.api.ts';
import { revaluationStates } from './ledger/revaluations/revaluation.rules.ts';
import * as revaluations from './ledger/revaluations/revaluations.api.ts';
import * as creditNotes from './payments/notes/credit-notes.api.ts';
import * as debitNotes from './payments/notes/debit-notes.api.ts';
import * as customers from './parties/customers.api.ts';
import * as vendors from './parties/vendors.api.ts';
import * as periodLocks from './ledger/periods/period-locks.api.ts';
import * as purchaseInvoices from './invoices/purchase-invoices/purchase-invoices.api.ts';
import * as reports from './reports/reports/reports.api.ts';
import * as purchaseReturns from './payments/returns/purchase-returns.api.ts';
import * as salesReturns from './payments/returns/sales-returns.api.ts';
import { financeRpc } from './rpc/finance.rpc.ts';
import { settleOpenStock } from './ledger/stock/stock-settlement.ts';
import * as customersV1 from './api/customers-v1.api.ts';
import * as invoicesV1 from './api/invoices-v1.api.ts';
import { owns, references } from './references.ts';
import { records } from './records.ts';
import { visibilityRules } from './visibility.ts';
import { noteStates } from './payments/notes/note.rules.ts';
import { agentActions } from './commissions/agents/agent.rules.ts';
import { planActions } from './commissions/commission-plans/plan.rules.ts';
import { periodLockActions } from './ledger/periods/period.rules.ts';
import { settingsActions } from './ledger/books/settings.rules.ts';
import { v1CustomerActions } from './api/v1.rules.ts';
import { partyActions } from './parties/party.rules.ts';
import { categoryActions } from './cash/categories/category.rules.ts';
import { copies, publishes } from './copies.ts';
import { moveGoods } from './ledger/stock/saga.ts';
import { reserveForReversal } from './ledger/stock/receipt-reversal.ts';

/** Accounting: customers, vendors, invoices, banks, cash and the journal. */
export const finance = service({
  name: 'finance',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: visibilityRules,
  records,
  record_readers: ['platform'],
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
    bankAccountActions,
    agentActions,
    planActions,
    periodLockActions,
    settingsActions,
    v1CustomerActions,
    ...Object.values(partyActions),
    ...Object.values(categoryActions),
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
  consumers: [openNewBooks, copyTimezone, bookAdjustment, moveStockValue, bookPosOrder, refundPosOrder],
  schedules: [settleOpenStock],
  calls,
  references,
  owns,
  publishes,
  copies,
  steps: [moveGoods, reserveForReversal],
});
