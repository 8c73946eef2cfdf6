/** Actions on subtasks: members of the project change the checklists of its tasks. */
import { raw, sql } from '@suite/chassis/database';
import { recordActions } from '@suite/chassis/operations';
import { mayChange } from '../../work/access/project-actions.ts';

export const subtaskActions = recordActions(
  'subtask',
  { update: 'task.update', delete: 'task.update' },
  {
    when: (_, caller, table) =>
      mayChange(
        caller,
        sql`(SELECT project_id FROM work_items WHERE work_items.id = ${raw(`${table}.item_id`)})`,
        'member',
      ),
  },
);
