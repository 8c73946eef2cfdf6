import { SalesOrderCancelled } from '@suite/proto/crm/v1/events';
import { on } from '../operations.ts';
import { releaseFor } from '../reservations/request.ts';

/** Releases the reservations of a cancelled order. */
export const releaseOrder = on(SalesOrderCancelled, 'inventory.release-order', ({ event, db, emit }) =>
  releaseFor({ db, emit }, { type: 'sales_order', id: event.sales_order_id }),
);
