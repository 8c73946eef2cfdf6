import { lifecycle } from '@suite/chassis/operations';

const change = { by: ['leadTasks.update', 'dealTasks.update'] };

export const taskStates = lifecycle(
  'task',
  { todo: { complete: 'done' }, done: { reopen: 'todo' } },
  { actions: { complete: change, reopen: change } },
);
