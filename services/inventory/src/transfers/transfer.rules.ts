import { lifecycle } from '@suite/chassis';

/** Creating one executes it at once. */
export const transferStates = lifecycle(
  'transfer',
  { completed: { reverse: 'reversed' }, reversed: {} },
  { actions: { reverse: 'transfer.delete' } },
);
