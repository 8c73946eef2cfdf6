/** The connected account of an instance, into which its margin is paid: when it may be used. */
import { fault, lifecycle } from '@suite/chassis';
import type { AccountSnapshot } from '../payments/provider.ts';

export const CountryFixed = fault(409, 'country_fixed', 'The country of a connected account cannot be changed.');
export const ConnectDisabled = fault(
  409,
  'connect_disabled',
  'The connected account is disabled. Ask the operator to allow another one.',
);

export const ACCOUNT_STATES = ['pending', 'restricted', 'enabled', 'disabled'] as const;
type AccountState = (typeof ACCOUNT_STATES)[number];

/** The provider leads; what is disabled stays so. */
export const connectAccounts = lifecycle(
  'connect_account',
  { pending: {}, restricted: {}, enabled: {}, disabled: {} },
  { derived: { among: ['pending', 'restricted', 'enabled'], from: 'the payment provider' }, actions: {} },
);

type Facts = Pick<AccountSnapshot, 'charges_enabled' | 'payouts_enabled' | 'details_submitted' | 'requirements'>;

/** The state of an account by what the provider says of it. Of what is due later, it is only told. */
export function accountState({
  charges_enabled,
  payouts_enabled,
  details_submitted,
  requirements,
}: Facts): AccountState {
  if (requirements.disabled_reason?.startsWith('rejected.')) return 'disabled';
  if (!details_submitted) return 'pending';
  return charges_enabled && payouts_enabled && requirements.past_due.length === 0 ? 'enabled' : 'restricted';
}
