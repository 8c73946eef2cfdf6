/** What finance answers to other services. */
import { fault, serveRpc } from '@suite/chassis';
import { FinanceServiceDefinition } from '@suite/proto/finance/v1/finance';
import type { Db } from '../operations.ts';
import { batchGetCustomers, checkPeriodOpen, getPartyBalances, postJournal } from './accounting.ts';

const InvoicingOff = fault(503, 'invoicing_unavailable', 'Invoices cannot be drafted here.');

export const financeRpc = serveRpc<typeof FinanceServiceDefinition, Db>(FinanceServiceDefinition, {
  batchGetCustomers,
  postJournal,
  getPartyBalances,
  checkPeriodOpen,
  createDraftInvoice: () => Promise.reject(InvoicingOff()),
});
