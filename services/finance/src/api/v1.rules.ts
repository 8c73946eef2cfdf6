/** Actions on customers of version 1. */
import { recordActions } from '@suite/chassis/operations';

export const v1CustomerActions = recordActions('v1_customer', { update: 'customer.update' });
