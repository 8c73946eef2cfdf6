/** Subtasks: the checklist of a task. Each has a name, an optional due date, and is done or open. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { projectFaults } from '../../work/access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { addSubtask, ChecklistFull, removeSubtask, updateSubtask } from '../subtasks/subtask.ts';
import { subtaskActions } from '../subtasks/subtask.rules.ts';
import { Subtask, SubtaskChanges, SubtaskInput } from '../subtasks/subtask.schema.ts';

const { command } = inProjects;

export const create = command('POST /api/project/task-subtask/create/{task_id}', {
  summary: 'Add a subtask',
  description:
    'Adds a line to the checklist of a task. `position` defaults to the end. Returns `checklist_full` at the maximum number of lines.',
  access: can('task.update'),
  params: { task_id: idOf('work_items') },
  body: SubtaskInput,
  reply: created(Subtask),
  faults: [...projectFaults, ChecklistFull],
  handle: ({ params, body, ...context }) => addSubtask(context, params.task_id, body),
});

export const update = command('POST /api/project/task-subtask/update/{subtask_id}', {
  summary: 'Update a subtask',
  description: 'Renames a line, sets its due date, marks it as done or moves it. Omitted fields stay unchanged.',
  access: subtaskActions.can('update'),
  params: { subtask_id: idOf('subtasks') },
  body: SubtaskChanges,
  reply: ok(Subtask),
  faults: projectFaults,
  handle: ({ params, body, expect, ...context }) => updateSubtask(context, params.subtask_id, body, expect),
});

export const remove = command('DELETE /api/project/task-subtask/delete/{subtask_id}', {
  summary: 'Delete a subtask',
  description: 'Deletes a subtask. The following subtasks move up.',
  addition: 'Checklist entries can be deleted.',
  access: subtaskActions.can('delete'),
  params: { subtask_id: idOf('subtasks') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeSubtask(context, params.subtask_id),
});
