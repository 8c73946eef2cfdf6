/** Interface of the payment provider: the calls that the suite makes, and their results. */
import { fault } from '@suite/chassis/faults';
import type { SubscriptionStatus } from '../../entitlements/entitlements/entitlement.rules.ts';
import type { Mode } from '../instances/instance.rules.ts';

export const ProviderFailed = fault(
  502,
  'provider_failed',
  'The payment provider rejected the request. Nothing was changed. Try again.',
);
export const ProviderTimeout = fault(
  504,
  'provider_timeout',
  'The payment provider took too long. Try again with the same Idempotency-Key.',
);
export const PaymentsNotConfigured = fault(
  409,
  'payments_not_configured',
  'No payment provider is set up in this mode. Ask the operator.',
);

/** Faults of every operation that calls the provider. */
export const providerFaults = [ProviderFailed, ProviderTimeout, PaymentsNotConfigured];

export interface ProviderPrice {
  currency: string;
  interval: 'month' | 'year';
  amount: string;
}

/** Current state of a subscription at the provider. */
export interface SubscriptionSnapshot {
  provider_ref: string;
  mode: Mode;
  status: SubscriptionStatus;
  current_period_start: Date | null;
  current_period_end: Date | null;
  trial_end: Date | null;
  cancel_at_period_end: boolean;
  canceled_at: Date | null;
  ended_at: Date | null;
  ended_reason: 'requested' | 'unpaid' | 'disputed' | null;
  quantity: number;
  price: ProviderPrice | null;
  customer_ref: string;
  metadata: Readonly<Record<string, string>>;
}

/** Current state of a checkout at the provider. */
export interface CheckoutSnapshot {
  provider_ref: string;
  mode: Mode;
  status: 'open' | 'complete' | 'expired';
  url: string | null;
  expires_at: Date;
  subscription_ref: string | null;
  metadata: Readonly<Record<string, string>>;
}

/** Current state of a connected account at the provider. */
export interface AccountSnapshot {
  provider_account_id: string;
  country: string;
  charges_enabled: boolean;
  payouts_enabled: boolean;
  details_submitted: boolean;
  requirements: {
    currently_due: string[];
    past_due: string[];
    eventually_due: string[];
    current_deadline: string | null;
    disabled_reason: string | null;
  };
  metadata: Readonly<Record<string, string>>;
}

/** Plan at a price, with the share for a connected account. */
export interface SoldPlan {
  plan: string;
  /** Name shown to the customer. */
  title: string;
  price: ProviderPrice;
  quantity: number;
  share?: { destination: string; percent: string } | undefined;
}

export interface CheckoutOrder extends SoldPlan {
  customer_email: string;
  client_reference: string;
  trial_days: number;
  success_url: string;
  cancel_url: string;
  locale?: string | undefined;
  /** Our metadata, which the provider returns with the session and the subscription. */
  metadata: Record<string, string>;
}

/** Change of a subscription to another plan. */
interface PlanChange extends SoldPlan {
  /** True if the rest of the period is settled now. */
  prorated: boolean;
  metadata: Record<string, string>;
}

/** Part of the list of past events. */
export interface EventPage {
  /** Events, newest first, as the provider sends them to a webhook. */
  bodies: Buffer[];
  /** The last event, for the next part. Undefined if there is none. */
  next: string | undefined;
}

/**
 * Payment provider in one mode. `key` makes repeated calls idempotent. Each method throws ProviderTimeout, and
 * ProviderFailed for a rejection. Missing objects are undefined.
 */
export interface PaymentProvider {
  openCheckout(order: CheckoutOrder, key: string): Promise<CheckoutSnapshot>;
  checkout(ref: string): Promise<CheckoutSnapshot | undefined>;
  /** Ends an open session. A session that is not open does not change. */
  expireCheckout(ref: string): Promise<CheckoutSnapshot>;
  subscription(ref: string): Promise<SubscriptionSnapshot | undefined>;
  /**
   * Cancels a subscription at the end of its period, or undoes the cancellation. Returns a subscription that has
   * already ended unchanged, as do the next two methods.
   */
  endWithPeriod(ref: string, ends: boolean, reason: string | undefined, key: string): Promise<SubscriptionSnapshot>;
  endNow(ref: string, reason: string | undefined, key: string): Promise<SubscriptionSnapshot>;
  change(ref: string, to: PlanChange, key: string): Promise<SubscriptionSnapshot>;
  openAccount(
    account: { country: string; email?: string | undefined; business_type?: string | undefined; instance_id: string },
    key: string,
  ): Promise<AccountSnapshot>;
  account(ref: string): Promise<AccountSnapshot | undefined>;
  /** Creates a single-use link, valid for a few minutes. */
  accountLink(ref: string, to: { return_url: string; refresh_url: string }): Promise<{ url: string; expires_at: Date }>;
  /** Returns the provider's page where a customer sees invoices and changes payment methods. */
  portal(customer_ref: string, return_url: string): Promise<string>;
  /** Lists the events of the operator's own account since a time. The provider keeps them for 30 days. */
  events(since: Date, types: readonly string[], after: string | undefined): Promise<EventPage>;
}
