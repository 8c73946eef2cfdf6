/** The to-do list: a calendar server of each user's own, with which his tasks are kept alike. */
import { can, ok } from '@suite/chassis';
import { findIntegration } from '../integrations/integration.ts';
import { shownIntegration } from '../integrations/integration.view.ts';
import { inToDoList } from '../operations.ts';
import { ToDoList, type ToDoListSettings } from './todo-list.schema.ts';

export const show = inToDoList.query('GET /api/todolist', {
  summary: 'Show your to-do list',
  description: 'Each user has one of his own.',
  access: can('integration.view'),
  reply: ok(ToDoList),
  async handle({ db, caller }) {
    const row = await findIntegration(db, 'todolist', caller.user_id);
    const shown = { name: 'todolist', scope: 'user', caller, usage: {}, actions: [] } as const;
    return shownIntegration<ToDoListSettings, typeof shown.usage>(row, shown);
  },
});
