import { choice, Currency, Id, input, Money, MoneyOut } from '@suite/chassis/fields';
import { z } from 'zod';

export const Interval = choice('month', 'year');

const Limit = z.int().nullable();

/** Price of a plan, with the cost and the margin of the instance. */
const OfferedPrice = z
  .object({
    price_id: Id,
    currency: z.string(),
    interval: Interval,
    per_user: z.boolean(),
    amount: MoneyOut.describe('Price for the end customer.'),
    wholesale_amount: MoneyOut.describe('Price that the instance pays.'),
    margin: MoneyOut,
    margin_percent: z.string().meta({ example: '28.57' }),
  })
  .meta({ id: 'OfferedPrice' });

/** Plan that an instance can sell. */
export const Offer = z
  .object({
    code: z.string(),
    name: z.string(),
    description: z.string(),
    features: z.array(z.object({ key: z.string(), text: z.string() })),
    modules: z.array(z.string()),
    trial_days: z.int(),
    limits: z.object({ users: Limit, customers: Limit, storage_mb: Limit, api_rpm: Limit }),
    recommended: z.boolean(),
    offered: z.boolean(),
    prices: z.array(OfferedPrice),
  })
  .meta({ id: 'Offer' });

export const OfferQuery = { currency: Currency.optional(), interval: Interval.optional() };

/** Plan code in a path. An unknown code returns 404. */
export const PlanName = z.string().max(40);

/** Plan code in a request body. */
export const PlanCode = z
  .string()
  .regex(/^[a-z][a-z0-9_]{0,39}$/, 'Enter the code of a plan.')
  .meta({ example: 'business' });

const RetailPrice = z.strictObject({ currency: Currency, interval: Interval, amount: Money });

export const OfferChange = input({
  prices: z
    .array(RetailPrice)
    .max(50)
    .refine(
      (prices) => new Set(prices.map(({ currency, interval }) => `${currency} ${interval}`)).size === prices.length,
      'Enter each price only once.',
    )
    .default([])
    .describe('Prices for your customers from now on. Running subscriptions keep their price.'),
  offered: z.boolean().optional().describe('Whether you sell the plan. Other plans cannot be bought.'),
});
