/** The context of the demo's trade records: customers, vendors and products. */
import { faker } from '@faker-js/faker/locale/en';
import { clock } from '@suite/chassis/runtime';
import { daysFrom, isChosen, randomNumber, pickOne } from '../random.ts';
import type { DemoCaller } from './http-caller.ts';

interface Product {
  id: string;
  type: 'product' | 'service';
  purchase_price: string;
}

export interface DemoContext {
  person: DemoCaller;
  customers: string[];
  vendors: string[];
  goods: Product[];
  services: Product[];
  agents: string[];
  bank_account_id: string;
  revenue_category_id: string;
  expense_category_id: string;
  now: Date;
}

interface Summary {
  id: string;
  currency: string;
  active: boolean;
}

/** Reads the lists that the other demos have filled, in the order of creation. */
export async function readDemoContext(person: DemoCaller, currency: string): Promise<DemoContext> {
  const all = <T>(path: string) => person.get<T[]>(`${path}?per_page=100&sort=created_at`);
  const ours = async (path: string) =>
    (await all<Summary>(path)).filter((one) => one.currency === currency && one.active).map(({ id }) => id);
  const products = await all<Product>('/api/products');
  const [bank_account_id] = await ours('/api/bank-accounts');
  const [revenue] = await all<Summary>('/api/revenue-categories');
  const [expense] = await all<Summary>('/api/expense-categories');
  return {
    person,
    now: clock.now(),
    customers: await ours('/api/customers'),
    vendors: await ours('/api/vendors'),
    goods: products.filter(({ type }) => type === 'product'),
    services: products.filter(({ type }) => type === 'service'),
    // Some plans exclude commissions.
    agents: (await all<Summary>('/api/agents').catch(() => [])).map(({ id }) => id),
    bank_account_id: bank_account_id!,
    revenue_category_id: revenue!.id,
    expense_category_id: expense!.id,
  };
}

/** Returns the same context with a separate sequence of writes. */
export const withOwnQueue = (context: DemoContext, name: string): DemoContext => ({
  ...context,
  person: context.person.withOwnQueue(name),
});

/** Returns the calendar day this many days before now. A negative number gives a later day. */
export const daysAgo = ({ now }: DemoContext, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);

/** Returns the lines of a sale: some goods, each once, and sometimes a service. */
export function pickSaleLines({ goods, services }: DemoContext): object[] {
  const chosen = faker.helpers.arrayElements(goods, { min: 1, max: Math.min(3, goods.length) });
  const lines = chosen.map(({ id: product_id }) => ({
    product_id,
    qty: String(randomNumber(1, 3)),
    ...(isChosen(0.25) && { discount: { type: 'percent', value: String(randomNumber(5, 15, 5)) } }),
  }));
  const service =
    services.length > 0 && isChosen(0.4) ? [{ product_id: pickOne(services).id, qty: String(randomNumber(1, 8)) }] : [];
  return [...lines, ...service];
}
