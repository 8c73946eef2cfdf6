/** Projects in the module `lightproj`: the same records and rules with fewer operations. */
import { can, canSave, ok, page, removed, withRoute, upserted } from '@suite/chassis/operations';
import { ProjectUnmanaged, projectFaults, projectStates } from '../../work/access/project.rules.ts';
import { TimerRunning } from '../../time/time/time-entry.rules.ts';
import { Activity, ActivityFilter } from '../../work/activities/activity.schema.ts';
import { listActivities } from '../../work/activities/activity.view.ts';
import * as files from '../../work/files/files.api.ts';
import { inLight } from '../../operations.ts';
import { requestPeople } from '../../projects/projects/project-people.ts';
import { removeProject, updateStatus } from '../../projects/projects/project.ts';
import { saveProject } from '../../projects/projects/project-save.ts';
import {
  ChangedProject,
  Project,
  ProjectDetails,
  ProjectFilter,
  ProjectSave,
} from '../../projects/projects/project.schema.ts';
import { listProjects, readProject, showProject } from '../../projects/projects/project.view.ts';
import * as projects from '../../projects/projects/projects.api.ts';
import { showHome } from './light-home.view.ts';
import {
  ActivityRequest,
  ProjectListRequest,
  ProjectReference,
  ProjectsHome,
  ProjectUser,
  ProjectUserFilter,
  StatusRequest,
} from './light-projects.schema.ts';
import { listUsers } from './light-users.view.ts';
import { requestOf } from './requests.ts';

const { query, command } = inLight;

/** Returns an operation of the full module that requires only the light one. */
const light = (...[operation, route]: Parameters<typeof withRoute>) => ({
  ...withRoute(operation, route),
  module: 'lightproj',
});

export const home = query('GET /api/lightproj/home', {
  summary: 'Get the project dashboard',
  description:
    'Returns totals of your projects, tasks and bugs, your own tasks, recent projects and activity. Days are in your time zone.',
  access: can('project.view'),
  reply: ok(ProjectsHome),
  handle: ({ db, caller }) => showHome(db, caller),
});

export const list = light(projects.list, 'GET /api/lightproj/projects');

export const users = query('GET /api/lightproj/users', {
  summary: 'List project users',
  description:
    'Returns active owners and staff users. `project_id` limits the list to its members. Clients see the managers of their projects only.',
  access: can('project.view'),
  query: ProjectUserFilter,
  reply: page(ProjectUser),
  handle: ({ db, caller, query }) => listUsers(db, caller, query),
});

export const search = query('POST /api/lightproj/project-list', {
  summary: 'Search projects (filters in the body)',
  description:
    'Returns the projects that match the filters in the body. An array matches any of its values. `…_from` and `…_to` select a range of days, both inclusive.',
  access: can('project.view'),
  body: ProjectListRequest,
  reply: page(Project),
  handle: ({ db, body, ...context }) => listProjects(db, context, requestOf(ProjectFilter, body, 'project-list')),
});

export const details = query('POST /api/lightproj/project-details', {
  summary: 'Get a project (ID in the body)',
  description:
    'Returns a project with members, clients, milestones, stages, files and history, like `GET /api/project/show/{id}`. Send the ID in the body.',
  access: can('project.view'),
  body: ProjectReference,
  reply: ok(ProjectDetails),
  handle: ({ db, body, ...context }) => showProject(db, context, body.id),
});

export const activity = query('POST /api/lightproj/project-activity', {
  summary: 'List project activities (ID in the body)',
  description:
    'Returns the history of the project `project_id`, like `GET /api/project/activity/{id}`. Send paging and filters in the body.',
  access: can('project.view'),
  body: ActivityRequest,
  reply: page(Activity),
  handle: ({ db, caller, body: { project_id, ...rest } }) =>
    listActivities(db, caller, requestOf(ActivityFilter, rest, `project-activity ${project_id}`), project_id),
});

export const save = command('POST /api/lightproj/project-create-update', {
  summary: 'Create or update a project',
  description:
    'Updates the project with this `id`, or with this `external_id`. Creates a project if `id` is omitted and no project has this `external_id`.',
  access: canSave({ creates: 'project.create', changes: 'project.update' }),
  body: ProjectSave,
  reply: upserted(ChangedProject),
  faults: [...projectFaults, ProjectUnmanaged, TimerRunning],
  prepare: ({ rpc, body }) => requestPeople(rpc, body),
  async handle({ body, prepared, expect, ...context }) {
    const { created, id } = await saveProject(context, body, { ...prepared, expect });
    return { created, record: await readProject(context.db, context.caller, id) };
  },
});

export const updateState = command('POST /api/lightproj/project-status-update', {
  summary: 'Update the status of a project',
  description:
    'Changes the status of a project and nothing else. Requires the manager role in the project. The change is recorded in the history.',
  access: projectStates.can('start', 'hold', 'resume', 'finish', 'reopen', 'cancel'),
  body: StatusRequest,
  reply: ok(ChangedProject),
  faults: projectFaults,
  async handle({ body, expect, ...context }) {
    await updateStatus(context, body.id, body.status, expect);
    return await readProject(context.db, context.caller, body.id);
  },
});

export const remove = command('POST /api/lightproj/project-delete', {
  summary: 'Delete a project (ID in the body)',
  description:
    'Deletes a project with its tasks, comments and files. Returns 409 `in_use` if it has time entries, expenses, invoices or copies. Archive it with `active: false` instead.',
  access: projectStates.can('delete'),
  body: ProjectReference,
  reply: removed,
  faults: projectFaults,
  handle: ({ body, ...context }) => removeProject(context, body.id),
});

export const addFile = light(files.create, 'POST /api/lightproj/project-file-upload');

export const removeFile = light(files.remove, 'DELETE /api/lightproj/project-file-delete/{id}');
