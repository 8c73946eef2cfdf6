/** Steps shared by the tests of revenues, expenses and reports. */
import { randomUUID } from 'node:crypto';
import { toBaseCurrency, credit, debit } from '../src/ledger/ledger/journal.rules.ts';
import { postEntry } from '../src/ledger/ledger/journal.ts';
import { openItem } from '../src/ledger/ledger/open-items.ts';
import { afterEach } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { expectCleanBooks } from './audit.ts';
import { type Company, openFinance } from './fixture.ts';

type RequestBody = Record<string, unknown>;

interface AccountLine {
  account: { name: string };
  debit: string;
  credit: string;
}

/** Returns the revenue and expense operations of a company. */
function cashOperations({ owner }: Company) {
  const first = async (path: string) => (await owner.get(path)).body.data[0].id as string;
  /**
   * Creates a revenue or an expense of 10 March 2026. The category defaults to Services or Rent, and the bank account
   * to the first one.
   */
  const cash = async (kind: 'revenue' | 'expense', body: RequestBody = {}) => {
    const category_id = await first(`/api/${kind}-categories?name=${kind === 'revenue' ? 'Services' : 'Rent'}`);
    const bank_account_id = body.bank_account_id ?? (await first('/api/bank-accounts?sort=created_at'));
    const given = { date: '2026-03-10', category_id, bank_account_id, ...body };
    return owner.post(`/api/${kind}s/create`, given);
  };
  const approved = async (kind: 'revenue' | 'expense', body: RequestBody = {}): Promise<string> => {
    const { id } = (await cash(kind, body)).body.data;
    await owner.post(`/api/${kind}s/approve/${id}`);
    return id;
  };
  return {
    /** Drafts a revenue, by default of 119.00. */
    revenue: (body: RequestBody = {}) => cash('revenue', { amount: '119.00', ...body }),
    /** Drafts an expense, by default of 80.00. */
    expense: (body: RequestBody = {}) => cash('expense', { amount: '80.00', ...body }),
    /** Creates an approved revenue, by default of 119.00. Returns its ID. */
    approvedRevenue: (body: RequestBody = {}) => approved('revenue', { amount: '119.00', ...body }),
    /** Creates an approved expense, by default of 80.00. Returns its ID. */
    approvedExpense: (body: RequestBody = {}) => approved('expense', { amount: '80.00', ...body }),
    /** Runs an action on a revenue or expense, such as posting. */
    act: (verb: string, id: string, kind = 'revenues', query = '') => owner.post(`/api/${kind}/${verb}/${id}${query}`),
    /** Returns the entry of a document by account name. Debits are positive. */
    async sides(source_id: string): Promise<Record<string, string>> {
      const { data } = (await owner.get(`/api/journal-entries?source_id=${source_id}&expand=lines`)).body;
      const lines = data.flatMap(({ lines: of }: { lines: AccountLine[] }) => of) as AccountLine[];
      return Object.fromEntries(
        lines.map(({ account, debit: debited, credit: credited }) => [
          account.name,
          debited === '0.00' ? `-${credited}` : debited,
        ]),
      );
    },
  };
}

/** Returns the requests of a company, with their responses. */
export function booksFixture(company: Company) {
  const { owner, transact } = company;
  const post = async (path: string, body: RequestBody = {}) => (await owner.post(path, body)).body.data;
  const first = async (path: string) => (await owner.get(path)).body.data[0].id as string;
  return {
    ...cashOperations(company),
    /** Creates the customer Initech. */
    customer: (body: RequestBody = {}) => post('/api/customers/create', { name: 'Initech', ...body }),
    /** Creates the vendor Globex. */
    vendor: (body: RequestBody = {}) => post('/api/vendors/create', { name: 'Globex', ...body }),
    /** Opens an account in euros with a balance of zero. */
    bank: (body: RequestBody = {}) =>
      post('/api/bank-accounts/create', { bank_name: 'Example Bank', account_name: 'Main', ...body }),
    revenueCategory: (name = 'Services') => first(`/api/revenue-categories?name=${name}`),
    expenseCategory: (name = 'Rent') => first(`/api/expense-categories?name=${name}`),
    /**
     * Posts a claim on a customer and its entry, without an invoice. The claim is dated 1 March 2026, due on 31 March,
     * in euros by default. Returns the ID of the document.
     */
    async invoice(
      customer_id: string,
      total: string,
      more: { date?: string; due_date?: string; currency?: string; rate?: string; base?: string } = {},
    ) {
      const { date = '2026-03-01', due_date = '2026-03-31', currency = 'EUR', rate = '1', base = total } = more;
      const document_id = randomUUID();
      const party = { kind: 'customer' as const, id: customer_id };
      await transact(async ({ db }) => {
        const { id: open_item_id } = await openItem(db, {
          kind: 'claim',
          party,
          document_type: 'sales_invoice',
          document_id,
          number: 'INV',
          role: 'receivable',
          date,
          due_date,
          currency,
          rate,
          amount: total,
          base_amount: base,
        });
        await postEntry(db, {
          date,
          scope: 'sales',
          source_type: 'sales_invoice',
          source_id: document_id,
          purpose: 'post',
          narration: 'An invoice',
          lines: toBaseCurrency([debit('receivable', total, { open_item_id, party }), credit('sales', total)], {
            currency,
            rate,
            base_currency: 'EUR',
          }),
        });
      });
      return document_id;
    },
  };
}

/** Returns the balances of all accounts with entries, by name. */
export async function balancesOf({ owner }: Company): Promise<Record<string, string>> {
  const { data } = (await owner.get('/api/accounting/trial-balance?as_of=2099-12-31')).body;
  return Object.fromEntries(
    data.accounts.map(({ name, balance }: { name: string; balance: string }) => [name, balance]),
  );
}

interface ChartNode {
  id: string;
  code: string;
  accounts: ChartNode[];
}

/** Returns the ID of an account, by its code. */
export async function accountId({ owner }: Company, code: string): Promise<string> {
  const all = (nodes: ChartNode[]): ChartNode[] => nodes.flatMap((node) => [node, ...all(node.accounts)]);
  const found = all((await owner.get('/api/chart-of-accounts')).body.data).find((node) => node.code === code);
  if (!found) throw new Error(`Account ${code} not found.`);
  return found.id;
}

/** Starts finance, and creates a company with a bank account for each test. Audits the books after each test. */
export async function openTestBooks() {
  const fixture = await openFinance();
  afterEach(() => expectCleanBooks(fixture.serving));
  const ours = setUpFixture(fixture.company);
  const office = setUpFixture(async () => booksFixture(ours));
  const bank = setUpFixture<{ id: string }>(() => office.bank());
  return { ...fixture, ours, office, bank };
}
