/** Stripe as the payment provider: converts our requests to Stripe's API. */
import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import type Stripe from 'stripe';
import {
  type CheckoutOrder,
  type PaymentProvider,
  ProviderFailed,
  ProviderTimeout,
  type SoldPlan,
} from './provider.ts';
import { PROVIDER_TIMEOUT_MS } from './provider-timeout.ts';
import { pageLocale } from './page-locale.ts';
import { unitAmount } from './amount.rules.ts';
import { changePrice } from './stripe-change.ts';
import { accountOf, checkoutOf, subscriptionOf } from './stripe-objects.ts';

const require = createRequire(import.meta.url);
/** Loads Stripe's library with the first payment. It has 200 files, and most processes never need it. */
const loadLibrary = () => require('stripe') as typeof Stripe;

const isMissing = (error: unknown): boolean =>
  error instanceof loadLibrary().errors.StripeInvalidRequestError && error.code === 'resource_missing';

/** Returns true if Stripe still processes another call with the same key. The result is unknown, as after a timeout. */
const isRunning = (error: unknown): boolean =>
  error instanceof loadLibrary().errors.StripeError && error.code === 'idempotency_key_in_use';

/**
 * Converts the provider's errors to faults. The original message stays in the log, because it may contain confidential
 * details.
 */
async function withFaults<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const isTimeout =
      error instanceof loadLibrary().errors.StripeConnectionError && /timed out|timeout|aborted/i.test(error.message);
    throw Object.assign(isTimeout || isRunning(error) ? ProviderTimeout() : ProviderFailed(), { cause: error });
  }
}

/** Runs a call for an object that may be missing at Stripe. @returns undefined if it is */
const withMissing = <T>(call: () => Promise<T>): Promise<T | undefined> =>
  withFaults(() =>
    call().catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    }),
  );

const transferOf = ({ share }: SoldPlan) =>
  share && { transfer_data: { destination: share.destination, amount_percent: Number(share.percent) } };

const productId = (plan: string): string => `suite_plan_${plan}`;

/**
 * Returns the share for a change. Clears a share that no longer applies, because the operator would continue to pay it.
 */
const transferOrNone = (sold: SoldPlan) => transferOf(sold) ?? { transfer_data: '' as const };

/** Creates the product of a plan if missing, because prices for one subscription need an existing product. */
async function ensureProduct(stripe: Stripe, { plan, title }: SoldPlan): Promise<string> {
  const id = productId(plan);
  try {
    await stripe.products.create({ id, name: title });
  } catch (error) {
    const isKnown =
      error instanceof loadLibrary().errors.StripeInvalidRequestError && error.code === 'resource_already_exists';
    if (!isKnown) throw error;
  }
  return id;
}

const priceData = (product: string, { price }: SoldPlan) => ({
  product,
  currency: price.currency.toLowerCase(),
  unit_amount: unitAmount(price),
  recurring: { interval: price.interval },
});

async function openCheckout(stripe: Stripe, order: CheckoutOrder, key: string) {
  const product = await ensureProduct(stripe, order);
  const { metadata, trial_days, locale } = order;
  const parameters: Stripe.Checkout.SessionCreateParams = {
    mode: 'subscription',
    line_items: [{ price_data: priceData(product, order), quantity: order.quantity }],
    customer_email: order.customer_email,
    client_reference_id: order.client_reference,
    success_url: order.success_url,
    cancel_url: order.cancel_url,
    metadata,
    ...(locale !== undefined && { locale: pageLocale(locale) }),
    subscription_data: {
      metadata,
      ...transferOf(order),
      // A trial that ends without a payment method pauses and costs nothing.
      ...(trial_days > 0 && {
        trial_period_days: trial_days,
        trial_settings: { end_behavior: { missing_payment_method: 'pause' } },
      }),
    },
    ...(trial_days > 0 && { payment_method_collection: 'if_required' }),
  };
  return checkoutOf(await stripe.checkout.sessions.create(parameters, { idempotencyKey: key }));
}

const cancellationDetails = (reason: string | undefined) =>
  reason !== undefined && { cancellation_details: { comment: reason } };

/** Runs a call on a subscription. Returns the subscription unchanged if it has ended in the meantime. */
async function unlessEnded(stripe: Stripe, ref: string, call: () => Promise<Stripe.Subscription>) {
  try {
    return await call();
  } catch (error) {
    if (!(error instanceof loadLibrary().errors.StripeInvalidRequestError)) throw error;
    const current = await stripe.subscriptions.retrieve(ref);
    if (current.status !== 'canceled') throw error;
    return current;
  }
}

type ProviderCalls<Name extends keyof PaymentProvider> = Pick<PaymentProvider, Name>;

