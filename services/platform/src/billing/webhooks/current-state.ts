/**
 * Current provider state of an event's object. The event itself is a snapshot of an earlier time and is not trusted.
 */
import { clock } from '@suite/chassis/runtime';
import type { Mode } from '../instances/instance.rules.ts';
import { providerIn } from '../payments/payments.ts';
import type { AccountSnapshot, CheckoutSnapshot, SubscriptionSnapshot } from '../payments/provider.ts';
import type { EventSubject } from './event.rules.ts';

/** Current state of an event's object. Missing parts are undefined. */
export interface CurrentState {
  fetched_at: Date;
  subscription: SubscriptionSnapshot | undefined;
  checkout: CheckoutSnapshot | undefined;
  account: AccountSnapshot | undefined;
  /** Instance and workspace of the object, from our metadata at the provider. */
  wl_instance_id: string | null;
  workspace_id: string | null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const idIn = (text: string | undefined): string | null => (text && UUID.test(text) ? text : null);

/** Fetches the current state from the provider. @throws the faults of the provider */
export async function fetchCurrentState(mode: Mode, subject: EventSubject): Promise<CurrentState> {
  const provider = providerIn(mode);
  const fetched_at = clock.now();
  const checkout = subject.kind === 'checkout' ? await provider.checkout(subject.ref) : undefined;
  const ref = subject.kind === 'subscription' ? subject.ref : (checkout?.subscription_ref ?? undefined);
  const subscription = ref === undefined ? undefined : await provider.subscription(ref);
  const account = subject.kind === 'account' ? await provider.account(subject.ref) : undefined;
  const { wl_instance_id, workspace_id } = (subscription ?? checkout ?? account)?.metadata ?? {};
  const owner = { wl_instance_id: idIn(wl_instance_id), workspace_id: idIn(workspace_id) };
  return { fetched_at, subscription, checkout, account, ...owner };
}
