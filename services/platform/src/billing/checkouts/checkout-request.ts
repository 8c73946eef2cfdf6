/** Requests for a checkout. */
import type { CheckoutSession } from '../../generated/client.ts';
import type { Mode } from '../instances/instance.rules.ts';
import type { SoldPrice } from '../offers/offer.ts';
import type { SoldPlan } from '../payments/provider.ts';
import type { Buyer } from './trial.ts';

/** Subscription that a buyer requests, with the settings of the new workspace. */
export interface CheckoutRequest {
  buyer: Buyer;
  mode: Mode;
  price: SoldPrice;
  share: SoldPlan['share'];
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
const WORKSPACE_SETTINGS = ['base_currency', 'timezone', 'country', 'fiscal_year_start', 'week_start'] as const;

/** Returns true if a running checkout is for the same request. Another request opens a new page. */
export const isSameRequest = (row: CheckoutSession, request: CheckoutRequest): boolean =>
  row.plan_code === request.price.plan &&
  row.interval === request.price.interval &&
  row.currency === request.price.currency &&
  row.amount.equals(request.price.amount) &&
  row.quantity === request.quantity &&
  row.customer_email === request.customer_email &&
  WORKSPACE_SETTINGS.every((name) => row[name] === (request[name] ?? null));
