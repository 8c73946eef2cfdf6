/** Lifecycle of a checkout. */
import { lifecycle } from '@suite/chassis/operations';

const CALLBACK = ['callback.take', 'callback.replay'];

/** The provider determines the status. A requested checkout is hidden until the provider responds. */
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
