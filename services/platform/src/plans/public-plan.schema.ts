import { choice, Currency, Id, Locale, MoneyOut } from '@suite/chassis';
import { z } from 'zod';
import { MODULES } from './module.ts';

/** How often a price is asked for. */
export const PriceInterval = choice('month', 'year');

const limit = (what: string) => z.int().nullable().describe(`${what}; null is no limit.`);

/** How much of something a plan allows. */
export const PlanLimits = z
  .object({
    users: limit('Owners and staff').meta({ example: 25 }),
    customers: limit('Active customers').meta({ example: 5_000 }),
    storage_mb: limit('MiB of files').meta({ example: 10_240 }),
    api_rpm: limit('Requests a minute').meta({ example: 1_200 }),
  })
  .meta({ id: 'PlanLimits' });

/** A plan as price lists show it. */
export const PublicPlan = z
  .object({
    code: z.string().meta({ example: 'business' }),
    name: z.string(),
    description: z.string(),
    features: z.array(z.object({ key: z.string(), text: z.string() })).describe('Features in their order.'),
    modules: z.array(z.enum(MODULES)),
    prices: z
      .array(
        z.object({
          id: Id,
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

/** The parameters of the price list. */
export const PublicPlanQuery = {
  currency: Currency.optional().describe('Returns prices in this currency only. Plans without one are not included.'),
  interval: PriceInterval.optional().describe(
    'Returns prices for this interval only. Plans without one are not included.',
  ),
  module: z.enum(MODULES).optional().describe('Plans that have this module.'),
  locale: Locale.optional().describe('The language of names and texts, where the plan has them in it.'),
};
