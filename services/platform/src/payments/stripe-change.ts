/**
 * Changing what a subscription at Stripe costs. It credits what is left of a period at the price that the subscription has then,
 * whether or not that was ever paid. A change for the end of a period has that price at once: so what was paid for is written
 * down until then, and put back before something is settled.
 */
import { clock } from '@suite/chassis';
import type Stripe from 'stripe';
import { periodOf, refOf } from './stripe-objects.ts';

type Metadata = Record<string, string>;

/** The price and the number that a period was paid for, in metadata; empty values are removed. */
const NOTHING_PAID = { paid_product: '', paid_units: '', paid_quantity: '', paid_until: '' };

/** Whether it waits for the end of the period to cost what it has for a price already. */
const isWaiting = ({ metadata }: Stripe.Subscription): boolean =>
  Date.parse(metadata['paid_until'] ?? '') > clock.now().getTime();

/** The same whether or not it is written down already, so that a call that is repeated is the same call. */
function paidFor(present: Stripe.Subscription): Metadata {
  const [item] = present.items.data;
  const { metadata } = present;
  if (isWaiting(present))
    return Object.fromEntries(Object.keys(NOTHING_PAID).map((name) => [name, metadata[name] ?? '']));
  const { current_period_end: until } = periodOf(present);
  if (!item?.price || !until) return {};
  return {
    paid_product: refOf(item.price.product) ?? '',
    paid_units: String(item.price.unit_amount ?? ''),
    paid_quantity: String(item.quantity ?? 1),
    paid_until: until.toISOString(),
  };
}

/** Puts back what the present period was paid for. */
async function putBack(stripe: Stripe, { id, items, metadata }: Stripe.Subscription, key: string): Promise<void> {
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

/** A change of price, in Stripe's words. */
interface PriceChange {
  price_data: Stripe.SubscriptionUpdateParams.Item.PriceData;
  quantity: number;
  /** Whether what is left of the period is settled now. */
  prorated: boolean;
  metadata: Metadata;
  transfer_data: NonNullable<Stripe.SubscriptionUpdateParams['transfer_data']>;
}

/** Changes what a subscription costs: now, or for the periods that follow. */
export async function changePrice(
  stripe: Stripe,
  ref: string,
  { price_data, quantity, prorated, metadata, transfer_data }: PriceChange,
  key: string,
): Promise<Stripe.Subscription> {
  const present = await stripe.subscriptions.retrieve(ref);
  const [item] = present.items.data;
  if (prorated && isWaiting(present)) await putBack(stripe, present, key);
  const change: Stripe.SubscriptionUpdateParams = {
    items: [{ ...(item && { id: item.id }), price_data, quantity }],
    proration_behavior: prorated ? 'create_prorations' : 'none',
    metadata: { ...metadata, ...(prorated ? NOTHING_PAID : paidFor(present)) },
    transfer_data,
  };
  return await stripe.subscriptions.update(ref, change, { idempotencyKey: key });
}
