/** Lifecycle of a sales order, and its permissions. */
import { lifecycle } from '@suite/chassis/operations';

/** Callers that complete or reopen an order according to its invoices. */
const progress = { by: ['crm.note-invoice-of-order', 'crm.note-cancelled-invoice', 'salesOrders.update'] };

export const orderStates = lifecycle(
  'sales_order',
  {
    draft: { confirm: 'confirmed', cancel: 'cancelled' },
    confirmed: { hold: 'on_hold', complete: 'completed', cancel: 'cancelled', close: 'closed' },
    on_hold: { resume: 'confirmed' },
    completed: { reopen: 'confirmed' },
    cancelled: {},
    closed: {},
  },
  {
    actions: {
      confirm: 'sales_order.update',
      hold: 'sales_order.update',
      resume: 'sales_order.update',
      cancel: 'sales_order.update',
      close: 'sales_order.update',
      invoice: { permission: 'sales_order.update', in: ['confirmed'] },
      update: { permission: 'sales_order.update', in: ['draft', 'confirmed', 'on_hold'] },
      // An order with a number was confirmed, so its delivery was agreed with the customer.
      delete: { permission: 'sales_order.delete', in: ['draft', 'cancelled'], unless: 'number' },
      complete: progress,
      reopen: progress,
    },
  },
);
