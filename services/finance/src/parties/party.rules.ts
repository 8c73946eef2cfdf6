/** Actions on customers and vendors. */
import { recordActions } from '@suite/chassis/operations';

export const partyActions = {
  customer: recordActions('customer', { update: 'customer.update', delete: 'customer.delete' }),
  vendor: recordActions('vendor', { update: 'vendor.update', delete: 'vendor.delete' }),
};
