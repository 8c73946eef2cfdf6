/** Projects of a team, internal or for a customer. A template is a project to copy for new ones. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { ProjectUnmanaged, projectFaults, projectStates } from '../../work/access/project.rules.ts';
import { TimerRunning } from '../../time/time/time-entry.rules.ts';
import { inProjects } from '../../operations.ts';
import { requestPeople } from './project-people.ts';
import { createProject, removeProject, updateProject } from './project.ts';
import {
  ChangedProject,
  Project,
  ProjectChanges,
  ProjectChoice,
  ProjectChoiceFilter,
  ProjectDetails,
  ProjectFilter,
  ProjectInput,
} from './project.schema.ts';
import { listProjects, pickProjects, readProject, showProject } from './project.view.ts';

const { query, command } = inProjects;

export const list = query('GET /api/projects', {
  summary: 'List projects',
  description:
    'Returns the projects that you may see. Excludes archived projects and templates unless you filter by `active` or `is_template`.',
  access: can('project.view'),
  query: ProjectFilter,
  reply: page(Project),
  handle: ({ db, query, ...context }) => listProjects(db, context, query),
});

export const pick = query('GET /api/get-projects', {
  summary: 'List projects for a picker',
  description:
    'Returns open projects in which you can add tasks and time. `for=view` also includes projects that you can only read.',
  access: can('project.view'),
  query: ProjectChoiceFilter,
  reply: page(ProjectChoice),
  handle: ({ db, caller, query }) => pickProjects(db, caller, query),
});

export const show = query('GET /api/project/show/{id}', {
  summary: 'Get a project',
  description:
    'Returns a project with members, clients, milestones, stages, files, history, and totals of its tasks and bugs.',
  access: can('project.view'),
  params: { id: idOf('projects') },
  reply: ok(ProjectDetails),
  handle: ({ db, params, ...context }) => showProject(db, context, params.id),
});

export const create = command('POST /api/projects/create', {
  summary: 'Create a project',
  description:
    'Creates a project that you manage. Copies the default stages of the workspace, or stages, tasks and settings of `template_id`.',
  access: can('project.create'),
  body: ProjectInput,
  reply: created(ChangedProject),
  prepare: ({ rpc, body }) => requestPeople(rpc, body),
  handle: async ({ body, prepared, ...context }) =>
    readProject(context.db, context.caller, await createProject(context, body, prepared)),
});

export const update = command('POST /api/project/update/{id}', {
  summary: 'Update a project',
  description:
    'Updates a project. `status` moves it, and `active: false` archives it. `members` and `client_ids` replace the whole lists. Returns `last_manager` if no manager would remain.',
  access: projectStates.can('update', 'start', 'hold', 'resume', 'finish', 'reopen', 'cancel'),
  params: { id: idOf('projects') },
  body: ProjectChanges,
  reply: ok(ChangedProject),
  faults: [...projectFaults, ProjectUnmanaged, TimerRunning],
  prepare: ({ rpc, body }) => requestPeople(rpc, body),
  async handle({ params, body, prepared, expect, ...context }) {
    await updateProject(context, params.id, body, { ...prepared, expect });
    return await readProject(context.db, context.caller, params.id);
  },
});

export const remove = command('DELETE /api/project/delete/{id}', {
  summary: 'Delete a project',
  description:
    'Deletes a project with its tasks, comments and files. Returns 409 `in_use` if it has time entries, expenses, invoices or copies. Archive it with `active: false` instead.',
  access: projectStates.can('delete'),
  params: { id: idOf('projects') },
  reply: removed,
  faults: projectFaults,
  deletes: 'projects.project',
  handle: ({ params, ...context }) => removeProject(context, params.id),
});
