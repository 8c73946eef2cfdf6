/** The settings of the payment provider, apart from those of the process: a suite that sells nothing has none. */
import { address, readSettings } from '@suite/chassis';
import { z } from 'zod';

const Secret = z.string().min(1);

/** Secrets, separated by commas: during a rotation there are several. */
const Secrets = z
  .string()
  .transform((text) => text.split(',').filter((secret) => secret !== ''))
  .default([]);

const shape = {
  /** Where the provider is asked; a stand-in for it in tests. */
  STRIPE_API_URL: address(/^https?$/, 'https://api.stripe.com').default('https://api.stripe.com'),
  /** Its secret keys: without one, nothing is sold in that mode. */
  STRIPE_LIVE_KEY: Secret.optional(),
  STRIPE_TEST_KEY: Secret.optional(),
  /** The secrets that its webhook endpoints sign with: that of the account, and that of connected accounts. */
  STRIPE_LIVE_WEBHOOK_SECRETS: Secrets,
  STRIPE_TEST_WEBHOOK_SECRETS: Secrets,
};

export type PaymentSettings = z.output<z.ZodObject<typeof shape>>;

/** Reads the settings. @throws an Error that names what is wrong */
export const paymentSettings = (): PaymentSettings => readSettings(shape);
