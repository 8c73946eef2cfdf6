import { PosOrderPaid } from '@suite/proto/inventory/v1/events';
import { postPosOrder } from '../banking/pos-orders/pos-order.ts';
import { on } from '../operations.ts';

/** Posts a POS order with its payments. */
export const bookPosOrder = on(PosOrderPaid, 'finance.book-pos-order', ({ event, db, emit }) =>
  postPosOrder({ db, emit }, event),
);
