/** The provider's present word on the object of an event. The event itself is a picture of then, and is not believed. */
import { clock } from '@suite/chassis';
import type { Mode } from '../instances/instance.rules.ts';
import { providerIn } from '../payments/payments.ts';
import type { AccountSnapshot, CheckoutSnapshot, SubscriptionSnapshot } from '../payments/provider.ts';
import type { About } from './event.rules.ts';

/** The present state of what an event is about; undefined parts are not there. */
export interface Present {
  fetched_at: Date;
  subscription: SubscriptionSnapshot | undefined;
  checkout: CheckoutSnapshot | undefined;
  account: AccountSnapshot | undefined;
  /** The instance and the workspace that it belongs to, by what we had the provider keep. */
  wl_instance_id: string | null;
  workspace_id: string | null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const idIn = (text: string | undefined): string | null => (text && UUID.test(text) ? text : null);

/** Asks the provider. @throws its faults */
export async function fetchPresent(mode: Mode, about: About): Promise<Present> {
  const provider = providerIn(mode);
  const fetched_at = clock.now();
  const checkout = about.kind === 'checkout' ? await provider.checkout(about.ref) : undefined;
  const ref = about.kind === 'subscription' ? about.ref : (checkout?.subscription_ref ?? undefined);
  const subscription = ref === undefined ? undefined : await provider.subscription(ref);
  const account = about.kind === 'account' ? await provider.account(about.ref) : undefined;
  const { wl_instance_id, workspace_id } = (subscription ?? checkout ?? account)?.metadata ?? {};
  const owner = { wl_instance_id: idIn(wl_instance_id), workspace_id: idIn(workspace_id) };
  return { fetched_at, subscription, checkout, account, ...owner };
}
