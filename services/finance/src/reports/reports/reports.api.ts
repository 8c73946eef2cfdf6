/** Accounting reports of a day or a period. All amounts come from the journal. */
import { regardlessOfVisibility, remainingTime } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { withPermission, can, ok } from '@suite/chassis/operations';
import { today } from '@suite/chassis/runtime';
import { printFaults } from '@suite/pdf';
import { viewBooks } from '../../ledger/books/books.ts';
import { AsOf } from '../../ledger/ledger/as-of.schema.ts';
import { accounting, type Db } from '../../operations.ts';
import { checkOrders } from '../audit/order-comparison.ts';
import { documentsInTransit } from '../integrity/goods-in-transit.ts';
import { integrity } from '../integrity/integrity.ts';
import { ageing, statementOf, StatementTooLong } from './party-reports.ts';
import {
  Ageing,
  AgeingQuery,
  BalanceSheet,
  Integrity,
  IntegrityQuery,
  ProfitAndLoss,
  Span,
  Statement,
  TaxSummary,
  TrialBalance,
} from './report.schema.ts';
import { reportSpanOf } from './report-span.ts';
import { printStatement } from './statement-pdf.ts';
import { balanceSheet, profitAndLoss, type ReportBooks, trialBalance } from './statements.ts';
import { taxSummary } from './tax-summary.ts';

const ADDITION = 'The totals that books exist for: the specification has no accounting report.';

const { query } = accounting;

const readReportBooks = async (db: Db, caller: Caller): Promise<ReportBooks> => ({
  ...(await viewBooks(db, caller)),
  workspace_id: caller.workspace_id,
});

export const showTrialBalance = query('GET /api/accounting/trial-balance', {
  summary: 'Get the trial balance',
  description:
    'Returns debit and credit of each ledger account on a day in base currency. `difference` is zero in balanced books. The report date `as_of` defaults to today.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: AsOf,
  reply: ok(TrialBalance),
  handle: async ({ db, caller, query }) =>
    trialBalance(db, await readReportBooks(db, caller), query.as_of ?? today(caller.timezone)),
});

// Chosen: the ledger shows the cost of sales to all users with `ledger.view`. Without it, the reports would not
// balance.
export const showProfitAndLoss = query('GET /api/accounting/profit-and-loss', {
  summary: 'Get the profit and loss statement',
  description:
    'Returns revenue, cost of sales, expenses and net profit of a period in base currency. The period defaults to the fiscal year until today.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: Span,
  reply: ok(ProfitAndLoss),
  handle: async ({ db, caller, query }) => {
    const { books, from, to } = await reportSpanOf(db, caller, query);
    return await profitAndLoss(db, { ...books, workspace_id: caller.workspace_id }, from, to);
  },
});

export const showBalanceSheet = query('GET /api/accounting/balance-sheet', {
  summary: 'Get the balance sheet',
  description:
    'Returns assets, liabilities and equity on a day in base currency, from the journal. Shows earnings of the fiscal year separately. `difference` is zero in balanced books. The report date `as_of` defaults to today.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: AsOf,
  reply: ok(BalanceSheet),
  handle: async ({ db, caller, query }) =>
    balanceSheet(db, await readReportBooks(db, caller), query.as_of ?? today(caller.timezone)),
});

export const showTaxSummary = query('GET /api/accounting/tax-summary', {
  summary: 'Get the tax report',
  description:
    'Returns base and tax of each tax and rate in base currency, as posted. Includes zero rates and untaxed amounts. The totals equal the tax accounts in the ledger. The period defaults to the fiscal year until today.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: Span,
  reply: ok(TaxSummary),
  handle: ({ db, caller, query }) => taxSummary(db, caller, query),
});

export const showAgeing = query('GET /api/accounting/ageing', {
  summary: 'Get the ageing report',
  description:
    'Returns open amounts by customer or vendor and by age, counted from the due date. Includes the base currency and each document currency. Pages are sorted by name, and `totals` covers all pages. The report date `as_of` defaults to today.',
  addition: ADDITION,
  access: can('ledger.view'),
  query: AgeingQuery,
  reply: ok(Ageing),
  handle: async ({ db, caller, query }) =>
    ageing(db, query, await viewBooks(db, caller), query.as_of ?? today(caller.timezone)),
});

export const showCustomerStatement = query('GET /api/accounting/customer-statement/{id}', {
  summary: 'Get the statement of a customer',
  description:
    'Returns the entries of a customer with opening and closing balance. Each entry has its document currency and base currency. The period defaults to the fiscal year until today. Revaluations are not included. Send `Accept: application/pdf` for a PDF that you can send to the customer.',
  addition: ADDITION,
  access: withPermission(can('customer.view'), 'sales_invoice.view'),
  params: { id: idOf('customers') },
  query: Span,
  reply: ok(Statement),
  faults: [StatementTooLong, ...printFaults],
  handle: async ({ db, caller, params, query }) => {
    const { books, from, to } = await reportSpanOf(db, caller, query);
    return await statementOf(db, 'customer', params.id, books, from, to);
  },
  formats: { pdf: printStatement },
});

export const showVendorStatement = query('GET /api/accounting/vendor-statement/{id}', {
  summary: 'Get the statement of a vendor',
  description:
    'Returns the entries of a vendor with opening and closing balance. Each entry has its document currency and base currency. The period defaults to the fiscal year until today. Revaluations are not included.',
  addition: ADDITION,
  access: withPermission(can('vendor.view'), 'purchase_invoice.view'),
  params: { id: idOf('vendors') },
  query: Span,
  reply: ok(Statement),
  faults: [StatementTooLong],
  handle: async ({ db, caller, params, query }) => {
    const { books, from, to } = await reportSpanOf(db, caller, query);
    return await statementOf(db, 'vendor', params.id, books, from, to);
  },
});

export const showIntegrity = query('GET /api/accounting/integrity', {
  summary: 'Run the accounting integrity checks',
  description:
    'Checks that entries balance and that control, bank and stock accounts match their sources. Checks orders and proposals against invoices and reservations, gaps in numbers, and the hash chain of the journal. Lists pending entries, which are not errors. Large workspaces need several requests. Send `next` as `from` until it is `null`. The books are sound if every response has `sound: true`.',
  addition: 'Checks the integrity of the books on request.',
  access: can('ledger.view'),
  query: IntegrityQuery,
  reply: ok(Integrity),
  prepare: async ({ rpc, read, query: { from } }) => {
    const stock = await rpc.inventory.getStockValue({ sources: await read(documentsInTransit) });
    // Orders are checked first, with half of the time.
    const ends_at = performance.now() + (await read(async () => remainingTime())) / 2;
    const reader = {
      rpc,
      ends_at,
      read: <T>(work: (db: Db) => Promise<T>) => read((db) => regardlessOfVisibility(() => work(db))),
    };
    return { stock, orders: from === 1 ? await checkOrders(reader) : [] };
  },
  handle: ({ db, caller, query: { from }, prepared }) =>
    regardlessOfVisibility(async () => integrity(db, await viewBooks(db, caller), { from, ...prepared })),
});
