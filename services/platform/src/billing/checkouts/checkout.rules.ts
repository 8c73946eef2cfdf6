/** Lifecycle of a checkout. */
import { lifecycle } from '@suite/chassis/operations';

const WEBHOOK_OPERATIONS = ['callback.take', 'callback.replay'];

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
      complete: { by: WEBHOOK_OPERATIONS },
      expire: {
        by: ['checkouts.create', 'ownSubscription.checkout', ...WEBHOOK_OPERATIONS, 'platform.check-subscriptions'],
      },
    },
  },
);
