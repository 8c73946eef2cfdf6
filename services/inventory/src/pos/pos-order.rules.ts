import { lifecycle } from '@suite/chassis';

// Chosen: no draft. A till rings up and takes the money in one step; what is not paid has not been sold.
export const posStates = lifecycle(
  'pos_order',
  {
    paid: { refund: 'refunded', refund_part: 'partially_refunded' },
    partially_refunded: { refund: 'refunded', refund_part: 'partially_refunded' },
    refunded: {},
  },
  { actions: { refund: 'pos_order.refund', refund_part: { by: 'posOrders.refund' } } },
);