const checkoutCalls = (stripe: Stripe): ProviderCalls<'openCheckout' | 'checkout' | 'expireCheckout'> => ({
  openCheckout: (order, key) => withFaults(() => openCheckout(stripe, order, key)),
  checkout: async (ref) => {
    const session = await withMissing(() => stripe.checkout.sessions.retrieve(ref));
    return session && checkoutOf(session);
  },
  expireCheckout: async (ref) => {
    const expired = stripe.checkout.sessions.expire(ref).catch(async (error: unknown) => {
      if (!(error instanceof loadLibrary().errors.StripeInvalidRequestError)) throw error;
      return await stripe.checkout.sessions.retrieve(ref);
    });
    return checkoutOf(await withFaults(() => expired));
  },
});

const subscriptionCalls = (stripe: Stripe): ProviderCalls<'subscription' | 'endWithPeriod' | 'endNow' | 'change'> => ({
  subscription: async (ref) => {
    const subscription = await withMissing(() => stripe.subscriptions.retrieve(ref));
    return subscription && subscriptionOf(subscription);
  },
  endWithPeriod: async (ref, ends, reason, key) => {
    const change = { cancel_at_period_end: ends, ...cancellationDetails(reason) };
    const changed = () => stripe.subscriptions.update(ref, change, { idempotencyKey: key });
    return subscriptionOf(await withFaults(() => unlessEnded(stripe, ref, changed)));
  },
  endNow: async (ref, reason, key) => {
    const ended = () => stripe.subscriptions.cancel(ref, { ...cancellationDetails(reason) }, { idempotencyKey: key });
    return subscriptionOf(await withFaults(() => unlessEnded(stripe, ref, ended)));
  },
  change: async (ref, to, key) => {
    const changed = async () => {
      const product = await ensureProduct(stripe, to);
      const { quantity, prorated, metadata } = to;
      const change = { price_data: priceData(product, to), quantity, prorated, metadata, ...transferOrNone(to) };
      return await changePrice(stripe, ref, change, key);
    };
    return subscriptionOf(await withFaults(() => unlessEnded(stripe, ref, changed)));
  },
});

const accountCalls = (stripe: Stripe): ProviderCalls<'openAccount' | 'account' | 'accountLink' | 'portal'> => ({
  openAccount: async ({ country, email, business_type, instance_id }, key) => {
    const parameters: Stripe.AccountCreateParams = {
      type: 'express',
      country,
      capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
      metadata: { wl_instance_id: instance_id },
      ...(email !== undefined && { email }),
      ...(business_type !== undefined && { business_type }),
    };
    return accountOf(await withFaults(() => stripe.accounts.create(parameters, { idempotencyKey: key })));
  },
  account: async (ref) => {
    const account = await withMissing(() => stripe.accounts.retrieve(ref));
    return account && accountOf(account);
  },
  accountLink: async (ref, to) => {
    const link = await withFaults(() =>
      stripe.accountLinks.create({ account: ref, type: 'account_onboarding', ...to }),
    );
    return { url: link.url, expires_at: new Date(link.expires_at * 1_000) };
  },
  portal: async (customer_ref, return_url) => {
    const { url: address } = await withFaults(() =>
      stripe.billingPortal.sessions.create({ customer: customer_ref, return_url }),
    );
    return address;
  },
});

const eventCalls = (stripe: Stripe): ProviderCalls<'events'> => ({
  events: async (since, types, after) => {
    const { data, has_more } = await withFaults(() =>
      stripe.events.list({
        created: { gte: Math.floor(since.getTime() / 1_000) },
        types: [...types],
        limit: 100,
        ...(after !== undefined && { starting_after: after }),
      }),
    );
    const bodies = data.map((event) => Buffer.from(JSON.stringify(event)));
    return { bodies, next: has_more ? data.at(-1)?.id : undefined };
  },
});

/** Creates the Stripe provider for a secret key. @param url address of the API @param timeout_ms timeout of a call */
export function stripeProvider(
  secret_key: string,
  url: string,
  timeout_ms: number = PROVIDER_TIMEOUT_MS,
): PaymentProvider {
  const { hostname, port, protocol } = new URL(url);
  const Client = loadLibrary();
  const stripe = new Client(secret_key, {
    // API release in use. The webhook endpoint must use the same release.
    apiVersion: Client.API_VERSION,
    host: hostname,
    protocol: protocol === 'http:' ? 'http' : 'https',
    ...(port && { port }),
    timeout: timeout_ms,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return { ...checkoutCalls(stripe), ...subscriptionCalls(stripe), ...accountCalls(stripe), ...eventCalls(stripe) };
}
