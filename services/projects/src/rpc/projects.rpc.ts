/** The methods of projects for other services. */
import { Id, serveMethods, sql } from '@suite/chassis';
import { type Project, ProjectsServiceDefinition } from '@suite/proto/projects/v1/projects';
import { withRights } from '@suite/users';
import { z } from 'zod';
import { method } from '../operations.ts';
import { changeToDoTask, toDoFaults } from '../to-do/to-do-change.ts';
import { ChangeRequest, LinesRequest, MarksRequest, TasksRequest } from '../to-do/to-do.schema.ts';
import { toDoLines, toDoMarks, toDoTasks } from '../to-do/to-do.ts';

const MOST = 1_000;

/** Projects by their ids, as far as the caller sees them. */
export const batchGetProjects = method(ProjectsServiceDefinition.methods.batchGetProjects, {
  summary: 'Get projects by ID',
  only: ['finance'],
  visible: true,
  input: z.object({ project_ids: z.array(Id).max(MOST, `Send at most ${MOST} ids.`) }),
  handle: async ({ db, input }) => ({
    projects: await db.rows<Project>(sql`
      SELECT id AS project_id, code, name, currency, active, is_template FROM projects
      WHERE id = ANY(${input.project_ids}::uuid[])`),
  }),
});

const { methods } = ProjectsServiceDefinition;

/** Platform keeps to-do lists elsewhere alike, by itself and for their users: it alone says what they may do now. */
const forToDoLists = { access: 'settling', only: ['platform'] } as const;

/** Whether anything about the tasks of users has changed. */
const batchGetToDoMarks = method(methods.batchGetToDoMarks, {
  summary: 'List users whose tasks have changed',
  ...forToDoLists,
  input: MarksRequest,
  handle: async ({ db, input: { user_ids } }) => ({ marks: await toDoMarks(db, user_ids) }),
});

/** The open tasks of somebody, in a line each. */
const listToDoTasks = method(methods.listToDoTasks, {
  summary: "List a user's tasks",
  ...forToDoLists,
  visible: true,
  input: LinesRequest,
  actingAs: ({ rights }, caller) => withRights(rights, caller),
  handle: async ({ db, caller, input: { known_task_ids } }) => ({ tasks: await toDoLines(db, caller, known_task_ids) }),
});

/** Tasks of somebody as his to-do list shows them. */
const batchGetToDoTasks = method(methods.batchGetToDoTasks, {
  summary: "Get a user's task",
  ...forToDoLists,
  visible: true,
  input: TasksRequest,
  actingAs: ({ rights }, caller) => withRights(rights, caller),
  handle: async ({ db, caller, input: { task_ids } }) => ({ tasks: await toDoTasks(db, caller, task_ids) }),
});

/** A change that somebody has made in his to-do list. */
const changeInToDoList = method(methods.changeToDoTask, {
  summary: 'Update a task from a to-do list',
  ...forToDoLists,
  idempotent: true,
  input: ChangeRequest,
  faults: toDoFaults,
  actingAs: ({ rights }, caller) => withRights(rights, caller),
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
