/** Bugs are defects with their own board. A completed bug has a resolution. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { projectFaults } from '../../work/access/project.rules.ts';
import { BugDetails, SavedBug } from '../details/details.schema.ts';
import { answerSavedItem, showWorkItem } from '../details/details.view.ts';
import { inProjects } from '../../operations.ts';
import { NameInPath, Watching } from '../tasks/task.schema.ts';
import { createWorkItem, removeWorkItem } from '../../work/work-items/card.ts';
import { changeFaults, creationFaults } from '../../work/work-items/card.rules.ts';
import { updateWorkItem } from '../../work/changes/work-item-changes.ts';
import { Bug, BugChanges, BugFilter, BugInput } from '../../work/work-items/card.schema.ts';
import { listProjectItems } from '../tasks/item-lists.view.ts';
import { watchWorkItem } from '../../work/changes/watchers.ts';

const { query, command } = inProjects;

export const list = query('GET /api/project/bug/{project_id}', {
  summary: 'List the bugs of a project',
  description:
    'Returns the bugs of a project that you may see. Clients see bugs with `client_visible: true` only. Expand `assignees`, `stage` and `milestone`.',
  access: can('bug.view'),
  params: { project_id: idOf('projects') },
  query: BugFilter,
  reply: page(Bug),
  handle: ({ params, query, ...context }) => listProjectItems(context, 'bug', params.project_id, query),
});

export const create = command('POST /api/project/bug/create/{project_id}', {
  summary: 'Create a bug',
  description:
    'Creates a bug with the next number of the project. All members and clients of the project can report bugs. Returns `project_closed` for a closed project.',
  access: can('bug.create'),
  params: { project_id: idOf('projects') },
  body: BugInput,
  reply: created(SavedBug),
  faults: creationFaults,
  async handle({ params, body, ...context }) {
    const { id, over_limit, known } = await createWorkItem(context, 'bug', params.project_id, body);
    const has = { subtasks: false, blockers: Boolean(body.blocked_by?.length) };
    return await answerSavedItem(context, 'bug', id, over_limit === undefined ? {} : { over_limit }, { ...known, has });
  },
});

export const show = query('GET /api/project/bug/show/{bug_id}', {
  summary: 'Get a bug',
  description: 'Returns a bug with comments, files, blocking items and history.',
  access: can('bug.view'),
  params: { bug_id: NameInPath },
  reply: ok(BugDetails),
  handle: ({ params, ...context }) => showWorkItem(context, 'bug', params.bug_id),
});

export const update = command('POST /api/project/{project_id}/bug/update/{bug_id}', {
  summary: 'Update a bug',
  description:
    'Updates a bug. `stage_id` or `position` moves it. In a completed stage, `resolution` defaults to `fixed`. A cancelled stage requires another `resolution`.',
  access: can('bug.update'),
  params: { project_id: idOf('projects'), bug_id: idOf('work_items') },
  body: BugChanges,
  reply: ok(SavedBug),
  faults: changeFaults,
  async handle({ params, body, expect, ...context }) {
    const target = { id: params.bug_id, project_id: params.project_id, expect };
    const warnings = await updateWorkItem(context, 'bug', target, body);
    return await answerSavedItem(context, 'bug', params.bug_id, warnings);
  },
});

export const remove = command('DELETE /api/project/{project_id}/bug/delete/{bug_id}', {
  summary: 'Delete a bug',
  description: 'Deletes a bug with its comments and files. Its number is not reused.',
  access: can('bug.delete'),
  params: { project_id: idOf('projects'), bug_id: idOf('work_items') },
  reply: removed,
  faults: projectFaults,
  handle: ({ params: { bug_id: id, project_id }, ...context }) => removeWorkItem(context, 'bug', { id, project_id }),
});

export const watch = command('POST /api/project/bug/watch/{bug_id}', {
  summary: 'Start or stop watching a bug',
  description:
    'Starts or stops watching a bug. Watchers are notified of comments. Repeating the request changes nothing.',
  addition: 'Users choose their notifications.',
  access: can('bug.update'),
  params: { bug_id: idOf('work_items') },
  body: Watching,
  reply: ok(Watching),
  faults: projectFaults,
  handle: ({ params, body, ...context }) => watchWorkItem(context, 'bug', params.bug_id, body.watching),
});
