/** Tasks of a project. A task moves through the stages of the board until it is completed or cancelled. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { TaskDetails, SavedTask } from '../details/details.schema.ts';
import { answerSavedItem, showWorkItem } from '../details/details.view.ts';
import { inProjects } from '../../operations.ts';
import { BoardQuery, TaskBoard } from '../board/board.schema.ts';
import { showBoard } from '../board/board.view.ts';
import { watchWorkItem } from '../../work/changes/watchers.ts';
import { createWorkItem, removeWorkItem } from '../../work/work-items/card.ts';
import { changeFaults, creationFaults } from '../../work/work-items/card.rules.ts';
import { updateWorkItem } from '../../work/changes/work-item-changes.ts';
import { TaskChanges, TaskInput } from '../../work/work-items/card.schema.ts';
import { answerWorkItem } from '../../work/work-items/card.view.ts';
import { projectFaults } from '../../work/access/project.rules.ts';
import { moveToProject, OtherCurrency } from './task-project-move.ts';
import { MovedTask, NameInPath, ProjectMove, Watching } from './task.schema.ts';

const { query, command } = inProjects;

export const board = query('GET /api/project/{id}/task-board', {
  summary: 'Get the board of a project',
  description:
    'Returns the stages of a project with counts, and the first cards of each: tasks, or bugs with `type=bug`.',
  access: can('task.view'),
  params: { id: idOf('projects') },
  query: BoardQuery,
  reply: ok(TaskBoard),
  handle: ({ params, query, ...context }) => showBoard(context, params.id, query),
});

export const create = command('POST /api/project/{id}/task/create', {
  summary: 'Create a task',
  description:
    'Creates a task with the next number of the project. The task is added at the end of the default stage unless you specify a stage. Notifies the assignees. Returns `wip_limit` if the stage is full and the project enforces limits.',
  access: can('task.create'),
  params: { id: idOf('projects') },
  body: TaskInput,
  reply: created(SavedTask),
  faults: creationFaults,
  async handle({ params, body, ...context }) {
    const { id, over_limit, known } = await createWorkItem(context, 'task', params.id, body);
    const has = { subtasks: Boolean(body.subtasks?.length), blockers: Boolean(body.blocked_by?.length) };
    return await answerSavedItem(context, 'task', id, over_limit === undefined ? {} : { over_limit }, {
      ...known,
      has,
    });
  },
});

export const update = command('POST /api/project/{id}/task/update/{task_id}', {
  summary: 'Update a task',
  description:
    'Updates a task. `stage_id` or `position` moves it. Unchanged values have no effect. Returns `blocked` if you complete a task before its blocking tasks.',
  access: can('task.update'),
  params: { id: idOf('projects'), task_id: idOf('work_items') },
  body: TaskChanges,
  reply: ok(SavedTask),
  faults: changeFaults,
  async handle({ params, body, expect, ...context }) {
    const target = { id: params.task_id, project_id: params.id, expect };
    const warnings = await updateWorkItem(context, 'task', target, body);
    return await answerSavedItem(context, 'task', params.task_id, warnings);
  },
});

export const remove = command('DELETE /api/project/{project_id}/task/delete/{task_id}', {
  summary: 'Delete a task',
  description:
    'Deletes a task with its comments and files. Its child tasks move to its parent, and its number is not reused.',
  access: can('task.delete'),
  params: { project_id: idOf('projects'), task_id: idOf('work_items') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params: { task_id: id, project_id }, ...context }) => removeWorkItem(context, 'task', { id, project_id }),
});

export const show = query('GET /api/project/task/show/{id}', {
  summary: 'Get a task',
  description: 'Returns a task with subtasks, comments, files, blocking tasks, child tasks and history.',
  access: can('task.view'),
  params: { id: NameInPath },
  reply: ok(TaskDetails),
  handle: ({ params, ...context }) => showWorkItem(context, 'task', params.id),
});

export const move = command('POST /api/project/task/move/{task_id}', {
  summary: 'Move a task to another project',
  description:
    'Moves a task to another project with a new number. The previous number still leads to the task. `dropped` lists what could not be moved, such as assignees outside the project.',
  addition: 'A task can move to another project with its history.',
  access: can('task.update'),
  params: { task_id: idOf('work_items') },
  body: ProjectMove,
  reply: ok(MovedTask),
  faults: [...creationFaults, OtherCurrency],
  async handle({ params, body, ...context }) {
    const dropped = await moveToProject(context, params.task_id, body);
    return { ...(await answerWorkItem(context, 'task', params.task_id)), dropped };
  },
});

export const watch = command('POST /api/project/task/watch/{task_id}', {
  summary: 'Start or stop watching a task',
  description:
    'Starts or stops watching a task. Watchers are notified of comments. Repeating the request changes nothing.',
  addition: 'Users choose their notifications.',
  access: can('task.update'),
  params: { task_id: idOf('work_items') },
  body: Watching,
  reply: ok(Watching),
  faults: projectFaults,
  handle: ({ params, body, ...context }) => watchWorkItem(context, 'task', params.task_id, body.watching),
});
