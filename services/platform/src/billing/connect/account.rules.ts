/** Connected account of an instance, which receives its margin: its statuses and its use. */
import { fault } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import type { AccountSnapshot } from '../payments/provider.ts';

export const CountryFixed = fault(
  409,
  'country_fixed',
  'The country of a connected account cannot be changed. Omit it.',
);
export const ConnectDisabled = fault(
  409,
  'connect_disabled',
  'The connected account is disabled. Ask the operator to allow another one.',
);

export const ACCOUNT_STATES = ['pending', 'restricted', 'enabled', 'disabled'] as const;
type AccountState = (typeof ACCOUNT_STATES)[number];

/** The provider determines the status. A disabled account remains disabled. */
export const connectAccounts = lifecycle(
  'connect_account',
  { pending: {}, restricted: {}, enabled: {}, disabled: {} },
  { derived: { among: ['pending', 'restricted', 'enabled'], from: 'the payment provider' }, actions: {} },
);

type AccountStatus = Pick<
  AccountSnapshot,
  'charges_enabled' | 'payouts_enabled' | 'details_submitted' | 'requirements'
>;

/**
 * Returns the state of an account from the provider's report. Requirements that are due later do not affect the state.
 */
export function accountState({
  charges_enabled,
  payouts_enabled,
  details_submitted,
  requirements,
}: AccountStatus): AccountState {
  if (requirements.disabled_reason?.startsWith('rejected.')) return 'disabled';
  if (!details_submitted) return 'pending';
  return charges_enabled && payouts_enabled && requirements.past_due.length === 0 ? 'enabled' : 'restricted';
}
