/**
 * Price changes of a subscription at Stripe. Stripe credits the rest of a period at the subscription's current price,
 * whether or not that price was ever paid. A change for the end of a period sets the new price immediately. The paid
 * price is therefore stored until then, and restored before anything is settled.
 */
import { clock } from '@suite/chassis/runtime';
import type Stripe from 'stripe';
import { periodOf, stripeIdOf } from './stripe-objects.ts';

type Metadata = Record<string, string>;

/** Metadata with the price and quantity that a period was paid for, cleared. The provider removes empty values. */
const NOTHING_PAID = { paid_product: '', paid_units: '', paid_quantity: '', paid_until: '' };

/** Returns true if the subscription already has its next price but pays the old one until the end of the period. */
const isAwaitingPeriodEnd = ({ metadata }: Stripe.Subscription): boolean =>
  Date.parse(metadata['paid_until'] ?? '') > clock.now().getTime();

/**
 * Returns the paid price as metadata. The result is the same whether or not it is already stored, so a repeated call is
 * identical.
 */
function paidPriceOf(current: Stripe.Subscription): Metadata {
  const [item] = current.items.data;
  const { metadata } = current;
  if (isAwaitingPeriodEnd(current))
    return Object.fromEntries(Object.keys(NOTHING_PAID).map((name) => [name, metadata[name] ?? '']));
  const { current_period_end: until } = periodOf(current);
  if (!item?.price || !until) return {};
  return {
    paid_product: stripeIdOf(item.price.product) ?? '',
    paid_units: String(item.price.unit_amount ?? ''),
    paid_quantity: String(item.quantity ?? 1),
    paid_until: until.toISOString(),
  };
}

/** Restores the price and quantity that the current period was paid for. */
async function restorePaidPrice(
  stripe: Stripe,
  { id, items, metadata }: Stripe.Subscription,
  key: string,
): Promise<void> {
  const [item] = items.data;
  if (!item) return;
  const { currency, recurring } = item.price;
  const price_data = {
    product: metadata['paid_product'] ?? '',
    currency,
    unit_amount: Number(metadata['paid_units']),
    recurring: { interval: recurring!.interval },
  };
  const paid = { items: [{ id: item.id, quantity: Number(metadata['paid_quantity']), price_data }] };
  await stripe.subscriptions.update(id, { ...paid, proration_behavior: 'none' }, { idempotencyKey: `${key} put back` });
}

/** Change of price, in Stripe's terms. */
interface PriceChange {
  price_data: Stripe.SubscriptionUpdateParams.Item.PriceData;
  quantity: number;
  /** True if the rest of the period is settled now. */
  prorated: boolean;
  metadata: Metadata;
  transfer_data: NonNullable<Stripe.SubscriptionUpdateParams['transfer_data']>;
}

/** Changes the price of a subscription, now or from the next period. */
export async function changePrice(
  stripe: Stripe,
  ref: string,
  { price_data, quantity, prorated, metadata, transfer_data }: PriceChange,
  key: string,
): Promise<Stripe.Subscription> {
  const current = await stripe.subscriptions.retrieve(ref);
  const [item] = current.items.data;
  if (prorated && isAwaitingPeriodEnd(current)) await restorePaidPrice(stripe, current, key);
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ ...(item && { id: item.id }), price_data, quantity }],
    proration_behavior: prorated ? 'create_prorations' : 'none',
    metadata: { ...metadata, ...(prorated ? NOTHING_PAID : paidPriceOf(current)) },
    transfer_data,
  };
  return await stripe.subscriptions.update(ref, change, { idempotencyKey: key });
}
