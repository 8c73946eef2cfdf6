/**
 * Conversion of Stripe objects to our snapshots. Stripe's times are whole seconds, its amounts the smallest units of
 * their currency.
 */
import type Stripe from 'stripe';
import { amountOf } from './amount.rules.ts';
import type { AccountSnapshot, CheckoutSnapshot, ProviderPrice, SubscriptionSnapshot } from './provider.ts';

const toDate = (seconds: number | null | undefined): Date | null =>
  seconds === null || seconds === undefined ? null : new Date(seconds * 1_000);

const modeOf = ({ livemode }: { livemode: boolean }) => (livemode ? 'live' : 'test');
/** Returns the ID of an object that is an ID or expanded. */
export const stripeIdOf = (reference: string | { id: string } | null): string | null =>
  typeof reference === 'object' ? (reference?.id ?? null) : reference;

/** API releases before 2025-03-31 have the period in the subscription, later ones in its items. */
type SubscriptionPeriod = { current_period_start?: number; current_period_end?: number };

/** Returns the paid period. */
export function periodOf(subscription: Stripe.Subscription & SubscriptionPeriod) {
  const items: SubscriptionPeriod[] = subscription.items.data;
  const starts = items.flatMap(({ current_period_start: start }) => (start === undefined ? [] : [start]));
  const ends = items.flatMap(({ current_period_end: end }) => (end === undefined ? [] : [end]));
  return {
    current_period_start: toDate(starts.length > 0 ? Math.min(...starts) : subscription.current_period_start),
    current_period_end: toDate(ends.length > 0 ? Math.max(...ends) : subscription.current_period_end),
  };
}

function priceOf(item: Stripe.SubscriptionItem | undefined): ProviderPrice | null {
  const price = item?.price;
  const interval = price?.recurring?.interval;
  if (!price || price.unit_amount === null || (interval !== 'month' && interval !== 'year')) return null;
  const currency = price.currency.toUpperCase();
  return { currency, interval: interval as ProviderPrice['interval'], amount: amountOf(price.unit_amount, currency) };
}

const ENDED = { cancellation_requested: 'requested', payment_failed: 'unpaid', payment_disputed: 'disputed' } as const;

/** Converts a subscription. @param subscription object of any API release */
export function subscriptionOf(subscription: Stripe.Subscription): SubscriptionSnapshot {
  const { id, status, trial_end, cancel_at_period_end, canceled_at, ended_at, items, metadata, customer } =
    subscription;
  const [item] = items.data;
  const reason = subscription.cancellation_details?.reason;
  return {
    provider_ref: id,
    mode: modeOf(subscription),
    status: status as SubscriptionSnapshot['status'],
    ...periodOf(subscription),
    trial_end: toDate(trial_end),
    cancel_at_period_end,
    canceled_at: toDate(canceled_at),
    ended_at: toDate(ended_at),
    ended_reason: reason ? (ENDED[reason as keyof typeof ENDED] ?? null) : null,
    quantity: item?.quantity ?? 1,
    price: priceOf(item),
    customer_ref: stripeIdOf(customer) ?? '',
    metadata,
  };
}

/** Converts a checkout session. */
export const checkoutOf = (session: Stripe.Checkout.Session): CheckoutSnapshot => ({
  provider_ref: session.id,
  mode: modeOf(session),
  status: (session.status ?? 'open') as CheckoutSnapshot['status'],
  url: session.url,
  expires_at: toDate(session.expires_at)!,
  subscription_ref: stripeIdOf(session.subscription),
  metadata: session.metadata ?? {},
});

/** Converts a connected account. */
export function accountOf(account: Stripe.Account): AccountSnapshot {
  const { id, country, charges_enabled, payouts_enabled, details_submitted, requirements, metadata } = account;
  return {
    provider_account_id: id,
    country: country ?? '',
    charges_enabled,
    payouts_enabled,
    details_submitted,
    requirements: {
      currently_due: requirements?.currently_due ?? [],
      past_due: requirements?.past_due ?? [],
      eventually_due: requirements?.eventually_due ?? [],
      current_deadline: toDate(requirements?.current_deadline)?.toISOString() ?? null,
      disabled_reason: requirements?.disabled_reason ?? null,
    },
    metadata: metadata ?? {},
  };
}
