/** Comments on tasks and bugs, for the team, or for the team and the clients of the project. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, removed } from '@suite/chassis/operations';
import { projectFaults } from '../access/project.rules.ts';
import { inProjects } from '../../operations.ts';
import { addComment, removeComment, updateComment } from './comment.ts';
import { Comment, CommentChanges, CommentInput } from './comment.schema.ts';

const { command } = inProjects;

export const addToTask = command('POST /api/project/task/{task_id}/comment/create', {
  summary: 'Comment on a task',
  description:
    'Adds a comment and makes you a watcher. Notifies watchers and mentioned users. `visibility` defaults to `team`. Comments of clients are always visible to clients.',
  access: can('task.view'),
  params: { task_id: idOf('work_items') },
  body: CommentInput,
  reply: created(Comment),
  faults: projectFaults,
  handle: ({ params, body, ...context }) => addComment(context, 'task', params.task_id, body),
});

export const addToBug = command('POST /api/project/bug/{bug_id}/comment/create', {
  summary: 'Comment on a bug',
  description:
    'Adds a comment and makes you a watcher. Notifies watchers and mentioned users. `visibility` defaults to `team`. Comments of clients are always visible to clients.',
  access: can('bug.view'),
  params: { bug_id: idOf('work_items') },
  body: CommentInput,
  reply: created(Comment),
  faults: projectFaults,
  handle: ({ params, body, ...context }) => addComment(context, 'bug', params.bug_id, body),
});

export const update = command('POST /api/project/comment/update/{comment_id}', {
  summary: 'Update a comment',
  description:
    'Replaces the text of your own comment. The visibility cannot change. Comments of other users return 403 `project_role`.',
  addition: 'The author of a comment can correct it.',
  access: can('project.view'),
  params: { comment_id: idOf('comments') },
  body: CommentChanges,
  reply: ok(Comment),
  faults: projectFaults,
  handle: ({ params, body, ...context }) => updateComment(context, params.comment_id, body.body),
});

export const removeFromTask = command('DELETE /api/project/task/comment/delete/{comment_id}', {
  summary: 'Delete a comment on a task',
  description:
    'Deletes the text of a comment. An empty entry remains in the thread. Requires the author or a project manager.',
  access: can('task.view'),
  params: { comment_id: idOf('comments') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeComment(context, 'task', params.comment_id),
});

export const removeFromBug = command('DELETE /api/project/bug/{id}/comment/delete', {
  summary: 'Delete a comment on a bug',
  description:
    'Deletes the text of a comment: `id` is the ID of the comment. An empty entry remains in the thread. Requires the author or a project manager.',
  access: can('bug.view'),
  params: { id: idOf('comments') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params, ...context }) => removeComment(context, 'bug', params.id),
});
