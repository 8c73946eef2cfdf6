/** Methods of projects for other services. */
import { sql } from '@suite/chassis/database';
import { Id } from '@suite/chassis/fields';
import { serveMethods } from '@suite/chassis/rpc';
import { type Project, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { callerWithRights } from '@suite/user-copies';
import { z } from 'zod';
import { method } from '../operations.ts';
import { changeToDoTask, toDoFaults } from '../tasks/to-do/to-do-change.ts';
import { ChangeRequest, LinesRequest, MarksRequest, TasksRequest } from '../tasks/to-do/to-do.schema.ts';
import { toDoLines, toDoMarks, toDoTasks } from '../tasks/to-do/to-do.ts';

const MOST = 1_000;

/** Returns projects by their IDs, limited to projects visible to the caller. */
export const batchGetProjects = method(ProjectsServiceDefinition.methods.batchGetProjects, {
  summary: 'Get projects by ID',
  only: ['finance'],
  visible: true,
  input: z.object({ project_ids: z.array(Id).max(MOST, `Send at most ${MOST} IDs.`) }),
  handle: async ({ db, input }) => ({
    projects: await db.rows<Project>(sql`
      SELECT id AS project_id, code, name, currency, active, is_template FROM projects
      WHERE id = ANY(${input.project_ids}::uuid[])`),
  }),
});

const { methods } = ProjectsServiceDefinition;

/**
 * Access for platform, which synchronises to-do lists on its own behalf and on behalf of users. Platform states the
 * current permissions of each user.
 */
const forToDoLists = { access: 'settling', only: ['platform'] } as const;

/** Returns a mark per user that changes with their tasks. */
const batchGetToDoMarks = method(methods.batchGetToDoMarks, {
  summary: 'List users whose tasks have changed',
  ...forToDoLists,
  input: MarksRequest,
  handle: async ({ db, input: { user_ids } }) => ({ marks: await toDoMarks(db, user_ids) }),
});

/** Returns a user's open tasks, one line each. */
const listToDoTasks = method(methods.listToDoTasks, {
  summary: "List a user's tasks",
  ...forToDoLists,
  visible: true,
  input: LinesRequest,
  actingAs: ({ rights }, caller) => callerWithRights(rights, caller),
  handle: async ({ db, caller, input: { known_task_ids } }) => ({ tasks: await toDoLines(db, caller, known_task_ids) }),
});

/** Returns a user's tasks for their to-do list. */
const batchGetToDoTasks = method(methods.batchGetToDoTasks, {
  summary: "Get a user's task",
  ...forToDoLists,
  visible: true,
  input: TasksRequest,
  actingAs: ({ rights }, caller) => callerWithRights(rights, caller),
  handle: async ({ db, caller, input: { task_ids } }) => ({ tasks: await toDoTasks(db, caller, task_ids) }),
});

/** Applies a change that a user made in their to-do list. */
const changeInToDoList = method(methods.changeToDoTask, {
  summary: 'Update a task from a to-do list',
  ...forToDoLists,
  idempotent: true,
  input: ChangeRequest,
  faults: toDoFaults,
  actingAs: ({ rights }, caller) => callerWithRights(rights, caller),
  boundTo: ({ task_id, after, before, changed_at, unassign }) => [task_id, after, before, changed_at, unassign],
  handle: async ({ input, ...context }) => ({ task: await changeToDoTask(context, input) }),
});

export const projectsRpc = serveMethods(ProjectsServiceDefinition, {
  batchGetProjects,
  batchGetToDoMarks,
  listToDoTasks,
  batchGetToDoTasks,
  changeToDoTask: changeInToDoList,
});
