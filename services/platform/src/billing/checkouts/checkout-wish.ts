/** Requests for a checkout. */
import type { CheckoutSession } from '../../generated/client.ts';
import type { Mode } from '../instances/instance.rules.ts';
import type { SoldPrice } from '../offers/offer.ts';
import type { Sold } from '../payments/provider.ts';
import type { Buyer } from './trial.ts';

/** Subscription that a buyer requests, with the settings of the new workspace. */
export interface CheckoutWish {
  buyer: Buyer;
  mode: Mode;
  price: SoldPrice;
  share: Sold['share'];
  quantity: number;
  trial: boolean;
  client_reference: string;
  customer_email: string;
  customer_name?: string | undefined;
  success_url: string;
  cancel_url: string;
  locale?: string | undefined;
  base_currency?: string | undefined;
  timezone?: string | undefined;
  country?: string | undefined;
  fiscal_year_start?: string | undefined;
  week_start?: number | undefined;
  metadata: Record<string, string>;
}

/** Names of the settings of the new workspace. */
const SETTINGS = ['base_currency', 'timezone', 'country', 'fiscal_year_start', 'week_start'] as const;

/** Returns true if a running checkout is for the same request. Another request opens a new page. */
export const isSame = (row: CheckoutSession, wish: CheckoutWish): boolean =>
  row.plan_code === wish.price.plan &&
  row.interval === wish.price.interval &&
  row.currency === wish.price.currency &&
  row.amount.equals(wish.price.amount) &&
  row.quantity === wish.quantity &&
  row.customer_email === wish.customer_email &&
  SETTINGS.every((name) => row[name] === (wish[name] ?? null));
