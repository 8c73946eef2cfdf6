import { choice, Currency, Id, Locale, MoneyOut } from '@suite/chassis/fields';
import { z } from 'zod';
import { MODULES } from './module.ts';

/** Billing interval of a price. */
export const PriceInterval = choice('month', 'year');

const limit = (what: string) => z.int().nullable().describe(`${what}. \`null\` for no limit.`);

/** Limits of a plan. */
export const PlanLimits = z
  .object({
    users: limit('Number of owners and staff users').meta({ example: 25 }),
    customers: limit('Number of active customers').meta({ example: 5_000 }),
    storage_mb: limit('Storage for files in MiB').meta({ example: 10_240 }),
    api_rpm: limit('API requests per minute').meta({ example: 1_200 }),
  })
  .meta({ id: 'PlanLimits' });

/** Plan as shown in price lists. */
export const PublicPlan = z
  .object({
    code: z.string().meta({ example: 'business' }),
    name: z.string(),
    description: z.string(),
    features: z.array(z.object({ key: z.string(), text: z.string() })).describe('Features, in order.'),
    modules: z.array(z.enum(MODULES)),
    prices: z
      .array(
        z.object({
          price_id: Id,
          currency: Currency,
          interval: PriceInterval,
          amount: MoneyOut,
          per_user: z.boolean().describe('Whether the price is per user.'),
        }),
      )
      .describe('Prices. Empty for a plan with a price on request.'),
    trial_days: z.int(),
    limits: PlanLimits,
    recommended: z.boolean(),
  })
  .meta({ id: 'PublicPlan' });

/** Parameters of the price list. */
export const PublicPlanQuery = {
  currency: Currency.optional().describe('Returns prices in this currency only. Plans without one are not included.'),
  interval: PriceInterval.optional().describe(
    'Returns prices for this interval only. Plans without one are not included.',
  ),
  module: z.enum(MODULES).optional().describe('Returns only plans with this module.'),
  locale: Locale.optional().describe('Language of names and texts, if the plan has a translation.'),
};
