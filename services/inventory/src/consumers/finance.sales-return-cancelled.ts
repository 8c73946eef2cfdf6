import { SalesReturnCancelled } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { closeAnnounced } from '../stock/announced.ts';

/** What a customer does not give back after all is not on its way. */
export const forgetReturnedGoods = on(SalesReturnCancelled, 'inventory.forget-returned-goods', ({ event, db }) =>
  closeAnnounced(db, event.sales_return_id),
);
