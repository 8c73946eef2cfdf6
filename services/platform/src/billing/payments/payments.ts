/** Payment provider of this process, opened at the first payment. */
import type { Mode } from '../instances/instance.rules.ts';
import { type PaymentSettings, paymentSettings } from './payments.config.ts';
import { withTimeout, PROVIDER_TIMEOUT_MS } from './provider-timeout.ts';
import { type PaymentProvider, PaymentsNotConfigured } from './provider.ts';
import { stripeProvider } from './stripe.ts';

/** Settings, with the response timeout for tests. */
type ProviderSettings = PaymentSettings & { timeout_ms?: number };

interface Payments {
  settings: ProviderSettings;
  providers: Map<Mode, PaymentProvider>;
}

let opened: Payments | undefined;

const currentPayments = (): Payments => (opened ??= { settings: paymentSettings(), providers: new Map() });

/**
 * Opens the provider with these settings instead of the environment's. Without settings, restores the environment's.
 */
export function openPayments(settings?: ProviderSettings): void {
  opened = settings && { settings, providers: new Map() };
}

/**
 * Returns the provider in a mode, for one operation.
 * @param timeout_ms total timeout of all its requests
 * @throws PaymentsNotConfigured
 */
export function providerIn(mode: Mode, timeout_ms: number = PROVIDER_TIMEOUT_MS): PaymentProvider {
  const { settings, providers } = currentPayments();
  const key = mode === 'live' ? settings.STRIPE_LIVE_KEY : settings.STRIPE_TEST_KEY;
  if (key === undefined) throw PaymentsNotConfigured();
  const provider = providers.get(mode) ?? stripeProvider(key, settings.STRIPE_API_URL, settings.timeout_ms);
  providers.set(mode, provider);
  return withTimeout(provider, Math.min(timeout_ms, settings.timeout_ms ?? timeout_ms));
}

/** Returns true if the operator sells in a mode. */
export function isModeEnabled(mode: Mode): boolean {
  const { STRIPE_LIVE_KEY, STRIPE_TEST_KEY } = currentPayments().settings;
  return (mode === 'live' ? STRIPE_LIVE_KEY : STRIPE_TEST_KEY) !== undefined;
}

/**
 * Returns the mode in which the operator sells to own workspaces. Chosen: an installation that sells in test mode only
 * is a trial installation.
 */
export const ownMode = (): Mode => (isModeEnabled('live') ? 'live' : 'test');

/** Returns the secrets for the provider's event signatures, each with its mode. */
export function webhookSecrets(): { secret: string; mode: Mode }[] {
  const { STRIPE_LIVE_WEBHOOK_SECRETS: live, STRIPE_TEST_WEBHOOK_SECRETS: test } = currentPayments().settings;
  return [
    ...live.map((secret) => ({ secret, mode: 'live' as const })),
    ...test.map((secret) => ({ secret, mode: 'test' as const })),
  ];
}
