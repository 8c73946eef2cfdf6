import { numbering } from '@suite/numbering';

/** Takes the next official number of a transfer or of an order at the till. */
export const takeNumber = numbering({
  transfer: { prefix: 'STF', yearly: true },
  pos_order: { prefix: 'POS', yearly: true },
});
