import { PosOrderPaid } from '@suite/proto/inventory/v1/events';
import { bookTillSale } from '../banking/till/till.ts';
import { on } from '../operations.ts';

/** Posts a POS order with its payments. */
export const bookPosOrder = on(PosOrderPaid, 'finance.book-pos-order', ({ event, db, emit }) =>
  bookTillSale({ db, emit }, event),
);
