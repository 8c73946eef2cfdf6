/** Lifecycle of a quote, and its permissions. */
import { lifecycle } from '@suite/chassis/operations';

export const quoteStates = lifecycle(
  'quote',
  {
    draft: { send: 'sent', cancel: 'cancelled' },
    sent: { accept: 'accepted', decline: 'declined', cancel: 'cancelled', expire: 'expired', revise: 'draft' },
    accepted: { order: 'ordered' },
    ordered: { reopen: 'accepted' },
    declined: {},
    expired: {},
    cancelled: {},
  },
  {
    actions: {
      send: 'quote.update',
      accept: 'quote.update',
      decline: 'quote.update',
      cancel: 'quote.update',
      update: { permission: 'quote.update', in: ['draft', 'sent'] },
      order: { permission: 'sales_order.create', by: 'salesOrders.create' },
      // Chosen: a quote that is not binding can be deleted while it has no number. Sent quotes cannot be deleted.
      delete: { permission: 'quote.delete', in: ['draft', 'declined', 'expired', 'cancelled'], unless: 'number' },
      expire: { by: 'crm.expire-offers' },
      revise: { by: 'quotes.update' },
      reopen: { by: ['salesOrders.update', 'salesOrders.remove'] },
    },
  },
);
