/** Steps shared by the tests of commissions. */
import { randomUUID } from 'node:crypto';
import { afterEach, jest } from '@jest/globals';
import { setUpFixture } from '@suite/testing';
import { expectCleanBooks } from './audit.ts';
import { type Company, openFinance } from './fixture.ts';
import { tradingSteps } from './trade.ts';

type FinanceFixture = Awaited<ReturnType<typeof openFinance>>;
type RequestBody = Record<string, unknown>;

/** Plan of worked example G21: 3 % up to 5,000, and 5 % from there to 10,000. */
export const TIERS = {
  type: 'tiered',
  tiers: [
    { up_to: '5000', rate: '3' },
    { up_to: '10000', rate: '5' },
  ],
};

/** Plan with 5 percent. */
export const FIVE = { type: 'percent', rate: '5' };

/** Returns the expected totals of an agent's commissions in euros. */
export const totals = (accrued: string, reversed: string, outstanding: string, more: object = {}) => ({
  currencies: [{ currency: 'EUR', accrued, adjusted: '0.00', reversed, paid: '0.00', outstanding, ...more }],
});

/** Returns the steps of a company with agents. */
export function commissionSteps(
  company: Company,
  { inventory, platform }: Pick<FinanceFixture, 'inventory' | 'platform'>,
) {
  const { owner } = company;
  const trade = tradingSteps(company, inventory);
  const { make } = trade;
  const createRecord = async (noun: string, body: RequestBody) => {
    const reply = await make(noun, body);
    if (reply.status !== 201) throw new Error(JSON.stringify(reply.body));
    return reply.body.data;
  };
  /** Creates the agent Sam Seller with a separate plan, by default 3 % up to 5,000 and 5 % from there to 10,000. */
  async function agent(plan: RequestBody = TIERS, user_id: string = randomUUID()) {
    const serial = randomUUID().slice(0, 8);
    const { id: plan_id } = await createRecord('commission-plan', { name: `Plan ${serial}`, ...plan });
    platform.hire(company.workspace, { user_id, name: 'Sam Seller' });
    return await createRecord('agent', { user_id, name: 'Sam Seller', code: `S-${serial}`, plan_id });
  }
  /** Posts an invoice of an agent, dated 10 March 2026: one line of advice without tax. */
  async function createInvoice(agent_id: string | null, qty: string, unit_price: string, more: RequestBody = {}) {
    const customer_id = (await trade.customer()).id;
    const lines = [{ description: 'Advice', qty, unit_price }];
    const draft_body = { customer_id, invoice_date: '2026-03-10', agent_id, lines, ...more };
    const draft = await createRecord('sales-invoice', draft_body);
    const { status, body } = await trade.act('sales-invoice', 'post', draft.id);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { ...body.data, customer_id };
  }
  /** Approves a return of a quantity of the first line of an invoice, dated 20 March 2026. */
  async function createReturn(invoice: { id: string; lines: { id: string }[] }, qty: string): Promise<string> {
    const lines = [{ invoice_line_id: invoice.lines[0]!.id, qty }];
    const body = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'other', lines };
    const { id } = await createRecord('sales-invoice-return', body);
    await trade.act('sales-invoice-return', 'approve', id);
    return id;
  }
  const complete = (id: string) => trade.act('sales-invoice-return', 'complete', id);
  /** Posts a revenue of 10 March 2026 that pays part of an invoice. Returns its ID. */
  async function payInvoice({ id, customer_id }: { id: string; customer_id: string }, amount: string): Promise<string> {
    const invoice_allocations = [{ invoice_id: id, amount }];
    const revenue = await trade.approvedRevenue({ customer_id, amount, invoice_allocations });
    await trade.act('revenues', 'post', revenue);
    return revenue;
  }
  /** Returns the outstanding commission of an agent, with its lines. */
  const readOutstanding = async (agent_id: string, query = '') =>
    (await owner.get(`/api/agents/${agent_id}/outstanding-commissions${query}`)).body.data;
  const lines = async (agent_id: string) =>
    (await owner.get(`/api/commissions?agent_id=${agent_id}&sort=created_at`)).body.data;
  const approve = (id: string) => owner.post(`/api/commission/approve/${id}`);
  const bank = async (): Promise<string> => (await owner.get('/api/bank-accounts?sort=created_at')).body.data[0].id;
  /** Pays a commission on 1 April 2026. */
  const pay = async (id: string, body: RequestBody = {}) =>
    owner.post(`/api/commission/pay/${id}`, { bank_account_id: await bank(), date: '2026-04-01', ...body });
  const steps = { createRecord, agent, createInvoice, createReturn, complete, readOutstanding, lines, approve, pay };
  return { ...trade, ...steps, paid: payInvoice };
}

/**
 * Starts finance in two replicas, and creates a company with agents for each test. Audits the books after each test.
 */
export async function openCommissionTests() {
  // The duration of many concurrent requests depends on the machine.
  jest.setTimeout(180_000);
  const fixture = await openFinance({ replicas: 2 });
  afterEach(() => expectCleanBooks(fixture.serving));
  const ours = setUpFixture(fixture.company);
  return { ...fixture, ours, shop: setUpFixture(async () => commissionSteps(ours, fixture)) };
}
