import { SalesReturnApproved } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { announceGoods } from '../stock/announced-goods.ts';

/** Announces goods of an approved sales return. */
export const expectReturnedGoods = on(SalesReturnApproved, 'inventory.expect-returned-goods', ({ event, db }) =>
  announceGoods(db, { source_id: event.sales_return_id, warehouse_id: event.warehouse_id, lines: event.incoming }),
);
