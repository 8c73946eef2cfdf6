/** Tasks in the module `lightproj`: the same records and rules with fewer operations. */
import { idOf } from '@suite/chassis/fields';
import { can, canSave, ok, page, removed, upserted } from '@suite/chassis/operations';
import { projectFaults } from '../../work/access/project.rules.ts';
import { BoardRequest, TaskBoard } from '../board/board.schema.ts';
import { showBoard } from '../board/board.view.ts';
import { SavedTask, TaskDetails } from '../details/details.schema.ts';
import { answerSavedItem, showWorkItem } from '../details/details.view.ts';
import { inLight } from '../../operations.ts';
import { saveTask } from '../tasks/task-saving.ts';
import { TaskStageMove } from '../tasks/task.schema.ts';
import { removeWorkItem } from '../../work/work-items/card.ts';
import { changeFaults, creationFaults } from '../../work/work-items/card.rules.ts';
import { updateWorkItem } from '../../work/changes/work-item-changes.ts';
import { ChangedTask, Task, TaskFilter, TaskSave } from '../../work/work-items/card.schema.ts';
import { answerWorkItem } from '../../work/work-items/card.view.ts';
import { listProjectItems, listWorkItems } from '../tasks/item-lists.view.ts';
import { TaskListRequest, TaskName, TaskReference, taskRequestOf } from './light-task.schema.ts';

const { query, command } = inLight;

export const listOfProject = query('GET /api/lightproj/projects/{project}/tasks', {
  summary: 'List the tasks of a project',
  description: 'Returns the tasks of one project that you may see. Expand `assignees`, `stage` and `milestone`.',
  access: can('task.view'),
  params: { project: idOf('projects') },
  query: TaskFilter,
  reply: page(Task),
  handle: ({ params, query, ...context }) => listProjectItems(context, 'task', params.project, query),
});

export const list = query('POST /api/lightproj/task-list', {
  summary: 'List tasks',
  description:
    'Returns the tasks of all projects that you may see. Filter by the fields of the body. `mine` selects your own tasks.',
  access: can('task.view'),
  body: TaskListRequest,
  reply: page(Task),
  handle: ({ body, ...context }) => listWorkItems(context, 'task', taskRequestOf(body, context.caller.user_id)),
});

export const details = query('POST /api/lightproj/task-details', {
  summary: 'Get a task',
  description:
    'Returns a task with subtasks, comments, files and history, like `GET /api/project/task/show/{id}`. Send the ID in the body.',
  access: can('task.view'),
  body: TaskName,
  reply: ok(TaskDetails),
  handle: ({ body, ...context }) => showWorkItem(context, 'task', body.id),
});

export const save = command('POST /api/lightproj/task-create-update', {
  summary: 'Create or update a task',
  description:
    'Updates the task with this `id`, or with this `external_id`. Creates a task if `id` is omitted and no task has this `external_id`. To move a task, use `POST /api/lightproj/task-stage-update`.',
  access: canSave({ creates: 'task.create', changes: 'task.update' }),
  body: TaskSave,
  reply: upserted(SavedTask),
  faults: creationFaults,
  async handle({ body, expect, ...context }) {
    const { created, id, warnings } = await saveTask(context, body, expect);
    return { created, record: await answerSavedItem(context, 'task', id, warnings) };
  },
});

export const remove = command('POST /api/lightproj/task-delete', {
  summary: 'Delete a task',
  description: 'Deletes a task with its comments and files, like the `DELETE` operation. Its number is not reused.',
  access: can('task.delete'),
  body: TaskReference,
  reply: removed,
  faults: projectFaults,
  handle: ({ body, ...context }) => removeWorkItem(context, 'task', body),
});

export const move = command('POST /api/lightproj/task-stage-update', {
  summary: 'Move a task on the board',
  description:
    'Moves a task to a stage, to the end or to `position`. Returns `wip_limit` if the stage is full and the project enforces limits.',
  access: can('task.update'),
  body: TaskStageMove,
  reply: ok(ChangedTask),
  faults: changeFaults,
  async handle({ body: { task_id: id, stage_id, position }, expect, ...context }) {
    const warnings = await updateWorkItem(context, 'task', { id, expect }, { stage_id, position });
    return await answerWorkItem(context, 'task', id, warnings);
  },
});

export const board = query('POST /api/lightproj/taskboard', {
  summary: 'Get the task board of a project',
  description:
    'Returns the stages of a project with counts, and the first cards of each. Send the project and filters in the body.',
  access: can('task.view'),
  body: BoardRequest,
  reply: ok(TaskBoard),
  handle: ({ body: { project_id, ...request }, ...context }) => showBoard(context, project_id, request),
});
