import { describe, test } from '@jest/globals';
import { expectTables } from '@suite/testing';
import { openFinance } from '../test/fixture.ts';
import type { Table } from './operations.ts';

const { serving } = await openFinance();

/** All names that the compiler accepts as a table. */
const NAMES = {
  account_types: true,
  agents: true,
  agreements: true,
  allocations: true,
  bank_accounts: true,
  bank_transactions: true,
  bank_transfers: true,
  books: true,
  commission_lines: true,
  commission_moves: true,
  commission_plans: true,
  commission_terms: true,
  customers: true,
  expense_categories: true,
  expenses: true,
  gl_accounts: true,
  invoice_lines: true,
  journal_entries: true,
  journal_lines: true,
  ledger_heads: true,
  notes: true,
  number_counters: true,
  open_items: true,
  payments: true,
  period_locks: true,
  purchase_invoices: true,
  purchase_returns: true,
  refunds: true,
  requested_entries: true,
  return_lines: true,
  revaluation_lines: true,
  revaluations: true,
  revenue_categories: true,
  revenues: true,
  sales_invoices: true,
  sales_returns: true,
  stock_sagas: true,
  tax_lines: true,
  vendors: true,
  waiting_refunds: true,
} satisfies Record<Table, true>;

describe('a table name', () => {
  test('exists in the database if the compiler accepts it', () => expectTables(serving, NAMES));
});
