/** Fake of finance for other services: customers by workspace, draft invoices by key, accounts by use, and a ledger. */
import { randomUUID } from 'node:crypto';
import { Fault, InvalidTransition } from '@suite/chassis/faults';
import {
  type CreateDraftInvoiceRequest,
  type Customer,
  FinanceServiceDefinition,
  type StopInvoicingRequest,
} from '@suite/proto/finance/v1/finance';
import { fakeBooks } from './finance-books.ts';
import { fakeLedger } from './finance-ledger.ts';
import { type FakeMethods, rowsOf, fakeServer, fakeErrors } from './fake-server.ts';

const contentOf = ({ lines, discount, customer_id }: CreateDraftInvoiceRequest) =>
  JSON.stringify([lines, discount, customer_id]);

/** Creates the fake of finance's draft methods: one draft per key. */
function fakeDrafts(calls: string[]) {
  /** The created drafts, by key. */
  const drafts = new Map<string, { id: string; asked: CreateDraftInvoiceRequest }>();
  /** Work to run before the next responses to draft requests. */
  const meanwhile: ((sales_invoice_id: string) => Promise<unknown>)[] = [];
  /** Drafts that have been posted. */
  const posted = new Set<string>();
  /** The latest rate of each currency. */
  const rates = {
    booked: new Map<string, { rate: string; rate_date: string }>(),
    of: ({ currency, rate }: CreateDraftInvoiceRequest) =>
      rate ? { rate, rate_date: '' } : (rates.booked.get(currency) ?? { rate: '1', rate_date: '' }),
  };
  return {
    drafts,
    posted,
    rates,
    meanwhile,
    async createDraft(asked: CreateDraftInvoiceRequest) {
      calls.push(`createDraftInvoice ${asked.idempotency_key}`);
      if (asked.dry_run)
        return { sales_invoice_id: randomUUID(), total: '0', currency: asked.currency, ...rates.of(asked) };
      // An order has one draft until it is posted or deleted: this fake bills the whole order.
      const { sales_order_id } = asked;
      const open = [...drafts.values()].find(
        ({ id, asked: one }) => sales_order_id && one.sales_order_id === sales_order_id && !posted.has(id),
      );
      if (open) return { sales_invoice_id: open.id, total: '0', currency: asked.currency, ...rates.of(asked) };
      const known = drafts.get(asked.idempotency_key);
      if (known && contentOf(known.asked) !== contentOf(asked)) throw new Fault(409, 'key_reused', 'Used already.');
      const id = known?.id ?? randomUUID();
      if (!known) drafts.set(asked.idempotency_key, { id, asked });
      await meanwhile.shift()?.(id);
      return { sales_invoice_id: id, total: '0', currency: asked.currency, ...rates.of(asked) };
    },
    deleteDraft(key: string) {
      calls.push(`deleteDraftInvoice ${key}`);
      const sales_invoice_id = drafts.get(key)?.id ?? '';
      if (posted.has(sales_invoice_id)) throw InvalidTransition();
      drafts.delete(key);
      return { sales_invoice_id };
    },
  };
}

/** Deletes the drafts of an order, unless the request excludes orders with a posted invoice and there is one. */
function stopInvoicing(
  { drafts, posted }: Pick<ReturnType<typeof fakeDrafts>, 'drafts' | 'posted'>,
  { sales_order_id, unless_invoiced }: StopInvoicingRequest,
) {
  const all = [...drafts].filter(([, { asked }]) => asked.sales_order_id === sales_order_id);
  const posted_invoice_ids = all.map(([, { id }]) => id).filter((id) => posted.has(id));
  if (unless_invoiced && posted_invoice_ids.length > 0) return { deleted_invoice_ids: [], posted_invoice_ids };
  const open = all.filter(([, { id }]) => !posted.has(id));
  for (const [key] of open) drafts.delete(key);
  return { deleted_invoice_ids: open.map(([, { id }]) => id), posted_invoice_ids };
}

