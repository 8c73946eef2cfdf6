/** Plans that an instance sells, at its own prices. */
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import { clock } from '@suite/chassis/runtime';
import { roundTo } from '@suite/money';
import type { z } from 'zod';
import type { Db } from '../../operations.ts';
import { isPayable } from '../payments/amount.rules.ts';
import { atLeast, belowWholesale, isBelow, marginOf, PlanRetired, PlanUnknown, PriceUnknown } from './offer.rules.ts';
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
function shownPrice({ plan_code: _, list_amount, retail_amount, ...price }: PriceRow) {
  const amount = atLeast(retail_amount ?? list_amount, price.wholesale_amount);
  return { ...price, amount, ...marginOf({ amount, wholesale_amount: price.wholesale_amount }) };
}

const pricesOf = (db: Db, instance_id: string, plan: string | null): Promise<PriceRow[]> =>
  db.rows<PriceRow>(sql`
    SELECT prices.plan_code, prices.id AS price_id, prices.currency, prices."interval", per_user, wholesale_amount,
      prices.amount AS list_amount, wl_prices.amount AS retail_amount
    FROM prices LEFT JOIN wl_prices ON wl_prices.wl_instance_id = ${instance_id}::uuid AND wl_prices.plan_code = prices.plan_code
      AND wl_prices.currency = prices.currency AND wl_prices."interval" = prices."interval"
    WHERE replaced_at IS NULL AND wholesale_amount IS NOT NULL AND (${plan}::text IS NULL OR prices.plan_code = ${plan})
    ORDER BY prices.currency, prices."interval"`);

/**
 * Returns the plans that an instance can sell, in the operator's order. @param wish required prices; plans without one
 * are excluded
 */
export async function offersTo(
  db: Db,
  instance_id: string,
  wish: { currency?: string | undefined; interval?: string | undefined; plan?: string },
): Promise<z.input<typeof Offer>[]> {
  const plans = await db.plan.findMany({
    where: { status: 'active', ...(wish.plan !== undefined && { code: wish.plan }) },
    orderBy: { position: 'asc' },
  });
  const refused = await db.wlOffer.findMany({ where: { offered: false } });
  const prices = (await pricesOf(db, instance_id, wish.plan ?? null)).filter(
    ({ currency, interval }) => currency === (wish.currency ?? currency) && interval === (wish.interval ?? interval),
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
      offered: !refused.some(({ plan_code }) => plan_code === plan.code),
      prices: prices.filter(({ plan_code }) => plan_code === plan.code).map(shownPrice),
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
  const [offer] = await offersTo(db, instance_id, { plan: code });
  if (!offer) throw NotFound();
  for (const [at, { currency, interval, amount }] of prices.entries()) {
    const known = offer.prices.find((price) => price.currency === currency && price.interval === interval);
    if (!known) throw PriceUnknown({ currency, interval });
    const least = roundTo(String(known.wholesale_amount), currency);
    const field = `prices.${at}.amount`;
    if (!isPayable({ amount, currency }))
      throw invalid(field, `The payment provider does not accept this amount of ${currency}.`);
    if (isBelow(amount, least)) throw belowWholesale(field, least);
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
  return (await offersTo(db, instance_id, { plan: code }))[0]!;
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

interface Wish {
  plan: string;
  interval: 'month' | 'year';
  currency?: string | undefined;
  quantity?: number | undefined;
}

async function assertKnown(db: Db, code: string): Promise<void> {
  const plan = await db.plan.findFirst({ where: { code } });
  if (!plan) throw PlanUnknown();
  if (plan.status !== 'active') throw PlanRetired();
}

/** Returns an instance's price of a plan. @throws PlanUnknown, PlanRetired, PriceUnknown */
export async function priceOfInstance(db: Db, instance_id: string, wish: Wish): Promise<SoldPrice> {
  await assertKnown(db, wish.plan);
  const [offer] = await offersTo(db, instance_id, { plan: wish.plan });
  if (!offer?.offered) throw PlanUnknown();
  const price = offer.prices.find(
    ({ currency, interval }) => interval === wish.interval && currency === (wish.currency ?? currency),
  );
  if (!price) throw PriceUnknown();
  const { price_id, currency, interval, per_user } = price;
  const amounts = { amount: String(price.amount), wholesale_amount: String(price.wholesale_amount) };
  return {
    plan: wish.plan,
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
export async function priceOfOperator(db: Db, wish: Wish): Promise<SoldPrice> {
  await assertKnown(db, wish.plan);
  const plan = await db.plan.findFirstOrThrow({ where: { code: wish.plan } });
  if (!plan.is_public) throw PlanUnknown();
  const [price] = await db.rows<Pick<SoldPrice, 'price_id' | 'currency' | 'interval' | 'per_user' | 'amount'>>(sql`
    SELECT id AS price_id, currency, "interval", per_user, amount FROM prices
    WHERE replaced_at IS NULL AND plan_code = ${wish.plan} AND "interval" = ${wish.interval}
      AND (${wish.currency ?? null}::text IS NULL OR currency = ${wish.currency ?? null})
    ORDER BY created_at, currency LIMIT 1`);
  if (!price) throw PriceUnknown();
  return { plan: plan.code, title: plan.name, trial_days: plan.trial_days, ...price, wholesale_amount: price.amount };
}

/** The parts of a running subscription that determine its price. */
interface Running {
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
export async function keptPrice(db: Db, row: Running, wish: Wish): Promise<SoldPrice | undefined> {
  const { plan_code, interval, next_plan, price_id, amount, currency } = row;
  if (plan_code !== wish.plan || interval !== wish.interval || next_plan !== null) return undefined;
  if (price_id === null || amount === null || currency === null) return undefined;
  const { name: title, trial_days } = await db.plan.findFirstOrThrow({ where: { code: plan_code } });
  const { per_user, wholesale_amount } = await db.price.findFirstOrThrow({ where: { id: price_id } });
  const amounts = { amount, wholesale_amount: wholesale_amount?.toFixed() ?? amount };
  return { plan: plan_code, title, trial_days, price_id, currency, interval: wish.interval, per_user, ...amounts };
}

/** Rejects a quantity for a price that is not per user. @throws a 422 fault */
export function assertQuantity({ per_user }: SoldPrice, quantity: number | undefined): void {
  if (!per_user && quantity !== undefined && quantity !== 1) {
    throw invalid('quantity', 'This price is for the whole workspace. Omit the quantity.');
  }
}
