/** The payment provider of this process, opened when somebody first pays. */
import type { Mode } from '../instances/instance.rules.ts';
import { type PaymentSettings, paymentSettings } from './payments.config.ts';
import { patient, PATIENCE_MS } from './patience.ts';
import { type PaymentProvider, PaymentsNotConfigured } from './provider.ts';
import { stripeProvider } from './stripe.ts';

/** The settings, and how long a test waits for an answer. */
type Chosen = PaymentSettings & { patience_ms?: number };

interface Payments {
  settings: Chosen;
  providers: Map<Mode, PaymentProvider>;
}

let opened: Payments | undefined;

const payments = (): Payments => (opened ??= { settings: paymentSettings(), providers: new Map() });

/** Opens the provider with these settings in place of those of the environment; without any, with those again. */
export function openPayments(settings?: Chosen): void {
  opened = settings && { settings, providers: new Map() };
}

/**
 * The provider in a mode, for one operation.
 * @param patience_ms how long all that it asks may take together
 * @throws PaymentsNotConfigured
 */
export function providerIn(mode: Mode, patience_ms: number = PATIENCE_MS): PaymentProvider {
  const { settings, providers } = payments();
  const key = mode === 'live' ? settings.STRIPE_LIVE_KEY : settings.STRIPE_TEST_KEY;
  if (key === undefined) throw PaymentsNotConfigured();
  const known = providers.get(mode) ?? stripeProvider(key, settings.STRIPE_API_URL, settings.patience_ms);
  providers.set(mode, known);
  return patient(known, Math.min(patience_ms, settings.patience_ms ?? patience_ms));
}

/** Whether anything is sold in a mode. */
export function sellsIn(mode: Mode): boolean {
  const { STRIPE_LIVE_KEY, STRIPE_TEST_KEY } = payments().settings;
  return (mode === 'live' ? STRIPE_LIVE_KEY : STRIPE_TEST_KEY) !== undefined;
}

/**
 * The mode in which the operator sells to own workspaces.
 * Chosen: a suite that sells in test mode alone is one that somebody tries out.
 */
export const ownMode = (): Mode => (sellsIn('live') ? 'live' : 'test');

/** The secrets that the provider signs its events with, and the mode that each belongs to. */
export function webhookSecrets(): { secret: string; mode: Mode }[] {
  const { STRIPE_LIVE_WEBHOOK_SECRETS: live, STRIPE_TEST_WEBHOOK_SECRETS: test } = payments().settings;
  return [
    ...live.map((secret) => ({ secret, mode: 'live' as const })),
    ...test.map((secret) => ({ secret, mode: 'test' as const })),
  ];
}
