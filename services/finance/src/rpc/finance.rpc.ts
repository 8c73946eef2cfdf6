/** The methods of finance for other services. */
import { serveMethods } from '@suite/chassis';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { createDraftInvoice, deleteDraftInvoice } from '../sales-invoices/draft-invoice.rpc.ts';
import {
  batchGetCustomers,
  checkAccounts,
  checkPeriodOpen,
  getPartyBalances,
  listCustomers,
} from './accounting.rpc.ts';
import { postJournal } from './post-journal.rpc.ts';

export const financeRpc = serveMethods(FinanceServiceDefinition, {
  batchGetCustomers,
  listCustomers,
  postJournal,
  getPartyBalances,
  checkPeriodOpen,
  checkAccounts,
  createDraftInvoice,
  deleteDraftInvoice,
});
