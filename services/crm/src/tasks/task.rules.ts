import { lifecycle } from '@suite/chassis';

export const taskStates = lifecycle('task', {
  todo: { complete: 'done' },
  done: { reopen: 'todo' },
});
