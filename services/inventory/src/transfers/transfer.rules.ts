import { lifecycle } from '@suite/chassis/operations';

/** Creating a transfer executes it immediately. */
export const transferStates = lifecycle(
  'transfer',
  { completed: { reverse: 'reversed' }, reversed: {} },
  { actions: { reverse: 'transfer.delete' } },
);
