/**
 * Settings of the payment provider, separate from the settings of the process. An installation without sales has none.
 */
import { address, readSettings } from '@suite/chassis/runtime';
import { z } from 'zod';

const Secret = z.string().min(1);

/** Secrets, separated by commas. Several are valid during a rotation. */
const Secrets = z
  .string()
  .transform((text) => text.split(',').filter((secret) => secret !== ''))
  .default([]);

const shape = {
  /** URL of the provider. Tests set the URL of a fake. */
  STRIPE_API_URL: address(/^https?$/, 'https://api.stripe.com').default('https://api.stripe.com'),
  /** Secret keys of Stripe. Without a key, nothing is sold in that mode. */
  STRIPE_LIVE_KEY: Secret.optional(),
  STRIPE_TEST_KEY: Secret.optional(),
  /** Secrets of the provider's webhook endpoints: one for the account, and one for connected accounts. */
  STRIPE_LIVE_WEBHOOK_SECRETS: Secrets,
  STRIPE_TEST_WEBHOOK_SECRETS: Secrets,
};

export type PaymentSettings = z.output<z.ZodObject<typeof shape>>;

/** Reads the settings. @throws an Error that names the invalid setting */
export const paymentSettings = (): PaymentSettings => readSettings(shape);
