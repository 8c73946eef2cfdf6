/** Methods of finance for other services. */
import { serveMethods } from '@suite/chassis/rpc';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { getPaymentSource } from '../banking/requested-entries/payment-source.rpc.ts';
import { recordPayout, reversePayout } from '../banking/requested-entries/payout.rpc.ts';
import { postJournal } from '../banking/requested-entries/post-journal.rpc.ts';
import { checkReversal, reverseJournal } from '../banking/requested-entries/reverse-journal.rpc.ts';
import { createDraftInvoice, deleteDraftInvoice } from '../invoices/sales-invoices/draft-invoice.rpc.ts';
import { stopInvoicing } from '../invoices/sales-invoices/stop-invoicing.rpc.ts';
import { changeBooksOfWorkspace } from '../ledger/books/change-books.rpc.ts';
import {
  batchGetCustomers,
  checkAccounts,
  checkPeriodOpen,
  getCustomerCount,
  listCustomers,
} from './accounting.rpc.ts';

export const financeRpc = serveMethods(FinanceServiceDefinition, {
  batchGetCustomers,
  listCustomers,
  getCustomerCount,
  postJournal,
  reverseJournal,
  recordPayout,
  reversePayout,
  checkReversal,
  getPaymentSource,
  checkPeriodOpen,
  checkAccounts,
  createDraftInvoice,
  deleteDraftInvoice,
  stopInvoicing,
  changeBooks: changeBooksOfWorkspace,
});
