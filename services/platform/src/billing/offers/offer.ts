/** Plans that an instance sells, at its own prices. */
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { roundTo } from '@suite/money';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { isPayable } from '../payments/amount.rules.ts';
import {
  atLeast,
  belowWholesaleFault,
  isBelow,
  marginOf,
  PlanRetired,
  PlanUnknown,
  PriceUnknown,
} from './offer.rules.ts';
import type { Offer, OfferChange } from './offer.schema.ts';

interface PriceRow {
  plan_code: string;
  price_id: string;
  currency: string;
  interval: 'month' | 'year';
  per_user: boolean;
  wholesale_amount: string;
  list_amount: string;
  retail_amount: string | null;
}

/** Returns a price with the instance's price and margin. Defaults to the list price. */
function toOfferedPrice({ plan_code: _, list_amount, retail_amount, ...price }: PriceRow) {
  const amount = atLeast(retail_amount ?? list_amount, price.wholesale_amount);
  return { ...price, amount, ...marginOf({ amount, wholesale_amount: price.wholesale_amount }) };
}

const readPrices = (db: Db, instance_id: string, plan: string | null): Promise<PriceRow[]> =>
  db.rows<PriceRow>(sql`
    SELECT prices.plan_code, prices.id AS price_id, prices.currency, prices."interval", per_user, wholesale_amount,
      prices.amount AS list_amount, wl_prices.amount AS retail_amount
    FROM prices LEFT JOIN wl_prices ON wl_prices.wl_instance_id = ${instance_id}::uuid AND wl_prices.plan_code = prices.plan_code
      AND wl_prices.currency = prices.currency AND wl_prices."interval" = prices."interval"
    WHERE replaced_at IS NULL AND wholesale_amount IS NOT NULL AND (${plan}::text IS NULL OR prices.plan_code = ${plan})
    ORDER BY prices.currency, prices."interval"`);

/**
 * Returns the plans that an instance can sell, in the operator's order. @param filter required prices; plans without one
 * are excluded
 */
export async function readOffers(
  db: Db,
  instance_id: string,
  filter: { currency?: string | undefined; interval?: string | undefined; plan?: string },
): Promise<z.input<typeof Offer>[]> {
  const plans = await db.plan.findMany({
    where: { status: 'active', ...(filter.plan !== undefined && { code: filter.plan }) },
    orderBy: { position: 'asc' },
  });
  const notOffered = await db.wlOffer.findMany({ where: { offered: false } });
  const prices = (await readPrices(db, instance_id, filter.plan ?? null)).filter(
    ({ currency, interval }) =>
      currency === (filter.currency ?? currency) && interval === (filter.interval ?? interval),
  );
  return plans
    .map((plan) => ({
      code: plan.code,
      name: plan.name,
      description: plan.description,
      features: plan.features as { key: string; text: string }[],
      modules: plan.modules,
      trial_days: plan.trial_days,
      limits: {
        users: plan.user_limit,
        customers: plan.customer_limit,
        storage_mb: plan.storage_limit_mb,
        api_rpm: plan.api_rpm_limit,
      },
      recommended: plan.is_recommended,
      offered: !notOffered.some(({ plan_code }) => plan_code === plan.code),
      prices: prices.filter(({ plan_code }) => plan_code === plan.code).map(toOfferedPrice),
    }))
    .filter(({ prices: own }) => own.length > 0);
}

/**
 * Updates an instance's prices of a plan, and whether the instance sells it. @throws NotFound, BelowWholesale,
 * PriceUnknown
 */
export async function changeOffer(
  db: Db,
  instance_id: string,
  code: string,
  { prices, offered }: z.output<typeof OfferChange>,
): Promise<z.input<typeof Offer>> {
  const [offer] = await readOffers(db, instance_id, { plan: code });
  if (!offer) throw NotFound();
  for (const [at, { currency, interval, amount }] of prices.entries()) {
    const known = offer.prices.find((price) => price.currency === currency && price.interval === interval);
    if (!known) throw PriceUnknown({ currency, interval });
    const least = roundTo(String(known.wholesale_amount), currency);
    const field = `prices.${at}.amount`;
    if (!isPayable({ amount, currency }))
      throw invalid(field, `The payment provider does not accept this amount in ${currency}. Enter another amount.`);
    if (isBelow(amount, least)) throw belowWholesaleFault(field, least);
    await db.rows(sql`
      INSERT INTO wl_prices (wl_instance_id, plan_code, currency, "interval", amount)
      VALUES (${instance_id}::uuid, ${code}, ${currency}, ${interval}, ${amount}::numeric)
      ON CONFLICT (wl_instance_id, plan_code, currency, "interval")
      DO UPDATE SET amount = EXCLUDED.amount, updated_at = ${clock.now()}`);
  }
  if (offered !== undefined) {
    await db.rows(sql`
      INSERT INTO wl_offers (wl_instance_id, plan_code, offered) VALUES (${instance_id}::uuid, ${code}, ${offered})
      ON CONFLICT (wl_instance_id, plan_code) DO UPDATE SET offered = EXCLUDED.offered, updated_at = ${clock.now()}`);
  }
  return (await readOffers(db, instance_id, { plan: code }))[0]!;
}

