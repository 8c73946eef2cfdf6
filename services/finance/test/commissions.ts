/** Steps shared by the tests of commissions. */
import { randomUUID } from 'node:crypto';
import { afterEach, jest } from '@jest/globals';
import { scene } from '@suite/testing';
import { expectCleanBooks } from './audit.ts';
import { type Company, openFinance } from './fixture.ts';
import { trading } from './trade.ts';

type Ground = Awaited<ReturnType<typeof openFinance>>;
type Body = Record<string, unknown>;

/** Plan of G21. */
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
export function selling(company: Company, { inventory, platform }: Pick<Ground, 'inventory' | 'platform'>) {
  const { owner } = company;
  const trade = trading(company, inventory);
  const { make } = trade;
  const made = async (noun: string, body: Body) => {
    const { status, body: answer } = await make(noun, body);
    if (status !== 201) throw new Error(JSON.stringify(answer));
    return answer.data;
  };
  /** Creates an agent with a separate plan. */
  async function agent(plan: Body = TIERS, user_id: string = randomUUID()) {
    const serial = randomUUID().slice(0, 8);
    const { id: plan_id } = await made('commission-plan', { name: `Plan ${serial}`, ...plan });
    platform.hire(company.workspace, { user_id, name: 'Sam Seller' });
    return await made('agent', { user_id, name: 'Sam Seller', code: `S-${serial}`, plan_id });
  }
  /** Creates a posted invoice of an agent, with quantity and unit price. */
  async function sold(agent_id: string | null, qty: string, unit_price: string, more: Body = {}) {
    const customer_id = (await trade.customer()).id;
    const lines = [{ description: 'Advice', qty, unit_price }];
    const draft = await made('sales-invoice', { customer_id, invoice_date: '2026-03-10', agent_id, lines, ...more });
    const { status, body } = await trade.act('sales-invoice', 'post', draft.id);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return { ...body.data, customer_id };
  }
  /** Creates an approved return of a quantity of an invoice. */
  async function back(invoice: { id: string; lines: { id: string }[] }, qty: string): Promise<string> {
    const lines = [{ invoice_line_id: invoice.lines[0]!.id, qty }];
    const body = { invoice_id: invoice.id, return_date: '2026-03-20', reason: 'other', lines };
    const { id } = await made('sales-invoice-return', body);
    await trade.act('sales-invoice-return', 'approve', id);
    return id;
  }
  const complete = (id: string) => trade.act('sales-invoice-return', 'complete', id);
  /** Posts a revenue that pays part of an invoice. Returns its ID. */
  async function paid({ id, customer_id }: { id: string; customer_id: string }, amount: string): Promise<string> {
    const revenue = await trade.approvedRevenue({
      customer_id,
      amount,
      invoice_allocations: [{ invoice_id: id, amount }],
    });
    await trade.act('revenues', 'post', revenue);
    return revenue;
  }
  /** Returns the outstanding commission of an agent, with its lines. */
  const owed = async (agent_id: string, query = '') =>
    (await owner.get(`/api/agents/${agent_id}/outstanding-commissions${query}`)).body.data;
  const lines = async (agent_id: string) =>
    (await owner.get(`/api/commissions?agent_id=${agent_id}&sort=created_at`)).body.data;
  const approve = (id: string) => owner.post(`/api/commission/approve/${id}`);
  const bank = async (): Promise<string> => (await owner.get('/api/bank-accounts?sort=created_at')).body.data[0].id;
  const pay = async (id: string, body: Body = {}) =>
    owner.post(`/api/commission/pay/${id}`, { bank_account_id: await bank(), date: '2026-04-01', ...body });
  return { ...trade, made, agent, sold, back, complete, paid, owed, lines, approve, pay };
}

/**
 * Starts finance in two replicas, and creates a company with agents for each test. Audits the books after each test.
 */
export async function openSelling() {
  // The duration of many concurrent requests depends on the machine.
  jest.setTimeout(180_000);
  const fixture = await openFinance({ replicas: 2 });
  afterEach(() => expectCleanBooks(fixture.serving));
  const ours = scene(fixture.company);
  return { ...fixture, ours, shop: scene(async () => selling(ours, fixture)) };
}
