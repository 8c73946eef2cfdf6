import { PosOrderRefunded } from '@suite/proto/inventory/v1/events';
import { postPosRefund } from '../banking/pos-orders/pos-order.ts';
import { on } from '../operations.ts';

/** Reverses a refunded POS order in the books. */
export const refundPosOrder = on(PosOrderRefunded, 'finance.refund-pos-order', ({ event, db, emit }) =>
  postPosRefund({ db, emit }, event),
);
