import { choice, Currency, Email, Id, input, MoneyOut, Name, Timestamp, Url, Zone } from '@suite/chassis/fields';
import { z } from 'zod';
import { FiscalYearStart, WeekStart } from '../../workspaces/workspaces/workspace-fields.schema.ts';
import { Country } from '../connect/account.schema.ts';
import { Interval, PlanCode } from '../offers/offer.schema.ts';

/** The instance's own reference for its customer. */
const ClientReference = z
  .string()
  .regex(/^[A-Za-z0-9_.:-]{1,100}$/, 'Use 1 to 100 characters: A-Z, a-z, 0-9 and _ . : -')
  .meta({ example: 'customer-4711' });

const Metadata = z
  .record(
    z.string().regex(/^[A-Za-z0-9_.-]{1,40}$/, 'Use at most 40 characters: A-Z, a-z, 0-9 and _ . -'),
    z.string().max(500),
  )
  .refine((values) => Object.keys(values).length <= 20, 'Enter at most 20 values.');

/** Languages of the provider's page. */
const Locale = z
  .string()
  .regex(/^[a-z]{2}(-[A-Z]{2})?$/, 'Enter a language such as de or pt-BR.')
  .meta({ example: 'de' });

/** Checkout: a visit to the provider's page on which a customer subscribes. */
export const CheckoutSession = z
  .object({
    id: Id,
    url: z.string().nullable(),
    status: choice('open', 'complete', 'expired'),
    expires_at: Timestamp.nullable(),
    plan: z.string(),
    interval: Interval,
    price: z.object({ amount: MoneyOut, currency: z.string() }),
    quantity: z.int(),
    trial: z.boolean(),
    trial_days: z.int(),
    client_reference: z.string(),
    customer_email: z.string(),
    metadata: z.record(z.string(), z.string()),
    subscription_id: z.string().nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'CheckoutSession' });

export const CheckoutInput = input({
  plan: PlanCode,
  interval: Interval,
  currency: Currency.optional(),
  client_reference: ClientReference,
  customer_email: Email,
  customer_name: Name.optional(),
  success_url: Url,
  cancel_url: Url,
  quantity: z.int().min(1).max(100_000).optional().describe('Number of users, for a price per user.'),
  trial: z
    .boolean()
    .default(true)
    .describe('Whether to start with a trial. Each customer and each address gets one trial.'),
  locale: Locale.optional(),
  base_currency: Currency.optional().describe(
    'Base currency of the new workspace. Defaults to the currency of the price.',
  ),
  timezone: Zone.optional().describe('IANA time zone of the new workspace. Defaults to UTC.'),
  country: Country.optional(),
  fiscal_year_start: FiscalYearStart.optional().describe(
    'First day of the fiscal year of the new workspace, as `MM-DD`. Defaults to `01-01`.',
  ),
  week_start: WeekStart.optional().describe(
    'First day of the week of the new workspace: 1 for Monday to 7 for Sunday. Defaults to 1.',
  ),
  metadata: Metadata.default({}),
});
