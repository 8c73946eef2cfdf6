import { numbering } from '@suite/numbering';

/** Assigns the next number of a transfer or a POS order. */
export const issueNumber = numbering({
  transfer: { prefix: 'STF', yearly: true },
  pos_order: { prefix: 'POS', yearly: true },
});
