import { SalesReturnCompleted } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { closeAnnouncement } from '../stock/announced-goods.ts';

/** Closes the announcement of goods when a sales return is completed. */
export const closeReturnedGoods = on(SalesReturnCompleted, 'inventory.close-returned-goods', ({ event, db }) =>
  closeAnnouncement(db, event.sales_return_id),
);
