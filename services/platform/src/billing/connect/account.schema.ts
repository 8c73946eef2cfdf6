import { choice, Email, input, secret, Timestamp, Url } from '@suite/chassis/fields';
import { z } from 'zod';
import { ACCOUNT_STATES } from './account.rules.ts';

const Requirements = z
  .object({
    currently_due: z.array(z.string()),
    past_due: z.array(z.string()),
    eventually_due: z.array(z.string()),
    current_deadline: Timestamp.nullable(),
    disabled_reason: z.string().nullable(),
  })
  .meta({ id: 'ConnectRequirements' });

/** Connected account of an instance, as last reported by the provider. */
export const ConnectStatus = z
  .object({
    provider_account_id: z.string().nullable(),
    country: z.string().nullable(),
    status: choice('none', ...ACCOUNT_STATES),
    charges_enabled: z.boolean(),
    payouts_enabled: z.boolean(),
    details_submitted: z.boolean(),
    requirements: Requirements,
    synced_at: Timestamp.nullable(),
  })
  .meta({ id: 'ConnectStatus' });

/** Connected account with the link to the provider's page. The link is shown only once. */
export const Onboarding = z
  .object({
    provider_account_id: z.string(),
    status: choice(...ACCOUNT_STATES),
    onboarding_url: secret(z.string()).describe(
      'Link to the onboarding page. Works once, for a few minutes. Shown once: `null` if the request is repeated with the same `Idempotency-Key`.',
    ),
    onboarding_expires_at: Timestamp,
    requirements: Requirements,
  })
  .meta({ id: 'Onboarding' });

/** ISO 3166-1 alpha-2 country code. */
export const Country = z
  .string()
  .regex(/^[A-Z]{2}$/, 'Enter a two-character country code (ISO 3166).')
  .meta({ example: 'DE' });

export const OnboardingInput = input({
  country: Country.describe('Country of the account. Fixed by the first call.'),
  return_url: Url,
  refresh_url: Url,
  email: Email.optional(),
  business_type: choice('individual', 'company').optional(),
});

export const StatusQuery = {
  refresh: choice('true', 'false')
    .optional()
    .describe('Whether to request the status from the provider first, at most six times a minute.'),
};
