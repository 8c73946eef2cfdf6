/** For tests: fakes of projects and crm, with the calls that to-do lists make. */
import { randomUUID } from 'node:crypto';
import { Fault } from '@suite/chassis/faults';
import { CrmServiceDefinition } from '@suite/proto/crm/v1/crm';
import {
  type ChangeToDoTaskRequest,
  ProjectsServiceDefinition,
  type ToDoTask,
} from '@suite/proto/projects/v1/projects';
import { standIn } from '@suite/testing/neighbours/stand-in';

const METHODS = ['batchGetToDoMarks', 'listToDoTasks'] as const;
const isOver = ({ group }: ToDoTask): boolean => group === 'completed' || group === 'cancelled';

type Tasks = Map<string, ToDoTask>;

const USUAL = {
  version: 1,
  title: 'Paint the wall',
  description: '',
  due_date: '',
  priority: 'medium',
  group: 'unstarted',
  updated_at: '2026-06-10T08:00:00.000Z',
};

function add(tasks: Tasks, wish: Partial<ToDoTask> = {}): string {
  const task_id = randomUUID();
  tasks.set(task_id, { task_id, ...USUAL, ...wish });
  return task_id;
}

const marks = (tasks: Tasks, user_ids: string[]) => ({
  marks: user_ids.map((user_id) => ({ user_id, mark: JSON.stringify([...tasks.values()]) })),
});
const told = (tasks: Tasks, known: string[]) =>
  [...tasks.values()].filter((task) => !isOver(task) || known.includes(task.task_id));

interface Asked {
  projects: Tasks;
  changes: ChangeToDoTaskRequest[];
  permissions: string[][];
  /** Users without any project tasks. */
  hidden: Set<string>;
  state: { refusal: Fault | undefined };
  change(task_id: string, wish: Partial<ToDoTask>): ToDoTask;
}

/** Returns a fake of projects, which applies requested changes unless it is set to reject them. */
const projectsOf = ({ projects, changes, permissions, hidden, state, change }: Asked) =>
  standIn(
    ProjectsServiceDefinition,
    {
      batchGetToDoMarks: async ({ user_ids }) => marks(projects, user_ids),
      async listToDoTasks({ known_task_ids, rights }) {
        permissions.push([...rights!.permissions]);
        const lines = hidden.has(rights!.user!.user_id) ? [] : told(projects, known_task_ids);
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
        const said = Object.entries(request.after ?? {}).filter(([, value]) => value !== undefined);
        return { task: change(request.task_id, Object.fromEntries(said)) };
      },
    },
    [...METHODS, 'batchGetToDoTasks', 'changeToDoTask'],
  );

const crmOf = (crm: Tasks) =>
  standIn(
    CrmServiceDefinition,
    {
      batchGetToDoMarks: async ({ user_ids }) => marks(crm, user_ids),
      listToDoTasks: async ({ known_task_ids }) => ({ tasks: told(crm, known_task_ids) }),
    },
    METHODS,
  );

/** Creates the tasks of all users, by their IDs. */
export function toDoTasks() {
  const [projects, crm]: [Tasks, Tasks] = [new Map(), new Map()];
  const change: Asked['change'] = (task_id, wish) => {
    const tasks = projects.has(task_id) ? projects : crm;
    const task = { ...tasks.get(task_id)!, ...wish };
    task.version += 1;
    tasks.set(task_id, task);
    return task;
  };
  const [hidden, state] = [new Set<string>(), { refusal: undefined }];
  const asked: Asked = { projects, changes: [], permissions: [], hidden, state, change };
  return {
    ...asked,
    neighbours: { projects: projectsOf(asked), crm: crmOf(crm) },
    add: (wish?: Partial<ToDoTask>) => add(projects, wish),
    addOfCrm: (wish?: Partial<ToDoTask>) => add(crm, wish),
    refuse(status: number, code: string) {
      asked.state.refusal = new Fault(status, code, 'No.');
    },
    clear() {
      projects.clear();
      crm.clear();
      asked.changes.length = 0;
      asked.permissions.length = 0;
      hidden.clear();
      asked.state.refusal = undefined;
    },
  };
}
