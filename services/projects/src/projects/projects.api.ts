/** Projects: work that a team does together, for itself or for a customer. A template is a project that others are copied from. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import { ProjectUnmanaged, projectFaults, projectStates } from '../access/project.rules.ts';
import { TimerRunning } from '../time/time-entry.rules.ts';
import { inProjects } from '../operations.ts';
import { askForPeople } from './project-people.ts';
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
  description: 'Those that are not archived and no templates, unless `active` or `is_template` says otherwise.',
  access: can('project.view'),
  query: ProjectFilter,
  reply: page(Project),
  handle: ({ db, query, ...reader }) => listProjects(db, reader, query),
});

export const pick = query('GET /api/get-projects', {
  summary: 'List projects for a picker',
  description: 'Open ones, for tasks and time; with `for=view` also those that the caller only reads.',
  access: can('project.view'),
  query: ProjectChoiceFilter,
  reply: page(ProjectChoice),
  handle: ({ db, caller, query }) => pickProjects(db, caller, query),
});

export const show = query('GET /api/project/show/{id}', {
  summary: 'Get a project',
  description: 'With its people, milestones, stages, files, history, and the figures of its tasks and bugs.',
  access: can('project.view'),
  params: { id: idOf('projects') },
  reply: ok(ProjectDetails),
  handle: ({ db, params, ...reader }) => showProject(db, reader, params.id),
});

export const create = command('POST /api/projects/create', {
  summary: 'Create a project',
  description: "Its creator manages it. It begins with the workspace's stages, or with all that its template has.",
  access: can('project.create'),
  body: ProjectInput,
  reply: created(ChangedProject),
  prepare: ({ rpc, body }) => askForPeople(rpc, body),
  handle: async ({ body, prepared, ...work }) =>
    readProject(work.db, work.caller, await createProject(work, body, prepared)),
});

export const update = command('POST /api/project/update/{id}', {
  summary: 'Update a project',
  description:
    'A `status` moves it, `active: false` archives it. `members` and `client_ids` replace all that it has of them.',
  access: projectStates.can('update', 'start', 'hold', 'resume', 'finish', 'reopen', 'cancel'),
  params: { id: idOf('projects') },
  body: ProjectChanges,
  reply: ok(ChangedProject),
  faults: [...projectFaults, ProjectUnmanaged, TimerRunning],
  prepare: ({ rpc, body }) => askForPeople(rpc, body),
  async handle({ params, body, prepared, expect, ...work }) {
    await updateProject(work, params.id, body, { ...prepared, expect });
    return await readProject(work.db, work.caller, params.id);
  },
});

export const remove = command('DELETE /api/project/delete/{id}', {
  summary: 'Delete a project',
  description: 'With everything in it. One with time or a bill stays: archive it with `active: false`.',
  access: projectStates.can('delete'),
  params: { id: idOf('projects') },
  reply: removed,
  faults: projectFaults,
  deletes: 'projects.project',
  handle: ({ params, ...work }) => removeProject(work, params.id),
});
