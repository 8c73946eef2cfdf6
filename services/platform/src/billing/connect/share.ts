/** Share of a price for the account of the instance that sells it. */
import { fault } from '@suite/chassis/faults';
import { marginOf } from '../offers/offer.rules.ts';
import type { SoldPrice } from '../offers/offer.ts';
import type { Db } from '../../operations.ts';
import type { SoldPlan } from '../payments/provider.ts';

export const ConnectRequired = fault(
  409,
  'connect_required',
  'This price includes a margin for you. Connect a payout account first.',
);

/**
 * Returns the share and its account. Undefined without a margin.
 * @throws ConnectRequired
 */
export async function connectedShare(db: Db, price: SoldPrice): Promise<SoldPlan['share']> {
  const { margin_percent } = marginOf(price);
  // Chosen: a margin below 0.01 % of the amount cannot be paid out, and needs no account.
  if (Number(margin_percent) === 0) return undefined;
  const account = await db.connectAccount.findFirst({ where: { status: 'enabled', replaced_at: null } });
  if (!account?.provider_account_id) throw ConnectRequired();
  return { destination: account.provider_account_id, percent: margin_percent };
}
