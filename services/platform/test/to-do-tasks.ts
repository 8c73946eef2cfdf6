/** For tests: fakes of projects and crm, with the calls that to-do lists make. */
import { randomUUID } from 'node:crypto';
import { Fault } from '@suite/chassis/faults';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import {
  type ChangeToDoTaskRequest,
  ProjectsServiceDefinition,
  type ToDoTask,
} from '@suite/proto/projects/v1/projects';
import { fakeServer } from '@suite/testing/fakes/fake-server';

const METHODS = ['batchGetToDoMarks', 'listToDoTasks'] as const;
const isOver = ({ group }: ToDoTask): boolean => group === 'completed' || group === 'cancelled';

type Tasks = Map<string, ToDoTask>;

const DEFAULTS = {
  version: 1,
  title: 'Paint the wall',
  description: '',
  due_date: '',
  priority: 'medium',
  group: 'unstarted',
  updated_at: '2026-06-10T08:00:00.000Z',
};

/** Adds a task, by default "Paint the wall": unstarted, medium priority, no due date. Returns its ID. */
function add(tasks: Tasks, fields: Partial<ToDoTask> = {}): string {
  const task_id = randomUUID();
  tasks.set(task_id, { task_id, ...DEFAULTS, ...fields });
  return task_id;
}

const marks = (tasks: Tasks, user_ids: string[]) => ({
  marks: user_ids.map((user_id) => ({ user_id, mark: JSON.stringify([...tasks.values()]) })),
});
const openOrKnown = (tasks: Tasks, known: string[]) =>
  [...tasks.values()].filter((task) => !isOver(task) || known.includes(task.task_id));

interface FakeTasks {
  projects: Tasks;
  changes: ChangeToDoTaskRequest[];
  permissions: string[][];
  /** Users without any project tasks. */
  hidden: Set<string>;
  state: { refusal: Fault | undefined };
  change(task_id: string, fields: Partial<ToDoTask>): ToDoTask;
}

/** Returns a fake of projects, which applies requested changes unless it is set to reject them. */
const projectsOf = ({ projects, changes, permissions, hidden, state, change }: FakeTasks) =>
  fakeServer(
    ProjectsServiceDefinition,
    {
      batchGetToDoMarks: async ({ user_ids }) => marks(projects, user_ids),
      async listToDoTasks({ known_task_ids, rights }) {
        permissions.push([...rights!.permissions]);
        const lines = hidden.has(rights!.user!.user_id) ? [] : openOrKnown(projects, known_task_ids);
        return { tasks: lines.map(({ task_id, version, group }) => ({ task_id, version, group })) };
      },
      batchGetToDoTasks: async ({ task_ids }) => ({ tasks: task_ids.flatMap((id) => projects.get(id) ?? []) }),
      async changeToDoTask(request) {
        changes.push(request);
        if (state.refusal) throw state.refusal;
        if (request.unassign) {
          projects.delete(request.task_id);
          return {};
        }
        const changedFields = Object.entries(request.after ?? {}).filter(([, value]) => value !== undefined);
        return { task: change(request.task_id, Object.fromEntries(changedFields)) };
      },
    },
    [...METHODS, 'batchGetToDoTasks', 'changeToDoTask'],
  );

const crmOf = (crm: Tasks) =>
  fakeServer(
    CrmServiceDefinition,
    {
      batchGetToDoMarks: async ({ user_ids }) => marks(crm, user_ids),
      listToDoTasks: async ({ known_task_ids }) => ({ tasks: openOrKnown(crm, known_task_ids) }),
    },
    METHODS,
  );

/** Creates the tasks of all users, by their IDs. */
export function toDoTasks() {
  const [projects, crm]: [Tasks, Tasks] = [new Map(), new Map()];
  const change: FakeTasks['change'] = (task_id, fields) => {
    const tasks = projects.has(task_id) ? projects : crm;
    const task = { ...tasks.get(task_id)!, ...fields };
    task.version += 1;
    tasks.set(task_id, task);
    return task;
  };
  const [hidden, state] = [new Set<string>(), { refusal: undefined }];
  const fakes: FakeTasks = { projects, changes: [], permissions: [], hidden, state, change };
  return {
    ...fakes,
    fakes: { projects: projectsOf(fakes), crm: crmOf(crm) },
    add: (fields?: Partial<ToDoTask>) => add(projects, fields),
    addOfCrm: (fields?: Partial<ToDoTask>) => add(crm, fields),
    refuse(status: number, code: string) {
      fakes.state.refusal = new Fault(status, code, 'No.');
    },
    clear() {
      projects.clear();
      crm.clear();
      fakes.changes.length = 0;
      fakes.permissions.length = 0;
      hidden.clear();
      fakes.state.refusal = undefined;
    },
  };
}
