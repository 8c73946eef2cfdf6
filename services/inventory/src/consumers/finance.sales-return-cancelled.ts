import { SalesReturnCancelled } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { closeAnnouncement } from '../stock/announced-goods.ts';

/** Withdraws the announcement of goods when a sales return is cancelled. */
export const forgetReturnedGoods = on(SalesReturnCancelled, 'inventory.forget-returned-goods', ({ event, db }) =>
  closeAnnouncement(db, event.sales_return_id),
);
