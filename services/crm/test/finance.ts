/** Finance, as far as crm asks it: customers by workspace, and draft invoices, one for each key. */
import { randomUUID } from 'node:crypto';
import { Fault, serveRpc } from '@suite/chassis';
import {
  type CreateDraftInvoiceRequest,
  type Customer,
  FinanceServiceDefinition,
} from '@suite/proto/finance/v1/finance';

const unasked = () => Promise.reject(new Error('crm does not ask for this.'));

export function financeStandIn() {
  const customers = new Map<string, Customer & { workspace: string }>();
  /** The drafts that were made, by their keys. */
  const drafts = new Map<string, { id: string; asked: CreateDraftInvoiceRequest }>();
  const calls: string[] = [];
  /** What the next calls come to, instead of an answer: `lost` does its work and then says nothing. */
  const trouble: 'lost'[] = [];
  /** What happens before the next calls that make drafts are answered. */
  const meanwhile: ((sales_invoice_id: string) => Promise<unknown>)[] = [];

  const served = serveRpc(FinanceServiceDefinition, {
    async batchGetCustomers({ customer_ids }, { caller }) {
      const found = customer_ids.map((id) => customers.get(id)).filter((customer) => customer !== undefined);
      return { customers: found.filter(({ workspace }) => workspace === caller?.workspace_id) };
    },
    async listCustomers({ q, limit }, { caller }) {
      const ours = [...customers.values()].filter(
        ({ workspace, active }) => active && workspace === caller?.workspace_id,
      );
      const found = ours.filter(({ name, company }) => `${name} ${company}`.toLowerCase().includes(q.toLowerCase()));
      return { customers: found.slice(0, limit) };
    },
    async createDraftInvoice(asked) {
      calls.push(`createDraftInvoice ${asked.idempotency_key}`);
      const known = drafts.get(asked.idempotency_key);
      const contentOf = ({ lines, discount, customer_id }: CreateDraftInvoiceRequest) =>
        JSON.stringify([lines, discount, customer_id]);
      if (known && contentOf(known.asked) !== contentOf(asked)) throw new Fault(409, 'key_reused', 'Used already.');
      const id = known?.id ?? randomUUID();
      if (!known) drafts.set(asked.idempotency_key, { id, asked });
      await meanwhile.shift()?.(id);
      if (trouble.shift()) throw new Fault(503, 'finance_unavailable', 'The answer is lost.');
      return { sales_invoice_id: id, total: '0', currency: asked.currency };
    },
    postJournal: unasked,
    getPartyBalances: unasked,
    checkPeriodOpen: unasked,
    checkAccounts: unasked,
  });

  /** Registers a customer of a workspace; returns the id. */
  function customer(workspace: string, more: Partial<Customer> = {}): string {
    const customer_id = randomUUID();
    const usual = { code: 'C-1', name: 'Ada Ltd', company: 'Ada', email: 'ada@example.com', currency: 'EUR' };
    const addresses = { billing_address: 'Bill Street 1', shipping_address: 'Ship Street 2', user_id: '' };
    customers.set(customer_id, {
      customer_id,
      ...usual,
      ...addresses,
      payment_terms_days: 30,
      active: true,
      ...more,
      workspace,
    });
    return customer_id;
  }
  return { served, calls, trouble, meanwhile, drafts, customers, customer };
}