/** Price of a sale. */
export interface SoldPrice {
  plan: string;
  title: string;
  trial_days: number;
  price_id: string;
  currency: string;
  interval: 'month' | 'year';
  per_user: boolean;
  amount: string;
  wholesale_amount: string;
}

interface PriceRequest {
  plan: string;
  interval: 'month' | 'year';
  currency?: string | undefined;
  quantity?: number | undefined;
}

async function assertPlanOffered(db: Db, code: string): Promise<void> {
  const plan = await db.plan.findFirst({ where: { code } });
  if (!plan) throw PlanUnknown();
  if (plan.status !== 'active') throw PlanRetired();
}

/** Returns an instance's price of a plan. @throws PlanUnknown, PlanRetired, PriceUnknown */
export async function priceOfInstance(db: Db, instance_id: string, filter: PriceRequest): Promise<SoldPrice> {
  await assertPlanOffered(db, filter.plan);
  const [offer] = await readOffers(db, instance_id, { plan: filter.plan });
  if (!offer?.offered) throw PlanUnknown();
  const price = offer.prices.find(
    ({ currency, interval }) => interval === filter.interval && currency === (filter.currency ?? currency),
  );
  if (!price) throw PriceUnknown();
  const { price_id, currency, interval, per_user } = price;
  const amounts = { amount: String(price.amount), wholesale_amount: String(price.wholesale_amount) };
  return {
    plan: filter.plan,
    title: offer.name,
    trial_days: offer.trial_days,
    price_id,
    currency,
    interval,
    per_user,
    ...amounts,
  };
}

/** Returns the operator's price of a plan. @throws PlanUnknown, PlanRetired, PriceUnknown */
export async function priceOfOperator(db: Db, filter: PriceRequest): Promise<SoldPrice> {
  await assertPlanOffered(db, filter.plan);
  const plan = await db.plan.findFirstOrThrow({ where: { code: filter.plan } });
  if (!plan.is_public) throw PlanUnknown();
  const [price] = await db.rows<Pick<SoldPrice, 'price_id' | 'currency' | 'interval' | 'per_user' | 'amount'>>(sql`
    SELECT id AS price_id, currency, "interval", per_user, amount FROM prices
    WHERE replaced_at IS NULL AND plan_code = ${filter.plan} AND "interval" = ${filter.interval}
      AND (${filter.currency ?? null}::text IS NULL OR currency = ${filter.currency ?? null})
    ORDER BY created_at, currency LIMIT 1`);
  if (!price) throw PriceUnknown();
  return { plan: plan.code, title: plan.name, trial_days: plan.trial_days, ...price, wholesale_amount: price.amount };
}

/** The parts of a running subscription that determine its price. */
interface RunningPrice {
  plan_code: string;
  interval: string | null;
  next_plan: string | null;
  price_id: string | null;
  amount: string | null;
  currency: string | null;
}

/**
 * Returns the current price of a subscription if only its number of seats changes. Later price changes, or the end of
 * sales to others, have no effect.
 * @returns undefined for another plan or interval
 */
export async function unchangedPrice(db: Db, row: RunningPrice, filter: PriceRequest): Promise<SoldPrice | undefined> {
  const { plan_code, interval, next_plan, price_id, amount, currency } = row;
  if (plan_code !== filter.plan || interval !== filter.interval || next_plan !== null) return undefined;
  if (price_id === null || amount === null || currency === null) return undefined;
  const { name: title, trial_days } = await db.plan.findFirstOrThrow({ where: { code: plan_code } });
  const { per_user, wholesale_amount } = await db.price.findFirstOrThrow({ where: { id: price_id } });
  const amounts = { amount, wholesale_amount: wholesale_amount?.toFixed() ?? amount };
  return { plan: plan_code, title, trial_days, price_id, currency, interval: filter.interval, per_user, ...amounts };
}

/** Rejects a quantity for a price that is not per user. @throws a 422 fault */
export function assertQuantity({ per_user }: SoldPrice, quantity: number | undefined): void {
  if (!per_user && quantity !== undefined && quantity !== 1) {
    throw invalid('quantity', 'This price is for the whole workspace. Omit the quantity.');
  }
}
