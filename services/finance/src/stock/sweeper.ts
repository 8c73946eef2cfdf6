/** The schedule that finishes moves of goods which a crash or an outage left open. */
import { sweeper } from '@suite/saga';
import { setAside } from './giving-back.ts';
import { moveGoods } from './saga.ts';

/** Short: what was sold and is cancelled waits for this to be in stock again. */
const INTERVAL_MS = 3_000;

export const {
  findOpen,
  finish: settleStock,
  schedule: settleOpenStock,
} = sweeper('finance.settle-stock', INTERVAL_MS, [moveGoods, setAside]);
