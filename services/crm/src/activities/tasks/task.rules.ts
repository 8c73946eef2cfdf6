/** States and actions of the tasks of leads and deals. */
import { lifecycle } from '@suite/chassis/operations';
import { actionsByRecord } from '../../pipeline/board/activity-actions.ts';

const states = <Kind extends 'lead' | 'deal'>(kind: Kind) => {
  const change = { permission: `${kind}.update`, by: `${kind}Tasks.update` };
  return lifecycle(
    `${kind}_task`,
    { todo: { complete: 'done' }, done: { reopen: 'todo' } },
    {
      actions: {
        complete: change,
        reopen: change,
        update: change,
        delete: { permission: `${kind}.update`, by: `${kind}Tasks.remove` },
      },
    },
  );
};

export const taskStates = { lead: states('lead'), deal: states('deal') };
export const taskActions = actionsByRecord(taskStates);
