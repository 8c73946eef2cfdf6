import { SalesReturnCompleted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { closeAnnounced } from '../stock/announced.ts';

/** Ends the announcement of goods that a customer has given back. */
export const closeReturnedGoods = on(SalesReturnCompleted, 'inventory.close-returned-goods', ({ event, db }) =>
  closeAnnounced(db, event.sales_return_id),
);
