import { lifecycle } from '@suite/chassis/operations';

// Chosen: POS orders have no drafts: each is created and paid in one step.
export const posStates = lifecycle(
  'pos_order',
  {
    paid: { refund: 'refunded', refund_part: 'partially_refunded' },
    partially_refunded: { refund: 'refunded', refund_part: 'partially_refunded' },
    refunded: {},
  },
  { actions: { refund: 'pos_order.refund', refund_part: { by: 'posOrders.refund' } } },
);
