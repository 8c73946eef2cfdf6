/** The payment provider, as far as we need one: what we ask of it, and what it answers. */
import { fault } from '@suite/chassis';
import type { SubscriptionStatus } from '../entitlements/entitlement.rules.ts';
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

/** The faults of every operation that asks the provider. */
export const providerFaults = [ProviderFailed, ProviderTimeout, PaymentsNotConfigured];

export interface ProviderPrice {
  currency: string;
  interval: 'month' | 'year';
  amount: string;
}

/** A subscription as the provider has it now. */
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

/** A visit to its page, as the provider has it now. */
export interface CheckoutSnapshot {
  provider_ref: string;
  mode: Mode;
  status: 'open' | 'complete' | 'expired';
  url: string | null;
  expires_at: Date;
  subscription_ref: string | null;
  metadata: Readonly<Record<string, string>>;
}

/** A connected account, as the provider has it now. */
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

/** A plan at a price, and what goes of it to a connected account. */
export interface Sold {
  plan: string;
  /** The name that the customer reads. */
  title: string;
  price: ProviderPrice;
  quantity: number;
  share?: { destination: string; percent: string } | undefined;
}

export interface CheckoutOrder extends Sold {
  customer_email: string;
  client_reference: string;
  trial_days: number;
  success_url: string;
  cancel_url: string;
  locale?: string | undefined;
  /** Ours; it comes back with the session and with the subscription. */
  metadata: Record<string, string>;
}

/** How a subscription changes to another plan. */
interface PlanChange extends Sold {
  /** Whether what is left of the period is settled now. */
  prorated: boolean;
  metadata: Record<string, string>;
}

/**
 * A payment provider in one mode. `key` makes a repeated call the same call.
 * Each throws ProviderTimeout, and ProviderFailed where it refused; what it does not have is undefined.
 */
export interface PaymentProvider {
  openCheckout(order: CheckoutOrder, key: string): Promise<CheckoutSnapshot>;
  checkout(ref: string): Promise<CheckoutSnapshot | undefined>;
  /** Ends a session that is open; one that is not stays what it is. */
  expireCheckout(ref: string): Promise<CheckoutSnapshot>;
  subscription(ref: string): Promise<SubscriptionSnapshot | undefined>;
  /** Ends a subscription with its period, or takes that back. One that has ended already is given as it is, by the next two as well. */
  endWithPeriod(ref: string, ends: boolean, reason: string | undefined, key: string): Promise<SubscriptionSnapshot>;
  endNow(ref: string, reason: string | undefined, key: string): Promise<SubscriptionSnapshot>;
  change(ref: string, to: PlanChange, key: string): Promise<SubscriptionSnapshot>;
  openAccount(
    account: { country: string; email?: string | undefined; business_type?: string | undefined; instance_id: string },
    key: string,
  ): Promise<AccountSnapshot>;
  account(ref: string): Promise<AccountSnapshot | undefined>;
  /** A link that works once, for minutes. */
  accountLink(ref: string, to: { return_url: string; refresh_url: string }): Promise<{ url: string; expires_at: Date }>;
  /** The provider's page on which a customer sees invoices and changes means of payment. */
  portal(customer_ref: string, return_url: string): Promise<string>;
}