/** Registers a customer of a workspace and returns the ID. */
function registerCustomer(
  customers: Map<string, Customer & { workspace: string }>,
  workspace: string,
  more: Partial<Customer>,
): string {
  const customer_id = randomUUID();
  const usual = { code: 'C-1', name: 'Ada Ltd', company: 'Ada', email: 'ada@example.com', currency: 'EUR' };
  const addresses = {
    billing_address: 'Bill Street 1',
    shipping_address: 'Ship Street 2',
    user_id: '',
    country: '',
    language: '',
  };
  const terms = { payment_terms_days: 30, active: true, version: 1 };
  customers.set(customer_id, { customer_id, ...usual, ...addresses, ...terms, ...more, workspace });
  return customer_id;
}

/** Returns the fake customer methods of finance. */
function customersIn(
  customers: ReadonlyMap<string, Customer & { workspace: string }>,
  customersRead: (() => Promise<unknown>)[],
): Pick<FakeMethods<typeof FinanceServiceDefinition>, 'batchGetCustomers' | 'getCustomerCount' | 'listCustomers'> {
  return {
    async batchGetCustomers({ customer_ids }, { caller }) {
      const found = rowsOf(customers, caller?.workspace_id, customer_ids).map((customer) => ({ ...customer }));
      await customersRead.shift()?.();
      return { customers: found };
    },
    getCustomerCount: async (_, { caller }) => ({
      customers: rowsOf(customers, caller?.workspace_id).filter(({ active }) => active).length,
    }),
    listCustomers: async ({ q, limit }, { caller }) => ({
      customers: rowsOf(customers, caller?.workspace_id)
        .filter(({ active, name, company }) => active && `${name} ${company}`.toLowerCase().includes(q.toLowerCase()))
        .slice(0, limit),
    }),
  };
}

/** Creates the fake of finance, with its settings for tests. */
export function fakeFinance() {
  const customers = new Map<string, Customer & { workspace: string }>();
  /** The existing accounts, with their allowed use. */
  const accounts = new Map<string, string>();
  const calls: string[] = [];
  /** Work to run before the next responses with customers, which have been read then. */
  const customersRead: (() => Promise<unknown>)[] = [];
  const { drafts, posted, meanwhile, rates, createDraft, deleteDraft } = fakeDrafts(calls);
  const { injectedFaults, withInjectedFault } = fakeErrors('finance');
  const ledger = fakeLedger(calls, withInjectedFault);
  const { change: changeBooks, ...books } = fakeBooks();

  const answers: FakeMethods<typeof FinanceServiceDefinition> = {
    ...ledger.answers,
    ...customersIn(customers, customersRead),
    changeBooks: (asked, { caller }) => withInjectedFault(() => changeBooks(asked, caller!.workspace_id)),
    createDraftInvoice: (asked) => withInjectedFault(() => createDraft(asked)),
    deleteDraftInvoice: ({ idempotency_key: key }) => withInjectedFault(() => deleteDraft(key)),
    stopInvoicing: (asked) => {
      calls.push(`stopInvoicing ${asked.sales_order_id}`);
      return withInjectedFault(() => stopInvoicing({ drafts, posted }, asked));
    },
    checkAccounts: ({ uses }) =>
      withInjectedFault(() => ({
        answers: uses.map(({ account_id, use }) => {
          const usable = accounts.get(account_id) === use;
          return { usable, reason: usable ? '' : 'Account not found.' };
        }),
      })),
  };
  const served = fakeServer(FinanceServiceDefinition, answers, [
    'deleteDraftInvoice',
    'reverseJournal',
    'reversePayout',
    'getCustomerCount',
  ]);

  const customer = (workspace: string, more: Partial<Customer> = {}) => registerCustomer(customers, workspace, more);
  /** Creates an account for a use and returns its ID. */
  function account(use: 'income' | 'expense' | 'stock' | 'payroll'): string {
    const id = randomUUID();
    accounts.set(id, use);
    return id;
  }
  return {
    served,
    calls,
    trouble: injectedFaults,
    meanwhile,
    drafts,
    posted,
    rates: rates.booked,
    customers,
    customersRead,
    customer,
    account,
    ledger,
    books,
  };
}
