/** The lifecycle of a visit to the provider's page. */
import { lifecycle } from '@suite/chassis';

const CALLBACK = ['callback.take', 'callback.replay'];

/** The provider has the last word; a requested one is not shown, since the provider has not answered yet. */
export const checkouts = lifecycle(
  'checkout_session',
  {
    requested: { open: 'open', complete: 'complete', expire: 'expired' },
    open: { complete: 'complete', expire: 'expired' },
    complete: {},
    expired: {},
  },
  {
    actions: {
      open: { by: ['checkouts.create', 'ownSubscription.checkout'] },
      complete: { by: CALLBACK },
      expire: { by: ['checkouts.create', 'ownSubscription.checkout', ...CALLBACK, 'platform.check-subscriptions'] },
    },
  },
);
