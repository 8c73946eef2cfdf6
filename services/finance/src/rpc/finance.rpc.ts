/** What finance answers to other services. */
import { serveRpc } from '@suite/chassis';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import { createDraftInvoice } from '../invoices/draft-request.ts';
import type { Db } from '../operations.ts';
import { batchGetCustomers, checkAccounts, checkPeriodOpen, getPartyBalances, listCustomers } from './accounting.ts';
import { postJournal } from './journal-request.ts';

export const financeRpc = serveRpc<typeof FinanceServiceDefinition, Db>(FinanceServiceDefinition, {
  batchGetCustomers,
  listCustomers,
  postJournal,
  getPartyBalances,
  checkPeriodOpen,
  checkAccounts,
  createDraftInvoice,
});
