/**
 * Settings of the payment provider, separate from the settings of the process. An installation without sales has none.
 */
import { address, readSettings, SECRET } from '@suite/chassis/runtime';
import { z } from 'zod';

const Secret = z.string().min(1);

/** Secrets, separated by commas. Several are valid during a rotation. */
const Secrets = z
  .string()
  .transform((text) => text.split(',').filter((secret) => secret !== ''))
  .default([]);

/** The settings. The table of settings and the Helm chart contain them. */
export const settings = {
  STRIPE_API_URL: address(/^https?$/, 'https://api.stripe.com')
    .default('https://api.stripe.com')
    .describe('Address of Stripe.'),
  STRIPE_LIVE_KEY: Secret.optional()
    .describe('Secret key of Stripe. Without a key, nothing is sold in live mode.')
    .meta(SECRET),
  STRIPE_TEST_KEY: Secret.optional()
    .describe('Secret key of Stripe. Without a key, nothing is sold in test mode.')
    .meta(SECRET),
  STRIPE_LIVE_WEBHOOK_SECRETS: Secrets.describe(
    'Secrets of the webhook endpoints for the account and the connected accounts, separated by commas.',
  ).meta(SECRET),
  STRIPE_TEST_WEBHOOK_SECRETS: Secrets.describe('The same in test mode.').meta(SECRET),
};

export type PaymentSettings = z.output<z.ZodObject<typeof settings>>;

/** Reads the settings. @throws an Error that names the invalid setting */
export const paymentSettings = (): PaymentSettings => readSettings(settings);
