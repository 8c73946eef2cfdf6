/**
 * White-label instances and plans with prices, created as an operator creates them, and the related events of the
 * payment provider.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { call, dataOf, type HttpCaller, type Reply } from '../http.ts';
import { retryPostponed } from '../waiting.ts';
import type { SignedEvent, FakeStripe } from '../payments/stripe.ts';
import { bearer } from './http-caller.ts';
import { openWorkspace, type SuiteAccess } from './workspace.ts';

type RunCommand = (words: string[], settings: Record<string, string>) => Promise<string>;

const cli = new URL('../../../../services/platform/src/cli/', import.meta.url);

async function runCommand(suite: SuiteAccess, command: 'plans' | 'white-label', words: string[]): Promise<string> {
  const { operate } = (await import(new URL(`${command}.ts`, cli).href)) as { operate: RunCommand };
  return await retryPostponed(() =>
    operate(words, {
      DATABASE_URL: String(suite.databases['platform']),
      PUBLIC_URL: suite.url,
      KEYS_DIR: join(suite.data, 'keys', 'platform'),
    }),
  );
}

/** Runs `npm run white-label` in this process. @returns its output */
export const runInstanceCommand = (suite: SuiteAccess, ...words: string[]): Promise<string> =>
  runCommand(suite, 'white-label', words);

/** Runs `npm run plans` in this process. @returns its output */
export const runPlansCommand = (suite: SuiteAccess, ...words: string[]): Promise<string> =>
  runCommand(suite, 'plans', words);

/** Sets a price for a plan, also used as the wholesale price for instances. */
export function sellPlan(suite: SuiteAccess, code: string, amount: string): Promise<string> {
  const price = ['--currency', 'EUR', '--interval', 'month', '--amount', amount, '--wholesale', amount];
  return runPlansCommand(suite, 'price', '--code', code, ...price);
}

export interface Instance {
  id: string;
  name: string;
  domain: string;
  token: string;
  webhook_secret: string;
  /** Its programs. */
  program: HttpCaller;
}

/** Creates an instance with a test-mode token. */
export async function openInstance(suite: SuiteAccess): Promise<Instance> {
  const name = `Northwind ${randomUUID().slice(0, 8)}`;
  const domain = `${randomUUID().slice(0, 8)}.northwind.example`;
  const printed = await runInstanceCommand(suite, 'create', name, '--domain', domain, '--mode', 'test');
  const [token] = /wl_test_[\w-]{43}/.exec(printed)!;
  const [, id = ''] = /is ready: (\S+)/.exec(printed)!;
  const [webhook_secret] = /whsec_\S+/.exec(printed)!;
  return { id, name, domain, token, webhook_secret, program: bearer(suite.gateway, token) };
}

/** Delivers an event through the gateway as the provider does, with retries on request. */
export const deliverEvent = (
  { gateway }: Pick<SuiteAccess, 'gateway'>,
  { body, headers }: SignedEvent,
): Promise<Reply> => retryPostponed(() => call(gateway, '/api/wl/webhook-callback', { method: 'POST', body, headers }));

/** Returns the request body of a checkout by a customer of an instance. */
export const checkoutOf = ({ domain }: Instance, client_reference: string, more: object = {}) => ({
  plan: 'business',
  interval: 'month',
  client_reference,
  customer_email: `${client_reference.toLowerCase()}@${domain}`,
  customer_name: 'Ada Lovelace Ltd',
  success_url: `https://${domain}/done`,
  cancel_url: `https://${domain}/back`,
  ...more,
});

/** Creates a customer of an instance with a subscription that the provider has reported. */
export async function createSubscriber(suite: SuiteAccess, stripe: FakeStripe, instance: Instance, more: object = {}) {
  const client_reference = `customer-${randomUUID().slice(0, 8)}`;
  const wish = checkoutOf(instance, client_reference, more);
  const checkout = await dataOf(retryPostponed(() => instance.program.post('/api/wl/checkout', wish)));
  const session = stripe.sessionAt(checkout.url);
  const subscription = stripe.complete(session.id);
  const event = stripe.event('checkout.session.completed', session);
  await dataOf(deliverEvent(suite, event));
  return { client_reference, checkout, session, subscription, ref: String(subscription.id), event };
}

/** Returns the operator and provider actions that the sales examples need. */
export const sellerOf = (suite: SuiteAccess, stripe: FakeStripe) => ({
  openInstance: () => openInstance(suite),
  async openWorkspace() {
    const { id, owner } = await openWorkspace(suite, 'Bell Street Bikes');
    return { id, access_token: owner.access_token };
  },
  async pay(url: string): Promise<string> {
    const session = stripe.sessionAt(url);
    const { id } = stripe.complete(session.id);
    await dataOf(deliverEvent(suite, stripe.event('checkout.session.completed', session)));
    return String(id);
  },
});
