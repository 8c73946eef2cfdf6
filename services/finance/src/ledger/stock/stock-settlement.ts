/** Schedule that completes goods movements left open by a crash or an outage. */
import { undoSchedule } from '@suite/saga';
import { reserveForReversal } from './receipt-reversal.ts';
import { moveGoods } from './saga.ts';

/** Short interval: goods of a cancelled invoice return to stock only after this job. */
const INTERVAL_MS = 3_000;

export const {
  findOpen,
  finish: settleStock,
  schedule: settleOpenStock,
} = undoSchedule('finance.settle-stock', INTERVAL_MS, [moveGoods, reserveForReversal]);
