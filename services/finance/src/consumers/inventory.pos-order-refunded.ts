import { PosOrderRefunded } from '@suite/proto/inventory/v1/events';
import { refundTillSale } from '../banking/till/till.ts';
import { on } from '../operations.ts';

/** Reverses a refunded POS order in the books. */
export const refundPosOrder = on(PosOrderRefunded, 'finance.refund-pos-order', ({ event, db, emit }) =>
  refundTillSale({ db, emit }, event),
);
