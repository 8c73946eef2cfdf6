import { randomUUID } from 'node:crypto';
import { planConformance } from '@suite/testing';
import { createOneOfEach } from '../test/create-one-of-each.ts';
import { openFinance } from '../test/fixture.ts';
import { finance } from './finance.ts';

const fixture = await openFinance();
const { serving, fakes } = fixture;
const company = await fixture.company();
const workspace = await createOneOfEach(company, fixture);
const [client, vendor] = [randomUUID(), randomUUID()];
await serving.sql`UPDATE customers SET user_id = ${client}`;
await serving.sql`UPDATE vendors SET user_id = ${vendor}`;

const ofCustomers = ['sales_invoices', 'sales_returns', 'notes', 'payments', 'open_items'];
const ofVendors = ['purchase_invoices', 'purchase_returns', 'notes', 'payments', 'open_items'];
const inNoList = 'no list reads it';
const balances = 'the balance of an account is the sum of all lines on it';

planConformance({
  contents: finance,
  serving,
  fakes,
  workspace,
  people: { staff: [company.owner.caller.user_id], client: [client], vendor: [vendor] },
  few: [
    'books',
    'account_types',
    'gl_accounts',
    'period_locks',
    'ledger_heads',
    'bank_accounts',
    'revenue_categories',
    'expense_categories',
    'commission_plans',
    'number_counters',
  ],
  shared: [...ofCustomers.map((table) => `${table}.customer_id`), ...ofVendors.map((table) => `${table}.vendor_id`)],
  rare: ['customers.user_id', 'vendors.user_id'],
  empty: {
    refunds: inNoList,
    revaluation_lines: inNoList,
    agreements: inNoList,
    stock_sagas: inNoList,
    waiting_refunds: inNoList,
    requested_entries: inNoList,
  },
  whole: {
    'glAccounts.list': balances,
    'bankAccounts.list': balances,
  },
});
